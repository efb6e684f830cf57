import Bytes
import Names

/// One entry of `TSKPinnedDomains`.
extension TrustKitReader {
  mutating func domain(_ key: String, _ value: PropertyValue, _ path: String) -> TrustKitPins.Domain? {
    var domain = TrustKitPins.Domain(key: key)
    guard let members = value.members else { return reject(path, "a dictionary is expected") }
    guard checkName(&domain, path) else { return nil }
    checkKeys(members, path)
    domain.isExcluded = TrustKitKey.exclude.contains { members[$0]?.truth == true }
    if domain.isExcluded {
      let others = members.keys.filter { !TrustKitKey.exclude.contains($0) }.sorted()
      guard others.isEmpty else {
        return reject(path, "an excluded domain has no other keys, but there are \(others.joined(separator: ", "))")
      }
      return domain
    }
    domain.enforce = flag(members, TrustKitKey.enforce, path) ?? true
    domain.includesSubdomains = flag(members, TrustKitKey.subdomains, path) ?? false
    domain.pins = pins(members[TrustKitKey.hashes], "\(path).\(TrustKitKey.hashes)", isEnforced: domain.enforce)
    domain.expires = expiry(members[TrustKitKey.expiration], "\(path).\(TrustKitKey.expiration)")
    domain.reportURIs = reportURIs(members[TrustKitKey.reportURIs], "\(path).\(TrustKitKey.reportURIs)")
    if domain.includesSubdomains, domain.suffix.map({ $0.utf8.count == key.utf8.count }) == true {
      report(.error, path, "`\(key)` is a public suffix, and TrustKit rejects \(TrustKitKey.subdomains) for those")
    }
    return domain
  }

  /// False: the key can be given up, an error or a key that never matches.
  private mutating func checkName(_ domain: inout TrustKitPins.Domain, _ path: String) -> Bool {
    let key = domain.key
    if key.utf8.contains(UInt8(ascii: "*")) {
      report(
        .warning, path,
        "this key never matches: TrustKit has no wildcards; write the name alone with \(TrustKitKey.subdomains)")
      return false
    }
    guard let host = try? Host(key), host.address == nil else {
      report(.error, path, "`\(key.prefix(100))` is no domain name; one without scheme, port and path is expected")
      return false
    }
    guard let suffix = PublicSuffixes.suffix(of: host) else {
      report(.error, path, "TrustKit rejects `\(key)`: no public suffix is known that it ends in")
      return false
    }
    if host.text != key {
      report(.warning, path, "this key never matches: TrustKit compares bytes, and hosts are written `\(host.text)`")
      return true
    }
    domain.suffix = suffix
    return true
  }

  private mutating func checkKeys(_ members: [String: PropertyValue], _ path: String) {
    for key in members.keys.sorted() where !TrustKitKey.exclude.contains(key) {
      let path = "\(path).\(key)"
      switch key {
      case TrustKitKey.disablesDefaultReports:
        note(path, "this has no effect here: reports go only to the addresses of \(TrustKitKey.reportURIs)")
      case TrustKitKey.algorithms: note(path, "this has no effect: TrustKit no longer needs it, nor does pinwarden")
      case TrustKitKey.additionalAnchors:
        report(
          .warning, path,
          "these anchors are not trusted here: an import only tightens; name them in `anchors` of a trust policy")
      case _ where TrustKitKey.ofDomain.contains(key): break
      default: report(.warning, path, "TrustKit knows no such key, so it has no effect")
      }
    }
  }

  private mutating func flag(_ members: [String: PropertyValue], _ key: String, _ path: String) -> Bool? {
    guard let value = members[key] else { return nil }
    return value.truth ?? reject("\(path).\(key)", "true or false is expected")
  }

  private mutating func pins(_ value: PropertyValue?, _ path: String, isEnforced: Bool) -> Set<Pin> {
    guard let elements = value?.elements else {
      report(.error, path, "TrustKit wants a list of base64 digests here")
      return []
    }
    var pins: Set<Pin> = []
    for (index, element) in elements.enumerated() {
      let digest: [UInt8]?
      switch element {
      case .string(let text): digest = Base64.decode(text)
      case .data(let bytes): digest = bytes
      default: digest = nil
      }
      if let pin = digest.flatMap(Pin.init(digest:)) {
        pins.insert(pin)
      } else {
        report(
          .error, "\(path)[\(index)]",
          "\(element.text.map { "`\($0.prefix(100))`" } ?? "this") is not the base64 of 32 bytes, as TrustKit wants it")
      }
    }
    let needed = isEnforced ? 2 : 1
    if pins.count < needed {
      report(
        .error, path,
        "TrustKit wants \(needed == 2 ? "two different pins at least (the second is the backup)" : "one pin at least"), "
          + "and there \(pins.count == 1 ? "is 1" : "are \(pins.count)")")
    } else if pins.count == 1 {
      note(path, "there is one pin and no backup")
    }
    return pins
  }

  private mutating func expiry(_ value: PropertyValue?, _ path: String) -> Int64? {
    guard let value else { return nil }
    guard let seconds = value.text.flatMap(CalendarDay.secondsSince1970) else {
      return reject(path, "a day such as 2030-01-31 is expected, as text")
    }
    if seconds < now { report(.warning, path, "this day is over, so the domain is no longer pinned") }
    return seconds
  }

  private mutating func reportURIs(_ value: PropertyValue?, _ path: String) -> [String] {
    guard let value else { return [] }
    guard let elements = value.elements else { return reject(path, "a list of URLs is expected") ?? [] }
    return elements.enumerated().compactMap { index, element in
      let place = "\(path)[\(index)]"
      guard let text = element.text, let url = try? TargetURL(text) else {
        return reject(place, "an absolute URL is expected")
      }
      guard url.isFitForReports else {
        report(.warning, place, "nothing is sent there: reports go to https URLs, or to http ones on loopback")
        return nil
      }
      return text
    }
  }
}
