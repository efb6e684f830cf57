import Names

/// The compiled policy of one lane: facts in, verdict out. Immutable; a class so that its identity can be compared.
///
/// `decide` settles what happens to a request before an origin is reached; `requirements` says what the origin must satisfy,
/// and judges it. Live traffic and `explain` call the same functions.
public final class LanePolicy: Sendable {
  public let lane: String
  public let ats: ATSPolicy
  /// `ats.os` as records show it.
  public let osText: String
  public let rules: HostRules
  /// By the names that rules use.
  public let trust: [String: TrustPolicy]
  /// Imported files, in the order of the configuration.
  public let imports: [ImportedPolicy]

  public init(
    lane: String, ats: ATSPolicy, rules: HostRules, trust: [String: TrustPolicy], imports: [ImportedPolicy] = []
  ) {
    self.lane = lane
    self.ats = ats
    osText = ats.os.description
    self.rules = rules
    self.trust = trust
    self.imports = imports
  }

  /// The same policy with other rules.
  public func replacing(rules: HostRules) -> LanePolicy {
    LanePolicy(lane: lane, ats: ats, rules: rules, trust: trust, imports: imports)
  }

  /// What an `https` origin must satisfy, with the attributes of the most specific rule.
  ///
  /// A rule whose trust policy does not exist is an error of the configuration; should one come here all the same, nothing
  /// satisfies it: certificate pinning without certificates.
  public func requirements(host: Host, port: UInt16, context: Context) -> OriginRequirements {
    let rule = rules.attributes(host: host, port: port)
    var requirements = OriginRequirements(
      host: host, port: port, atsMode: ats.mode, os: ats.os, ats: ats.requirements(host: host, context: context),
      trust: rule?.trust.map { trust[$0] ?? TrustPolicy(name: $0, pinning: .certificate) },
      pinned: ats.pinnedDomains.identities(for: host), rulePattern: rule?.pattern.text,
      onTrustFailure: rule?.onTrustFailure ?? .respond, identityNames: rule?.identities ?? [],
      http2: rule?.http2 ?? true, allowAddresses: rule?.allowAddresses ?? [])
    requirements.imports = imports.compactMap { $0.demand(host: host, port: port) }
    return requirements
  }
}
