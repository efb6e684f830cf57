extension ATSPolicy {
  /// What in the dictionary does not do what its author may have thought, and what App Review asks about (spec A.7).
  ///
  /// Warnings and notes only; key paths are relative to the dictionary, such as `NSExceptionDomains.a.test`. In a fixed order.
  public func lint() -> [Finding] {
    var linter = ATSLinter(profile: profile)
    linter.lint(dictionary)
    return linter.findings
  }
}

/// Collects findings about one dictionary.
struct ATSLinter {
  let profile: ATSProfile
  private(set) var findings: [Finding] = []

  init(profile: ATSProfile) { self.profile = profile }

  mutating func warn(_ keyPath: String, _ message: String) {
    findings.append(Finding(level: .warning, keyPath: keyPath, message: message))
  }

  mutating func note(_ keyPath: String, _ message: String) {
    findings.append(Finding(level: .note, keyPath: keyPath, message: message))
  }

  mutating func lint(_ dictionary: PropertyValue) {
    guard let members = dictionary.members else {
      if dictionary != .null { warn("", "NSAppTransportSecurity is no dictionary and is ignored: ATS is fully on") }
      return
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) where value != .null { lintGlobal(key, value) }
    lintArbitraryLoads(members)
    if let domains = members[ATSKey.exceptionDomains], domains != .null { lintDomains(domains) }
    if let domains = members[ATSKey.pinnedDomains], domains != .null { lintPinnedDomains(domains) }
  }

  private mutating func lintGlobal(_ key: String, _ value: PropertyValue) {
    switch key {
    case ATSKey.exceptionDomains, ATSKey.pinnedDomains: return
    case ATSKey.niap:
      lintNIAP(key, value)
    case ATSKey.arbitraryLoads:
      lintFlag(key, value, absent: "false")
    case ATSKey.mediaOfBetas:
      warn(key, "\(key) is the name of early betas and devices ignore it; it is read as \(ATSKey.media) here")
      lintScoped(key, value)
    case ATSKey.media, ATSKey.webContent, ATSKey.localNetworking:
      lintScoped(key, value)
    default:
      let hint = ATSKey.exceptions.contains(key) ? "; it belongs into an entry of \(ATSKey.exceptionDomains)" : ""
      warn(key, "\(key) is no key of NSAppTransportSecurity and has no effect\(hint)")
    }
  }

  private mutating func lintScoped(_ key: String, _ value: PropertyValue) {
    lintFlag(key, value, absent: "absent")
    if !profile.readsScopedGlobals { note(key, "OS \(profile.os) does not know \(key): it came with iOS 10") }
    if key != ATSKey.localNetworking, value.flag == true { note(key, Self.justification(key)) }
  }

  mutating func lintNIAP(_ path: String, _ value: PropertyValue) {
    if !profile.readsNIAP { note(path, "OS \(profile.os) does not know this key: it came with iOS 26.4") }
    guard let text = value.text, ["none", "FCP_v2.1", "recommended"].contains(text) else {
      return warn(path, "the value must be \"none\", \"FCP_v2.1\" or \"recommended\"; it is ignored")
    }
    if text != "none" {
      note(path, "of this package only the cipher suites are enforced; extended master secret is not looked at")
    }
  }

  /// Flags are numbers of which 1 alone is true.
  mutating func lintFlag(_ path: String, _ value: PropertyValue, absent: String) {
    switch value {
    case .boolean, .integer(0), .integer(1), .real(0), .real(1), .null: return
    case .integer, .real: warn(path, "the number is neither 0 nor 1 and counts as false; write true or false")
    case .string, .data, .date, .array, .dictionary:
      warn(path, "the value is no Boolean and is ignored (counts as \(absent)); write true or false")
    }
  }

  private mutating func lintArbitraryLoads(_ members: [String: PropertyValue]) {
    let key = ATSKey.arbitraryLoads
    guard members[key]?.flag == true else { return }
    note(key, Self.justification(key))
    let globals = ATSGlobals(.dictionary(members), profile)
    if let other = globals.scopedKey {
      let written = members[other] == nil ? ATSKey.mediaOfBetas : other
      warn(key, "\(key) has no effect on iOS 10 and later because \(written) is present, whatever its value")
    }
    let tightening = (members[ATSKey.exceptionDomains]?.members ?? [:]).filter {
      $0.value.members != nil && $0.value[ATSKey.insecureHTTP]?.flag != true
    }
    if !tightening.isEmpty {
      let names = tightening.keys.sorted().prefix(3).joined(separator: ", ")
      note(
        key,
        "\(key) does not apply to the domains that \(ATSKey.exceptionDomains) lists: ATS stays on for \(names)"
          + (tightening.count > 3 ? " and \(tightening.count - 3) more" : ""))
    }
  }

  static func justification(_ key: String) -> String { "App Review asks for a justification of \(key)" }
}
