import Names

/// Findings about `NSExceptionDomains`.
extension ATSLinter {
  mutating func lintDomains(_ domains: PropertyValue) {
    guard let members = domains.members else {
      return warn(ATSKey.exceptionDomains, "\(ATSKey.exceptionDomains) is no dictionary and is ignored")
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      let path = "\(ATSKey.exceptionDomains).\(key)"
      guard let entry = value.members else {
        warn(path, "the entry is no dictionary and is skipped: ATS is fully on for \(key)")
        continue
      }
      if let reason = Self.reasonToMatchNothing(key) {
        warn(path, "the key matches nothing: \(reason)")
        continue
      }
      lintKey(key, path: path, includesSubdomains: entry[ATSKey.subdomains]?.flag == true)
      lintEntry(entry, path: path)
    }
  }

  /// A key that matches something, but not what its author may think.
  private mutating func lintKey(_ key: String, path: String, includesSubdomains: Bool) {
    if key.contains("/") { return lintRange(key, path: path, includesSubdomains: includesSubdomains) }
    guard let host = try? Host(key) else { return }
    if host.address != nil {
      return lintAddress(key, normal: host.text, path: path, includesSubdomains: includesSubdomains)
    }
    if key.utf8.contains(where: { (0x41...0x5A).contains($0) }) {
      warn(path, "the key has capitals, which a device does not match; it is read as \"\(host.text)\" here")
    }
    if !key.utf8.allSatisfy({ $0 < 0x80 }) {
      warn(path, "write the key with A-labels, \"\(host.text)\": what a device makes of other letters is not known")
    }
    if host.hasTrailingDot { note(path, "the trailing dot counts: the key matches only URLs that have it too") }
    if includesSubdomains, PublicSuffixes.isPublicSuffix(host.text) {
      warn(path, "\(host.text) is a public suffix: with \(ATSKey.subdomains) the entry covers domains of strangers")
    }
  }

  private static func reasonToMatchNothing(_ key: String) -> String? {
    if key.isEmpty { return "it is empty" }
    if key.contains("://") { return "write the host name without a scheme" }
    if key.contains("*") { return "there are no wildcards; use \(ATSKey.subdomains)" }
    if key.utf8.contains(where: { $0 <= 0x20 }) { return "it contains a space" }
    let colons = key.utf8.count { $0 == UInt8(ascii: ":") }
    if colons == 1 || key.contains("]:") { return "write the host name without a port, it holds for all of them" }
    if key.contains("%") { return "an address has no zone here" }
    if colons == 0, let slash = key.utf8.firstIndex(of: UInt8(ascii: "/")) {
      let looksLikeIPv4 = key[..<slash].utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
      if !looksLikeIPv4 { return "write the host name without a path" }
    }
    if key.contains("/") {
      if case .unreadable(let reason) = AddressRangeKey(key) { return reason }
      return nil
    }
    return (try? Host(key)) == nil ? "it is no host name" : nil
  }

  private mutating func lintRange(_ key: String, path: String, includesSubdomains: Bool) {
    switch AddressRangeKey(key) {
    case .unreadable: return
    case .range(let range) where range.prefixLength == 0:
      warn(path, "the range covers every address")
    case .range(let range):
      let written = key.split(separator: "/").first.flatMap { IPAddress(String($0)) }
      if let written, written != range.address {
        note(path, "the range is \(range): bits behind the prefix do not count")
      }
    }
    lintAddressUse(path: path, includesSubdomains: includesSubdomains)
  }

  private mutating func lintAddress(_ key: String, normal: String, path: String, includesSubdomains: Bool) {
    if key != normal {
      warn(path, "a device compares addresses as text and wants \"\(normal)\"; the key is read so here")
    }
    lintAddressUse(path: path, includesSubdomains: includesSubdomains)
  }

  private mutating func lintAddressUse(path: String, includesSubdomains: Bool) {
    if !profile.readsAddressKeys {
      warn(path, "OS \(profile.os) does not read addresses here: they came with iOS 17")
    }
    if includesSubdomains { note(path, "\(ATSKey.subdomains) has no effect on addresses") }
  }

  private mutating func lintEntry(_ entry: [String: PropertyValue], path: String) {
    guard !entry.isEmpty else {
      return warn(path, "an empty entry is full ATS for this domain, whatever the global keys permit")
    }
    for (key, value) in entry.sorted(by: { $0.key < $1.key }) where value != .null {
      lintMember(key, value, path: "\(path).\(key)")
    }
    let exception = DomainException(key: path, members: entry, profile: profile)
    guard exception.permitsPlainHTTP else { return }
    note(path, Self.justification(ATSKey.insecureHTTP))
    if entry[ATSKey.minimumTLS] != nil {
      note(
        path,
        "\(ATSKey.insecureHTTP) permits plain HTTP, but \(ATSKey.minimumTLS) still holds for https to this domain")
    }
  }

  private mutating func lintMember(_ key: String, _ value: PropertyValue, path: String) {
    switch key {
    case ATSKey.subdomains, ATSKey.insecureHTTP: lintFlag(path, value, absent: "false")
    case ATSKey.forwardSecrecy:
      lintFlag(path, value, absent: "true")
      if case .integer(let number) = value, number != 0, number != 1 {
        warn(path, "counting as false, it permits suites without forward secrecy")
      }
    case ATSKey.minimumTLS: lintVersion(value, path: path)
    case ATSKey.transparency:
      note(path, "\(key) is obsolete: the system asks for certificate transparency anyway")
    case ATSKey.exceptionNIAP: lintNIAP(path, value)
    default: lintUnknown(key, value, path: path)
    }
  }

  private mutating func lintUnknown(_ key: String, _ value: PropertyValue, path: String) {
    guard let plain = ATSKey.plainKey(of: key) else {
      let isAlias = key.hasPrefix("NSThirdParty") || key.hasPrefix("NSTemporary")
      let hint = ATSKey.globals.contains(key) ? "; it belongs beside \(ATSKey.exceptionDomains)" : ""
      return warn(path, "\(key) is \(isAlias ? "an old name" : "no key of an exception") and has no effect\(hint)")
    }
    warn(
      path,
      profile.readsAliases
        ? "\(key) is an old name of \(plain), which OS 18.4 and later do not read"
        : "\(key) is an old name of \(plain), which OS \(profile.os) does not read: the entry is stricter than it looks"
    )
    if profile.readsAliases { lintMember(plain, value, path: path) }
  }

  private mutating func lintVersion(_ value: PropertyValue, path: String) {
    guard let text = value.text, let version = TLSVersion.allCases.first(where: { $0.name == text }) else {
      return warn(
        path,
        "the value is none of TLSv1.0, TLSv1.1, TLSv1.2, TLSv1.3 (exactly so) and is ignored: TLSv1.2 is asked for")
    }
    if version > profile.highestTLS {
      warn(path, "OS \(profile.os) does not speak \(text); the value is ignored")
    } else if version < profile.lowestTLS {
      warn(path, "OS \(profile.os) no longer accepts \(text): \(profile.lowestTLS.name) is asked for")
    } else if version < .v12 {
      note(path, Self.justification(ATSKey.minimumTLS) + " below TLSv1.2, and OS 26 no longer accepts \(text)")
    }
  }
}
