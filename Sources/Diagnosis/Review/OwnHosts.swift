import Names
import Policy

/// Which hosts are the app's own: those that share a registrable domain with a host that was named. All others are third parties.
public struct OwnHosts: Sendable, Hashable {
  private let domains: Set<String>

  public init(_ hosts: some Sequence<Host>) {
    domains = Set(hosts.map(\.registrableDomain))
  }

  /// What an Info.plist lets one think: what it pins and makes exceptions for, and the domain that the bundle identifier begins with.
  public init(dictionary: PropertyValue, bundleIdentifier: String?) {
    var hosts: [Host] = []
    for key in [ATSKey.exceptionDomains, ATSKey.pinnedDomains] {
      let names = dictionary[key]?.members?.keys.sorted() ?? []
      hosts += names.filter { !$0.contains("/") }.compactMap { try? Host($0) }
    }
    if let bundleIdentifier { hosts += Self.host(bundleIdentifier).map { [$0] } ?? [] }
    self.init(hosts)
  }

  /// `com.example.app` is of `example.com`; nil where that is no domain that somebody could own.
  private static func host(_ bundleIdentifier: String) -> Host? {
    let labels = bundleIdentifier.split(separator: ".").reversed().joined(separator: ".")
    guard let host = try? Host(labels), PublicSuffixes.suffix(of: host) != nil,
      !PublicSuffixes.isPublicSuffix(host.text)
    else { return nil }
    return host
  }

  public func contains(_ host: Host) -> Bool { domains.contains(host.registrableDomain) }
}

extension Host {
  /// What its owner registered: one label more than the public suffix; the last two labels where the list has no suffix; an address is its
  /// own.
  public var registrableDomain: String {
    guard address == nil else { return text }
    let labels = labels
    let suffix = PublicSuffixes.suffix(of: self).map { $0.split(separator: ".").count } ?? 1
    return labels.suffix(suffix + 1).joined(separator: ".")
  }
}
