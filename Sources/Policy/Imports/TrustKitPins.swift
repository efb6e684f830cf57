import Names

/// TrustKit's pinned domains with its matching (spec D.1): the very key, compared with its case, else the longest key with
/// `TSKIncludeSubdomains` above the host that has the same public suffix.
public struct TrustKitPins: Sendable {
  public struct Domain: Sendable, Hashable {
    public var key: String
    /// Empty only for an excluded domain.
    public var pins: Set<Pin> = []
    public var enforce = true
    public var includesSubdomains = false
    /// Not pinned, though a domain above it includes its subdomains.
    public var isExcluded = false
    /// Before this moment, in seconds since 1970, the pins count.
    public var expires: Int64?
    public var reportURIs: [String] = []
    /// The public suffix of the key; nil where the key is no name that a host could have.
    var suffix: Substring?

    init(key: String) { self.key = key }
  }

  let domains: [String: Domain]
  private let app: ReportedApp?

  init(_ domains: [Domain], app: ReportedApp? = nil) {
    self.app = app
    self.domains = Dictionary(domains.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entry that pins a host; nil: it is not pinned. Whether the pins have expired is not looked at.
  public func domain(for host: Host) -> Domain? {
    if let exact = domains[host.text] { return exact.isExcluded ? nil : exact }
    let above = host.nameAndParents.dropFirst().compactMap { domains[$0] }.filter(\.includesSubdomains)
    guard !above.isEmpty, let suffix = PublicSuffixes.suffix(of: host) else { return nil }
    return above.first { $0.suffix == suffix }
  }

  func demand(host: Host, _ source: ImportSource) -> ImportDemand? {
    domain(for: host).map { domain in
      var demand = ImportDemand(
        source: source, entry: domain.key, includesSubdomains: domain.includesSubdomains, keys: .chain(domain.pins),
        enforce: domain.enforce, expires: domain.expires, reportURIs: domain.reportURIs)
      demand.app = app
      return demand
    }
  }
}
