import Names

/// Reads a `TSKConfiguration`, and rejects what TrustKit itself rejects when it starts.
public struct TrustKitReader {
  /// Errors, warnings and notes, with key paths from the root of the property list.
  public private(set) var findings: [Finding] = []
  private let now: Int64

  /// - Parameter now: seconds since 1970, for what has expired.
  public init(now: Int64) { self.now = now }

  /// Whether a property list has TrustKit's keys.
  public static func recognises(_ root: PropertyValue) -> Bool {
    root[TrustKitKey.configuration] != nil || root[TrustKitKey.domains] != nil
  }

  /// - Parameter root: of the property list: an Info.plist with `TSKConfiguration`, or that dictionary itself.
  /// - Returns: nil if an error is among the findings.
  public mutating func read(_ root: PropertyValue) -> TrustKitPins? {
    let nested = root[TrustKitKey.configuration]
    let path = nested == nil ? TrustKitKey.domains : "\(TrustKitKey.configuration).\(TrustKitKey.domains)"
    let configuration = nested ?? root
    guard let members = configuration[TrustKitKey.domains]?.members, !members.isEmpty else {
      report(.error, path, "TrustKit wants a dictionary with at least one domain here")
      return nil
    }
    if configuration[TrustKitKey.ignoresUserAnchors]?.truth == true {
      note(
        nested == nil
          ? TrustKitKey.ignoresUserAnchors : "\(TrustKitKey.configuration).\(TrustKitKey.ignoresUserAnchors)",
        "this has no effect here: pins count whoever installed the root")
    }
    var domains: [TrustKitPins.Domain] = []
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      if let domain = domain(key, value, "\(path).\(key)") { domains.append(domain) }
    }
    checkParents(domains, path)
    return findings.contains { $0.level == .error } ? nil : TrustKitPins(domains, app: ReportedApp(root))
  }

  // MARK: one domain

  private mutating func domain(_ key: String, _ value: PropertyValue, _ path: String) -> TrustKitPins.Domain? {
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

  // MARK: domains together

  /// An excluded domain needs one above it that it is excluded from.
  private mutating func checkParents(_ domains: [TrustKitPins.Domain], _ path: String) {
    let pins = TrustKitPins(domains.filter { !$0.isExcluded })
    for domain in domains where domain.isExcluded {
      guard let host = try? Host(domain.key), host.text == domain.key else { continue }
      guard pins.domain(for: host) == nil else { continue }
      report(
        .error, "\(path).\(domain.key)",
        "TrustKit rejects an excluded domain without a domain above it that has \(TrustKitKey.subdomains)")
    }
  }

  // MARK: findings

  private mutating func report(_ level: Finding.Level, _ path: String, _ message: String) {
    findings.append(Finding(level: level, keyPath: path, message: message))
  }

  private mutating func note(_ path: String, _ message: String) { report(.note, path, message) }

  private mutating func reject<Value>(_ path: String, _ message: String) -> Value? {
    report(.error, path, message)
    return nil
  }
}

extension PropertyValue {
  /// As `boolValue` of NSNumber reads it: every number but 0 is true; nil: no number.
  fileprivate var truth: Bool? {
    switch self {
    case .boolean(let value): value
    case .integer(let value): value != 0
    case .real(let value): value != 0
    default: nil
    }
  }
}
