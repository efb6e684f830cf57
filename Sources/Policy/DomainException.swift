import Names

/// One entry of `NSExceptionDomains`, read; the requirements are worked out once, so that a look-up answers without computing.
struct DomainException: Sendable {
  /// The key as written.
  let key: String
  let isBuiltIn: Bool
  let permitsPlainHTTP: Bool
  let includesSubdomains: Bool
  let requirements: ATSRequirements

  /// `NSExceptionMinimumTLSVersion`'s value: exact and case-sensitive; nil for every other text, which then changes nothing.
  static func version(_ text: String, _ profile: ATSProfile) -> TLSVersion? {
    TLSVersion.allCases.first { $0.name == text && $0 <= profile.highestTLS }
  }

  init(key: String, members: [String: PropertyValue], profile: ATSProfile) {
    func value(_ key: String) -> PropertyValue? {
      if let plain = members[key] { return plain }
      guard profile.readsAliases else { return nil }
      return ATSKey.aliases(of: key).lazy.compactMap { members[$0] }.first
    }
    let permitsPlainHTTP = value(ATSKey.insecureHTTP)?.flag ?? false
    self.init(
      key: key, isBuiltIn: false, permitsPlainHTTP: permitsPlainHTTP,
      includesSubdomains: members[ATSKey.subdomains]?.flag ?? false,
      requirements: ATSRequirements(
        profile, minimum: value(ATSKey.minimumTLS)?.text.flatMap { Self.version($0, profile) },
        forwardSecrecy: value(ATSKey.forwardSecrecy)?.flag ?? true, permitsPlainHTTP: permitsPlainHTTP,
        niap: profile.asksForNIAP(members[ATSKey.exceptionNIAP])))
  }

  private init(
    key: String, isBuiltIn: Bool, permitsPlainHTTP: Bool, includesSubdomains: Bool, requirements: ATSRequirements
  ) {
    self.key = key
    self.isBuiltIn = isBuiltIn
    self.permitsPlainHTTP = permitsPlainHTTP
    self.includesSubdomains = includesSubdomains
    self.requirements = requirements
  }

  /// Apple's exceptions for domains of its own, which every app has (spec A.5).
  static func builtIns(_ profile: ATSProfile) -> [DomainException] {
    let minima: [(String, TLSVersion)] = [
      ("apple.com", .v12), ("setup.icloud.com", .v12), ("ls.apple.com", .v10), ("gs.apple.com", .v10),
      ("geo.apple.com", .v10), ("is.autonavi.com", .v10), ("apple-mapkit.com", .v10),
    ]
    return minima.map { key, minimum in
      DomainException(
        key: key, isBuiltIn: true, permitsPlainHTTP: true, includesSubdomains: true,
        requirements: ATSRequirements(profile, minimum: minimum, forwardSecrecy: false, permitsPlainHTTP: true))
    }
  }
}

extension ATSProfile {
  /// `NSRequiresNIAPTLSPackageVersion` and its counterpart in exceptions. Of the package the suites are enforced; extended master secret and
  /// signature algorithms of the handshake are not known to the proxy.
  func asksForNIAP(_ value: PropertyValue?) -> Bool {
    guard readsNIAP, let text = value?.text else { return false }
    return text == "FCP_v2.1" || text == "recommended"
  }
}
