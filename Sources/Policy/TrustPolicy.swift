/// A named trust policy (contract, section 2: `trust`): the switches of AFSecurityPolicy, and pins.
///
/// Anchors are not here: they went into the evaluation that a judgement gets as a fact.
public struct TrustPolicy: Sendable, Hashable {
  public var name: String
  public var pinning: PinningMode
  public var certificates: [CertificateFacts]
  /// Any certificate of the validated chain may match; they count whatever `pinning` says.
  public var pins: [Pin]
  /// Effective only where ATS is off for the host or it has an exception with `NSExceptionAllowsInsecureHTTPLoads`.
  public var allowInvalidCertificates: Bool
  /// False is effective only where `allowInvalidCertificates` would be.
  public var validatesDomainName: Bool
  /// Every certificate of the chain must be pinned, as AFNetworking 2 did.
  public var validatesCertificateChain: Bool
  /// From this moment on (seconds since 1970) pins and certificates are not looked at, and the system's validation decides.
  public var expires: Int64?
  /// False: a pin that does not match is reported and lets pass; an invalid chain is refused all the same.
  public var enforce: Bool
  public var reportURIs: [String]
  /// nil: not required.
  public var transparency: TransparencyRequirement?
  /// Whether issuers that the origin does not send are fetched from where its certificates say.
  public var fetchIntermediates: Bool

  public init(
    name: String, pinning: PinningMode = .none, certificates: [CertificateFacts] = [], pins: [Pin] = [],
    allowInvalidCertificates: Bool = false, validatesDomainName: Bool = true, validatesCertificateChain: Bool = false,
    expires: Int64? = nil, enforce: Bool = true, reportURIs: [String] = [],
    transparency: TransparencyRequirement? = nil, fetchIntermediates: Bool = false
  ) {
    self.name = name
    self.pinning = pinning
    self.certificates = certificates
    self.pins = pins
    self.allowInvalidCertificates = allowInvalidCertificates
    self.validatesDomainName = validatesDomainName
    self.validatesCertificateChain = validatesCertificateChain
    self.expires = expires
    self.enforce = enforce
    self.reportURIs = reportURIs
    self.transparency = transparency
    self.fetchIntermediates = fetchIntermediates
  }
}

extension TrustPolicy {
  /// What holds where a rule names no trust policy: the system's validation.
  static let system = TrustPolicy(name: "")

  /// The policy as it counts at `now` for a destination where trust may be loosened or not.
  ///
  /// When pins expire, so does the permission to accept what only they vouched for.
  func effective(at now: Int64, mayLoosen: Bool) -> TrustPolicy {
    var policy = self
    if !mayLoosen {
      policy.allowInvalidCertificates = false
      policy.validatesDomainName = true
    }
    if let expires, expires < now, pinning != .none || !pins.isEmpty {
      policy.pinning = .none
      policy.certificates = []
      policy.pins = []
      policy.allowInvalidCertificates = false
    }
    return policy
  }

  /// How texts and records call it.
  var place: String { "trust.\(name)" }
}
