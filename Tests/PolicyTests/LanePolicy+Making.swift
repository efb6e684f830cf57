import Names
import Policy

/// How the tests of the decision make a policy and ask it.
extension LanePolicy {
  static func make(
    hosts: [(String, RuleAction?)] = [], whitelist: [String] = [], emptyWhitelist: EmptyWhitelist = .intercept,
    default: RuleAction = .intercept, mode: ATSMode = .enforce, plainHosts: [String] = []
  ) throws -> LanePolicy {
    try make(
      rules: HostRules(
        hosts: hosts.map { HostRule(pattern: try HostPattern($0.0), action: $0.1) },
        whitelist: whitelist.map { try WebOrigin($0) }, emptyWhitelist: emptyWhitelist, default: `default`),
      mode: mode, plainHosts: plainHosts)
  }

  /// `plainHosts` have an exception for plain HTTP.
  static func make(
    rules: HostRules, mode: ATSMode = .enforce, plainHosts: [String] = [], pinnedHosts: [String] = [],
    trust: [String: TrustPolicy] = [:]
  ) throws -> LanePolicy {
    let permission = PropertyValue.dictionary(["NSExceptionAllowsInsecureHTTPLoads": .boolean(true)])
    let pins = PropertyValue.dictionary(["NSPinnedLeafIdentities": .array([])])
    let dictionary = PropertyValue.dictionary([
      "NSExceptionDomains": .dictionary(Dictionary(uniqueKeysWithValues: plainHosts.map { ($0, permission) })),
      "NSPinnedDomains": .dictionary(Dictionary(uniqueKeysWithValues: pinnedHosts.map { ($0, pins) })),
    ])
    guard let os = OSVersion("18.4") else { throw NameFault.empty }
    return LanePolicy(
      lane: "default", ats: ATSPolicy(dictionary: dictionary, os: os, mode: mode, builtInExceptions: false),
      rules: rules, trust: trust)
  }

  func decide(_ url: String, tracing: Tracing = .off, _ change: (inout RequestFacts) -> Void = { _ in }) throws
    -> Decision
  {
    let url = try TargetURL(url)
    var facts = RequestFacts(scheme: url.scheme, host: url.host, port: url.port, context: .app)
    change(&facts)
    return decide(facts, tracing: tracing)
  }
}
