/// What ATS says of an origin that was reached (contract, section 5: `ats`).
public struct ATSVerdict: Sendable, Hashable {
  public enum Outcome: String, Sendable { case pass, fail, off }

  public var outcome: Outcome
  /// Names of what was violated: `cleartext`, `minimum-tls`, `forward-secrecy`, `cipher-suite`, `extended-master-secret`,
  /// `signature-algorithm`, `key-size`, `leaf-signature-hash`, `chain-signature-hash`, `trust`.
  public var violations: [String]

  public init(outcome: Outcome, violations: [String] = []) {
    self.outcome = outcome
    self.violations = violations
  }
}

/// The mismatch of a pin set that only reports (`enforce: false`).
public struct PinMismatch: Sendable, Hashable {
  /// What the pins belong to: `trust.cgtn`, or a file and its format, such as `t.plist: trustkit`.
  public var source: String
  /// `sha256/…` of each certificate of the chain.
  public var seen: [String]

  public init(source: String, seen: [String]) {
    self.source = source
    self.seen = seen
  }
}

/// The judgement of one origin connection; kept on it.
public struct TrustVerdict: Sendable {
  public var ats: ATSVerdict
  /// Why the origin is refused; nil: accepted.
  public var refusal: Refusal?
  /// `sha256/…` of each certificate of the chain that counts, leaf first.
  public var pins: [String]
  /// The pin that matched, as configured.
  public var matchedPin: String?
  public var reported: [PinMismatch]
  /// Pin sets that did not fit, enforced or not, and want that reported to an address.
  public var failures: [PinFailure] = []
  /// The refusal is about a pin that did not match.
  public var isPinMismatch = false
  /// nil: no policy asks for it.
  public var transparency: TransparencyVerdict?

  public var isAccepted: Bool { refusal == nil }

  public init(
    ats: ATSVerdict, refusal: Refusal? = nil, pins: [String] = [], matchedPin: String? = nil,
    reported: [PinMismatch] = []
  ) {
    self.ats = ats
    self.refusal = refusal
    self.pins = pins
    self.matchedPin = matchedPin
    self.reported = reported
  }
}
