import Names
import Policy

/// The smallest network_security_config.xml of Android that lets recorded traffic pass: plain HTTP for the hosts that need it alone, and pins for
/// the app's own hosts. Android's file says nothing of versions and suites of TLS.
public struct NetworkSecurityDocument: Sendable {
  private let plainHosts: [String]
  private let pinned: [(domain: String, pins: [String])]

  public init(_ review: Review) {
    let domains = review.smallest?[ATSKey.exceptionDomains]?.members ?? [:]
    self.init(
      plainHosts: domains.filter { $0.value[ATSKey.insecureHTTP] == .boolean(true) }.map(\.key), pins: review.pins)
  }

  init(plainHosts: [String], pins: [ReviewedPins]) {
    self.plainHosts = plainHosts.sorted()
    let plain = Set(plainHosts)
    pinned = pins.filter { $0.admitsRecorded && !plain.contains($0.domain) }.compactMap { entry in
      let identities = PinnedIdentities(entry.entry)
      let pins = (identities?.leafPins ?? []) + (identities?.authorityPins ?? [])
      return pins.isEmpty ? nil : (entry.domain, pins)
    }
  }

  public var text: String {
    var lines = [#"<?xml version="1.0" encoding="utf-8"?>"#, "<network-security-config>"]
    lines.append(#"  <base-config cleartextTrafficPermitted="false" />"#)
    if !plainHosts.isEmpty {
      lines.append(#"  <domain-config cleartextTrafficPermitted="true">"#)
      lines += plainHosts.map { "    " + Self.domain($0) }
      lines.append("  </domain-config>")
    }
    for (domain, pins) in pinned {
      lines += ["  <domain-config>", "    " + Self.domain(domain), "    <pin-set>"]
      lines += pins.map { #"      <pin digest="SHA-256">\#($0.dropFirst("sha256/".count))</pin>"# }
      lines += ["    </pin-set>", "  </domain-config>"]
    }
    return (lines + ["</network-security-config>"]).reduce(into: "") { $0 += $1 + "\n" }
  }

  private static func domain(_ name: String) -> String {
    #"<domain includeSubdomains="false">\#(PropertyListFragment.escaped(name))</domain>"#
  }
}
