import Names

/// Findings about the keys of `NSExceptionDomains`: names, addresses and ranges.
extension ATSLinter {
  /// A key that matches something, but not what its author may think.
  mutating func lintKey(_ key: String, path: String, includesSubdomains: Bool) {
    if key.contains("/") { return lintRange(key, path: path, includesSubdomains: includesSubdomains) }
    guard let host = try? Host(key) else { return }
    if host.address != nil {
      return lintAddress(key, normal: host.text, path: path, includesSubdomains: includesSubdomains)
    }
    if key.utf8.contains(where: { (0x41...0x5A).contains($0) }) {
      warn(
        path, "\"\(key)\" has capitals, which a device does not match; it is read as \"\(host.text)\" here; write that")
    }
    if !key.utf8.allSatisfy({ $0 < 0x80 }) {
      warn(
        path,
        "\"\(key)\" is not written in A-labels, and what a device makes of it is not known; it is read as \"\(host.text)\" here; "
          + "write that")
    }
    if host.hasTrailingDot {
      note(
        path,
        "the trailing dot of \"\(key)\" counts: it matches only URLs that have the dot too; write \"\(host.text)\" for all others"
      )
    }
    if includesSubdomains { lintBreadth(key, host, path: path) }
  }

  private mutating func lintBreadth(_ key: String, _ host: Host, path: String) {
    if PublicSuffixes.isPublicSuffix(host.text) {
      warn(
        path,
        "\(key) is a public suffix: with \(ATSKey.subdomains) the entry covers the domains of strangers; name the domains that are meant"
      )
    }
    if host.labels.count > 2, host.text.hasPrefix("www.") {
      let parent = host.text.dropFirst(4)
      note(
        path,
        "with \(ATSKey.subdomains) the entry covers \(key) and what is below it, but neither \(parent) nor its other subdomains; "
          + "write \"\(parent)\" if those are meant")
    }
  }

  static func reasonToMatchNothing(_ key: String) -> String? {
    if key.isEmpty { return "it is empty; write the name of a host" }
    if let scheme = key.firstRange(of: "://") {
      return "keys have no scheme; write \"\(key[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" })\""
    }
    if key.contains("*") {
      return "there are no wildcards; write \"\(withoutWildcard(key))\" and \(ATSKey.subdomains)"
    }
    if key.utf8.contains(where: { $0 <= 0x20 }) { return "it contains a space; take it away" }
    if key.hasPrefix(".") { return "it begins with a dot; write \"\(key.dropFirst())\" and \(ATSKey.subdomains)" }
    let colons = key.utf8.count { $0 == UInt8(ascii: ":") }
    if colons == 1 || key.contains("]:") {
      let host = key.prefix(upTo: key.lastIndex(of: ":") ?? key.endIndex)
      return "keys have no port; write \"\(host)\", which holds for all of them"
    }
    if key.contains("%") { return "an address has no zone here; take it away" }
    if key.contains("/") { return reasonToMatchNothing(range: key, hasColons: colons > 0) }
    return (try? Host(key)) == nil ? "it is no host name" : nil
  }

  private static func withoutWildcard(_ key: String) -> Substring {
    key[...].drop { $0 == "*" || $0 == "." }.prefix { $0 != "*" }
  }

  private static func reasonToMatchNothing(range key: String, hasColons: Bool) -> String? {
    let address = key.prefix { $0 != "/" }
    let looksLikeIPv4 = address.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard hasColons || looksLikeIPv4 else { return "keys have no path; write \"\(address)\"" }
    guard case .unreadable(let reason) = AddressRangeKey(key) else { return nil }
    return reason
  }

  private mutating func lintRange(_ key: String, path: String, includesSubdomains: Bool) {
    switch AddressRangeKey(key) {
    case .unreadable: return
    case .range(let range) where range.prefixLength == 0:
      warn(path, "\(key) covers every address; name the networks that are meant")
    case .range(let range):
      let written = key.split(separator: "/").first.flatMap { IPAddress(String($0)) }
      if let written, written != range.address {
        note(path, "\(key) is the range \(range): bits behind the prefix do not count; write that")
      }
    }
    lintAddressUse(key, path: path, includesSubdomains: includesSubdomains)
  }

  private mutating func lintAddress(_ key: String, normal: String, path: String, includesSubdomains: Bool) {
    if key != normal {
      warn(
        path,
        "\"\(key)\" does not match on a device, which compares addresses as text; it is read as \"\(normal)\" here; write that"
      )
    }
    lintAddressUse(key, path: path, includesSubdomains: includesSubdomains)
  }

  private mutating func lintAddressUse(_ key: String, path: String, includesSubdomains: Bool) {
    if !profile.readsAddressKeys {
      let instead =
        profile.everyAddressIsLocal
        ? "addresses are permitted there by \(ATSKey.localNetworking)" : "no address can be excepted there"
      warn(
        path, "OS \(profile.os) does not read \(key): addresses and ranges came with iOS 17; \(instead)")
    }
    if includesSubdomains {
      note("\(path).\(ATSKey.subdomains)", "\(ATSKey.subdomains) has no effect on the address \(key); take it away")
    }
  }
}
