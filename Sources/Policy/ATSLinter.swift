import Names

extension ATSPolicy {
  /// What in the dictionary does not do what its author may have thought, and what App Review asks about (spec A.7).
  ///
  /// Warnings and notes only; each says what really happens and what to write instead. Key paths are relative to the dictionary, such as
  /// `NSExceptionDomains.a.test`. In a fixed order.
  ///
  /// - Parameter hosts: hosts that the app is known to reach, for findings about the depth at which an entry covers them.
  public func lint(naming hosts: [Host] = []) -> [Finding] {
    var linter = ATSLinter(self)
    linter.lint(dictionary)
    linter.lintDepth(of: hosts)
    return linter.findings
  }
}

/// Collects findings about one dictionary.
struct ATSLinter {
  let policy: ATSPolicy
  private(set) var findings: [Finding] = []

  init(_ policy: ATSPolicy) { self.policy = policy }

  var profile: ATSProfile { policy.profile }

  mutating func warn(_ keyPath: String, _ message: String) {
    findings.append(Finding(level: .warning, keyPath: keyPath, message: message))
  }

  mutating func note(_ keyPath: String, _ message: String) {
    findings.append(Finding(level: .note, keyPath: keyPath, message: message))
  }

  mutating func lint(_ dictionary: PropertyValue) {
    guard let members = dictionary.members else {
      if dictionary != .null {
        warn("", "NSAppTransportSecurity is no dictionary and is ignored: ATS is fully on; write a dictionary")
      }
      return
    }
    if !profile.hasATS { lintExemption(members) }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) where value != .null { lintGlobal(key, value) }
    lintArbitraryLoads(members)
    if let domains = members[ATSKey.exceptionDomains], domains != .null { lintDomains(domains) }
    if let domains = members[ATSKey.pinnedDomains], domains != .null { lintPinnedDomains(domains) }
  }

  private mutating func lintExemption(_ members: [String: PropertyValue]) {
    guard members.keys.contains(where: { $0 != ATSKey.pinnedDomains }) else { return }
    if let sdk = profile.sdk, !sdk.hasATS {
      warn(
        "",
        "the app was built with the SDK \(sdk.name), which App Transport Security exempts: its keys have no effect, and plain HTTP "
          + "is permitted everywhere; build it with a newer SDK")
    } else {
      note(
        "",
        "OS \(profile.os) is older than App Transport Security: its keys have no effect, and plain HTTP is permitted everywhere; "
          + "name a later system in ats.os")
    }
  }

  /// Flags are numbers of which 1 alone is true. `key` is the last part of the path.
  mutating func lintFlag(_ key: String, _ value: PropertyValue, path: String, absent: String) {
    switch value {
    case .boolean, .integer(0), .integer(1), .real(0), .real(1), .null: return
    case .integer, .real:
      warn(path, "\(key) is a number that is neither 0 nor 1, which counts as false; write true or false")
    case .string, .data, .date, .array, .dictionary:
      warn(path, "\(key) is no Boolean and is ignored (counts as \(absent)); write true or false")
    }
  }

  mutating func lintNIAP(_ key: String, _ value: PropertyValue, path: String) {
    if !profile.readsNIAP {
      note(path, "OS \(profile.os) does not know \(key), which came with iOS 26.4: it has no effect")
    }
    guard let text = value.text, text == "none" || NIAPPackage(rawValue: text) != nil else {
      return warn(path, "\(key) is ignored; write \"none\", \"FCP_v2.1\" or \"recommended\"")
    }
  }

  /// A key that nobody reads at its place.
  mutating func lintUnknown(_ key: String, path: String, place: String, known: Set<String>, hint: String = "") {
    let near = NearestKey.find(key, among: known.sorted()).map { "; did you mean \($0)?" }
    warn(path, "\(key) is no key of \(place) and has no effect\(hint.isEmpty ? near ?? "" : "; \(hint)")")
  }

  static func justification(_ key: String) -> String { "App Review asks for a justification of \(key)" }
}
