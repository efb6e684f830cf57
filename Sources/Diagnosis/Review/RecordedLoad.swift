import Names
import Policy
import Records

/// What a review knows of one recorded exchange. Equal ones are counted together.
public struct RecordedLoad: Sendable, Hashable {
  public enum Outcome: Sendable, Hashable {
    /// It came to an answer of the origin.
    case passed
    /// The policy of the time refused it.
    case refused
    /// The origin was not reached, or broke off; the name of the error.
    case failed(String)
  }

  public var load: ATSLoad
  public var outcome: Outcome
  /// What the record itself names as violated; includes what is known of certificates.
  public var violations: [String]
  /// False: App Transport Security was off when it was recorded, so nothing is known of the certificate.
  public var wasJudged: Bool

  public init(load: ATSLoad, outcome: Outcome, violations: [String] = [], wasJudged: Bool = true) {
    self.load = load
    self.outcome = outcome
    self.violations = violations
    self.wasJudged = wasJudged
  }

  /// nil: the record names no target that could be judged.
  init?(_ facts: RecordFacts) {
    guard let target = try? TargetURL(facts.url), target.host.text != "pinwarden.internal" else { return nil }
    load = ATSLoad(
      host: target.host, context: facts.context.flatMap { Context(rawValue: $0) } ?? .app,
      isSecure: target.scheme.isSecure,
      version: TLSVersion.allCases.first { $0.name == facts.origin?.tls?.version },
      cipherSuite: facts.origin?.tls?.cipher)
    violations = facts.ats?.violations ?? []
    wasJudged = facts.ats?.verdict != "off" || !target.scheme.isSecure
    outcome = Self.outcome(facts)
  }

  private static func outcome(_ facts: RecordFacts) -> Outcome {
    guard let error = facts.error else { return .passed }
    return facts.decision?.action == "deny" ? .refused : .failed(error.name ?? error.proxyStatus ?? "unknown error")
  }
}
