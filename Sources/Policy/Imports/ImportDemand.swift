/// What one import asks of the origin of one host.
public struct ImportDemand: Sendable, Hashable {
  /// The keys that the file pins.
  public enum Keys: Sendable, Hashable {
    /// Nothing is pinned, only the anchors are limited.
    case none
    /// The key of any certificate of the chain.
    case chain(Set<Pin>)
    /// The key of the leaf.
    case leaf(Set<Pin>)
    case pinnedDomains(PinnedIdentities)
  }

  public var source: ImportSource
  /// What names the host in the file: a domain or a pattern, several of them with commas between.
  public var entry: String
  public var includesSubdomains: Bool
  public var keys: Keys
  /// False: a pin that is missing is reported and lets pass; an invalid chain is refused all the same.
  public var enforce: Bool
  /// After this moment (seconds since 1970) the pins are not looked at.
  public var expires: Int64?
  /// Where a chain must end; nil: wherever the rest of the policy lets it.
  public var anchors: [TrustAnchorSource]?
  /// Where pin failures are reported, in TrustKit's form.
  public var reportURIs: [String]
  /// For those reports.
  public var app: ReportedApp?

  public init(
    source: ImportSource, entry: String, includesSubdomains: Bool = false, keys: Keys, enforce: Bool = true,
    expires: Int64? = nil, anchors: [TrustAnchorSource]? = nil, reportURIs: [String] = []
  ) {
    self.source = source
    self.entry = entry
    self.includesSubdomains = includesSubdomains
    self.keys = keys
    self.enforce = enforce
    self.expires = expires
    self.anchors = anchors
    self.reportURIs = reportURIs
  }

  /// How many pins there are.
  public var pinCount: Int {
    switch keys {
    case .none: 0
    case .chain(let pins), .leaf(let pins): pins.count
    case .pinnedDomains(let identities): (identities.leaf?.count ?? 0) + (identities.ca?.count ?? 0)
    }
  }

  /// The day (UTC) of `expires`, such as `2030-01-31`.
  public var expiryDay: String? { expires.map { CalendarDay(secondsSince1970: $0).description } }

  var pins: [Pin] {
    switch keys {
    case .none, .pinnedDomains: []
    case .chain(let pins), .leaf(let pins): pins.sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    }
  }
}
