import Names

/// Everything that policy asks of the connection to one origin, put together from ATS, the rule and its trust policy.
///
/// A value: two requests with equal requirements may share a connection. The facts of a connection are judged by `judge(_:)`.
public struct OriginRequirements: Sendable, Hashable {
  public var host: Host
  public var port: UInt16
  public var atsMode: ATSMode
  public var os: OSVersion
  public var ats: ATSRequirements
  /// nil: the system's validation, strictly.
  public var trust: TrustPolicy?
  /// What `NSPinnedDomains` says of the host, in every `atsMode`; nil: not pinned.
  public var pinned: PinnedIdentities?
  /// What imported files say of the host; all of them must be satisfied.
  public var imports: [ImportDemand] = []
  /// The pattern of the rule that these come from, as written.
  public var rulePattern: String?
  public var onTrustFailure: TrustFailureMode
  /// Client identities that may be shown to the origin, best first.
  public var identityNames: [String]
  /// Whether HTTP/2 may be offered.
  public var http2: Bool
  /// Exempt from the target guard.
  public var allowAddresses: [CIDR]

  public init(
    host: Host, port: UInt16, atsMode: ATSMode, os: OSVersion, ats: ATSRequirements, trust: TrustPolicy? = nil,
    pinned: PinnedIdentities? = nil, rulePattern: String? = nil, onTrustFailure: TrustFailureMode = .respond,
    identityNames: [String] = [], http2: Bool = true, allowAddresses: [CIDR] = []
  ) {
    self.host = host
    self.port = port
    self.atsMode = atsMode
    self.os = os
    self.ats = ats
    self.trust = trust
    self.pinned = pinned
    self.rulePattern = rulePattern
    self.onTrustFailure = onTrustFailure
    self.identityNames = identityNames
    self.http2 = http2
    self.allowAddresses = allowAddresses
  }

  /// What to offer the origin: what the profile offers where it is enforced, so that an origin with a choice makes a permitted one; else
  /// everything, so that a violation is seen. `minimum` is never above `maximum`.
  /// `signatureAlgorithms` empty: what the library offers.
  public var offer: (minimum: TLSVersion, maximum: TLSVersion, cipherSuites: [String], signatureAlgorithms: [String]) {
    let offered = atsMode == .enforce ? ats : .unrestricted(os: os)
    return (offered.offeredMinimum, offered.offeredMaximum, offered.cipherSuites, offered.signatureAlgorithms)
  }

  /// Whether the judgement needs `PeerFacts.pinnedEvaluation`.
  public var wantsPinnedEvaluation: Bool {
    guard let trust else { return false }
    return trust.pinning == .certificate && !trust.certificates.isEmpty
  }

  /// `a.test:443`, for texts.
  var place: String { "\(host.bracketed):\(port)" }
}
