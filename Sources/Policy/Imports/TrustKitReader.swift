import Names

/// Reads a `TSKConfiguration`, and rejects what TrustKit itself rejects when it starts.
public struct TrustKitReader {
  /// Errors, warnings and notes, with key paths from the root of the property list.
  public private(set) var findings: [Finding] = []
  let now: Int64

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

  mutating func report(_ level: Finding.Level, _ path: String, _ message: String) {
    findings.append(Finding(level: level, keyPath: path, message: message))
  }

  mutating func note(_ path: String, _ message: String) { report(.note, path, message) }

  mutating func reject<Value>(_ path: String, _ message: String) -> Value? {
    report(.error, path, message)
    return nil
  }
}
