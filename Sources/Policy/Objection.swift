/// One thing that is wrong with an origin, as a diagnosis lists it.
public struct Objection: Sendable, Hashable {
  /// Stable: the names of `ATSVerdict.violations` but for `trust`, in whose place the fault stands (`unknown-root`, `self-signed`,
  /// `expired`, `not-yet-valid`, `name-mismatch`, `wrong-purpose`, `invalid-authority`, `bad-signature`, `revoked`, `staple-missing`,
  /// `chain`, `weak-key`, `weak-signature`, `server-usage`, `lifetime`); `pin`, `certificate-transparency`, `client-certificate`, and
  /// `handshake` for one that failed for another reason.
  public var name: String
  /// What the app would get, and the words for people.
  public var refusal: Refusal
  /// What the app would find below its error; nil: App Transport Security has no part in it.
  public var secureTransport: SecureTransportError?

  public init(name: String, refusal: Refusal, secureTransport: SecureTransportError? = nil) {
    self.name = name
    self.refusal = refusal
    self.secureTransport = secureTransport
  }
}

extension ChainFault {
  /// As `Objection.name` has it.
  var name: String {
    switch self {
    case .unknownRoot: "unknown-root"
    case .selfSigned: "self-signed"
    case .expired: "expired"
    case .notYetValid: "not-yet-valid"
    case .nameMismatch: "name-mismatch"
    case .wrongPurpose: "wrong-purpose"
    case .invalidAuthority: "invalid-authority"
    case .badSignature: "bad-signature"
    case .revoked: "revoked"
    case .stapleMissing: "staple-missing"
    case .other: "chain"
    }
  }
}

extension SSLPolicyFault {
  /// As `Objection.name` has it.
  var name: String {
    switch self {
    case .weakKey: "weak-key"
    case .weakSignature: "weak-signature"
    case .namesNoServers: "server-usage"
    case .livesTooLong: "lifetime"
    }
  }
}
