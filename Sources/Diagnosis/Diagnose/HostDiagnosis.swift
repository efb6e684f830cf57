import Policy

/// Everything that a diagnosis found out about one origin, under the rules of one OS.
public struct HostDiagnosis: Sendable {
  public enum Verdict: String, Sendable {
    /// App Transport Security lets it pass without an exception.
    case passes
    /// It passes with one.
    case needsException = "needs-exception"
    /// No row passes.
    case fails
    case unreachable
  }

  public let target: DiagnosisTarget
  public let os: OSVersion
  /// Why nothing was heard of the origin; nil: it was reached.
  public var obstacle: Refusal?
  /// 16, or none where the origin was not reached.
  public var rows: [RowResult] = []
  /// nil: it showed no certificate.
  public var peer: PeerSummary?
  public var handshakes: [HandshakeNote] = []
  public var plainHTTP: PlainHTTP?
  public var redirects = RedirectTrail()
  public var chain: [ChainProblem] = []
  /// The smallest `NSAppTransportSecurity` that passes, with an entry for this host alone; empty: none is needed; nil: none passes.
  public var smallest: PropertyValue?
  /// nil: no Info.plist was given.
  public var policy: PolicyVerdict?
  public var configured: PolicyVerdict?

  init(target: DiagnosisTarget, os: OSVersion) {
    self.target = target
    self.os = os
  }

  public var verdict: Verdict {
    if obstacle != nil { return .unreachable }
    if rows.first?.result == .pass { return .passes }
    return rows.contains { $0.result == .pass } ? .needsException : .fails
  }
}
