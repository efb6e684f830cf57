import Names

/// One entry of `NSExceptionDomains`, read; the requirements are worked out once, so that a look-up answers without computing.
///
/// Immutable; a class so that a decision hands on a reference and copies nothing.
final class DomainException: Sendable {
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

  convenience init(key: String, members: [String: PropertyValue], profile: ATSProfile) {
    func value(_ key: String) -> PropertyValue? {
      let names = [key] + (profile.readsAliases ? ATSKey.aliases(of: key) : [])
      return names.lazy.compactMap { members[$0] }.first { $0 != .null }
    }
    let permitsPlainHTTP = value(ATSKey.insecureHTTP)?.flag ?? false
    self.init(
      key: key, isBuiltIn: false, permitsPlainHTTP: permitsPlainHTTP,
      includesSubdomains: members[ATSKey.subdomains]?.flag ?? false,
      requirements: ATSRequirements(
        profile, minimum: value(ATSKey.minimumTLS)?.text.flatMap { Self.version($0, profile) },
        forwardSecrecy: value(ATSKey.forwardSecrecy)?.flag ?? true, permitsPlainHTTP: permitsPlainHTTP,
        niap: profile.niapPackage(members[ATSKey.exceptionNIAP])))
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
