import Names

/// Findings about `NSPinnedDomains`.
extension ATSLinter {
  mutating func lintPinnedDomains(_ domains: PropertyValue) {
    guard let members = domains.members else {
      return warn(ATSKey.pinnedDomains, "\(ATSKey.pinnedDomains) is no dictionary and pins nothing")
    }
    if !profile.readsPinnedDomains, !members.isEmpty {
      warn(ATSKey.pinnedDomains, "OS \(profile.os) does not know \(ATSKey.pinnedDomains): it came with iOS 14")
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      lintPinnedDomain(key, value, path: "\(ATSKey.pinnedDomains).\(key)")
    }
  }

  private mutating func lintPinnedDomain(_ key: String, _ value: PropertyValue, path: String) {
    guard let host = try? Host(key), !key.contains("*"), !key.contains("/") else {
      return warn(path, "the key matches nothing: it is no host name")
    }
    if host.hasTrailingDot { warn(path, "the key matches nothing: hosts are compared without a trailing dot") }
    guard let entry = value.members else { return warn(path, "the entry is no dictionary and pins nothing") }
    if let subdomains = entry[ATSKey.subdomains] {
      switch subdomains {
      case .boolean(true): note(path, "\(ATSKey.subdomains) covers exactly one label more here, not any depth")
      case .boolean(false), .null: break
      default: warn("\(path).\(ATSKey.subdomains)", "the value is no Boolean and counts as false")
      }
    }
    let known: Set = [ATSKey.subdomains, ATSKey.pinnedLeaves, ATSKey.pinnedAuthorities]
    for other in entry.keys.sorted() where !known.contains(other) {
      warn("\(path).\(other)", "\(other) is no key of \(ATSKey.pinnedDomains) and has no effect")
    }
    let lists = [ATSKey.pinnedLeaves, ATSKey.pinnedAuthorities].filter { (entry[$0] ?? .null) != .null }
    if lists.isEmpty {
      warn(path, "neither \(known.sorted().dropFirst().joined(separator: " nor ")) is there: nothing is pinned")
    }
    for list in lists { lintIdentities(entry[list] ?? .null, path: "\(path).\(list)") }
  }

  private mutating func lintIdentities(_ value: PropertyValue, path: String) {
    var digests: Set<[UInt8]> = []
    for (index, element) in (value.elements ?? []).enumerated() {
      guard let text = element[ATSKey.digest]?.text else {
        warn("\(path)[\(index)]", "the element is no dictionary with \(ATSKey.digest) and is skipped")
        continue
      }
      guard let digest = Base64.decode(text) else {
        warn("\(path)[\(index)]", "\"\(text.prefix(64))\" is no base64 and is skipped")
        continue
      }
      if digest.count != 32 {
        warn("\(path)[\(index)]", "the digest has \(digest.count) bytes, SHA-256 has 32: it matches nothing")
      }
      digests.insert(digest)
    }
    if digests.isEmpty {
      warn(path, "the list has no digest that can be read, so every connection to this host fails")
    } else if digests.count == 1 {
      note(path, "there is one pin and no backup: a new key at the origin locks the app out")
    }
  }
}
