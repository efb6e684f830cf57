import Bytes
import Names

/// Findings about `NSPinnedDomains`.
extension ATSLinter {
  private static let lists = [ATSKey.pinnedLeaves, ATSKey.pinnedAuthorities]

  mutating func lintPinnedDomains(_ domains: PropertyValue) {
    guard let members = domains.members else {
      return warn(
        ATSKey.pinnedDomains,
        "\(ATSKey.pinnedDomains) is no dictionary and pins nothing; write a dictionary with an entry for each domain")
    }
    if !profile.readsPinnedDomains, !members.isEmpty {
      warn(
        ATSKey.pinnedDomains,
        "OS \(profile.os) does not know \(ATSKey.pinnedDomains), which came with iOS 14: nothing is pinned there; pin in `trust` as well"
      )
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      lintPinnedDomain(key, value, path: "\(ATSKey.pinnedDomains).\(key)")
    }
  }

  private mutating func lintPinnedDomain(_ key: String, _ value: PropertyValue, path: String) {
    if let reason = Self.reasonToMatchNothing(key) {
      return warn(path, "\"\(key)\" pins nothing: \(reason)")
    }
    guard !key.contains("/"), let host = try? Host(key) else {
      return warn(path, "\"\(key)\" pins nothing: ranges of addresses cannot be pinned; name a host")
    }
    if host.hasTrailingDot {
      warn(
        path, "\"\(key)\" pins nothing: hosts are compared without their trailing dot; write \"\(host.text)\"")
    }
    guard let entry = value.members else {
      return warn(path, "the entry of \(key) is no dictionary and pins nothing; write a dictionary")
    }
    lintPinnedSubdomains(key, entry, path: path)
    let known = Set(Self.lists + [ATSKey.subdomains])
    for other in entry.keys.sorted() where !known.contains(other) {
      lintUnknown(other, path: "\(path).\(other)", place: ATSKey.pinnedDomains, known: known)
    }
    lintLists(key, entry, path: path)
    if let exception = policy.exception(for: host), exception.permitsPlainHTTP {
      note(
        path, "\(exception.place(for: host)) permits plain HTTP to \(key), where pins protect nothing; take that away")
    }
  }

  private mutating func lintPinnedSubdomains(_ key: String, _ entry: [String: PropertyValue], path: String) {
    let path = "\(path).\(ATSKey.subdomains)"
    switch entry[ATSKey.subdomains] {
    case nil, .null, .boolean(false): return
    case .boolean(true):
      note(
        path,
        "\(ATSKey.subdomains) pins exactly one label more than \(key), not any depth as in \(ATSKey.exceptionDomains); give deeper hosts "
          + "entries of their own")
    default: warn(path, "\(ATSKey.subdomains) is no Boolean and counts as false; write true or false")
    }
  }

  private mutating func lintLists(_ key: String, _ entry: [String: PropertyValue], path: String) {
    let present = Self.lists.filter { (entry[$0] ?? .null) != .null }
    for list in present { lintIdentities(entry[list] ?? .null, list: list, key: key, path: "\(path).\(list)") }
    if present.isEmpty {
      warn(
        path,
        "\(key) has neither \(Self.lists.joined(separator: " nor ")): nothing is pinned; add one of them, or take the entry away"
      )
    }
    if present.count == 2 {
      note(
        path,
        "\(key) has both \(Self.lists.joined(separator: " and ")): a chain must match both lists; take one away if either is to do"
      )
    }
  }

  private mutating func lintIdentities(_ value: PropertyValue, list: String, key: String, path: String) {
    if value.elements == nil {
      return warn(
        path,
        "\(list) of \(key) is no list, so every connection to \(key) fails; write a list of \(ATSKey.digest) entries")
    }
    var digests: Set<[UInt8]> = []
    for (index, element) in (value.elements ?? []).enumerated() {
      if let digest = lintIdentity(element, path: "\(path)[\(index)]") { digests.insert(digest) }
    }
    if digests.isEmpty {
      warn(
        path,
        "\(list) of \(key) has no digest that can be read, so every connection to \(key) fails; add one (`pinwarden pins FILE`)"
      )
    } else if digests.count == 1 {
      note(
        path,
        "\(list) of \(key) has one pin and no backup: a new key at the origin locks the app out; add the pin of a spare key"
      )
    }
  }

  private mutating func lintIdentity(_ element: PropertyValue, path: String) -> [UInt8]? {
    guard let text = element[ATSKey.digest]?.text else {
      warn(path, "the element is no dictionary with a text for \(ATSKey.digest) and is skipped; write one")
      return nil
    }
    guard let digest = Base64.decode(text) else {
      warn(path, "\(ATSKey.digest) is no base64, \"\(text.prefix(64))\", and is skipped; write the base64 of a SHA-256")
      return nil
    }
    if digest.count != 32 {
      warn(
        path,
        "\(ATSKey.digest) has \(digest.count) bytes, SHA-256 has 32: it matches nothing; write the digest of the SubjectPublicKeyInfo"
      )
    }
    return digest
  }
}
