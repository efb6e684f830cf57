import Configuration
import HTTP
import Names
import Pictures
import Policy
import Records

/// How an exchange fails: repeated, answered by us, or cut.
extension Exchange {
  /// Whether a failed request may be sent again (RFC 9110, section 9.2.2; RFC 9113, section 8.7).
  enum Retry {
    case never
    /// A kept connection ended without a byte of an answer.
    case ifIdempotent
    /// The origin said that it did not process the request.
    case always
  }

  /// How often a request that the origin did not process is sent again, each time on another connection.
  private static let retryLimit = 3

  /// The origin failed while the exchange used it.
  /// - Parameter code: what an HTTP/2 client is told when its answer is cut.
  func originBroke(_ failure: OriginFailure, retry: Retry, code: HTTP2ErrorCode) {
    if mayRepeat(retry), let plan {
      retryCount += 1
      if case .running(.http2(let refused)) = phase { refusing.append(refused.origin) }
      hasSentRequest = false
      return lease(plan, fresh: true)
    }
    cutCode = code
    originFailed(failure)
  }

  /// The origin speaks HTTP/2 and offers no extended CONNECT.
  func originDeclinesTunnel() {
    guard let plan, case .running(let origin) = phase else { return }
    if plan.declineTunnels() { return lease(plan) }
    originFailed(
      OriginFailure(
        refusal: .originSpokeNoHTTP(
          host: target.host, detail: "it speaks HTTP/2 alone, and does not offer WebSockets over it (RFC 8441)"),
        ats: origin.verdict?.ats, origin: origin.facts))
  }

  func mayRepeat(_ retry: Retry) -> Bool {
    guard !hasAnswered, spool != nil || framing == .none || request.byteCount == 0 else { return false }
    return switch retry {
    case .never: false
    case .ifIdempotent: retryCount == 0 && head.method.isIdempotent
    case .always: retryCount < Self.retryLimit
    }
  }

  func timedOut() {
    if case .following = phase {
      return refuse(.originSilent(host: target.host, after: connection.generation.configuration.limits.requestTimeout))
    }
    guard case .running(let origin) = phase else { return }
    if isTunnelOpen { return cut(.cancel) }
    let limits = connection.generation.configuration.limits
    // A body that the origin does not take is the origin's silence.
    let refusal: Refusal =
      stream.hasReadRequest || origin.isCongested
      ? .originSilent(host: target.host, after: limits.requestTimeout) : .requestTimeout(after: limits.requestTimeout)
    self.origin = origin.facts
    origin.abandon()
    phase = .new
    if hasAnswered {
      note(refusal)
      cut(.internalError)
    } else if !pictureFailed(OriginFailure(refusal: refusal)) {
      refuse(refusal)
    }
  }

  func clientVanished(_ detail: String = "The client ended the connection before the answer was complete.") {
    failure = ExchangeRecord.Failure(
      error: nil, proxyStatus: .connectionTerminated,
      detail: detail)
    if goOnWithoutClient() { return }
    leaveOrigin()
    finish()
  }

  /// The daemon ends before the exchange does.
  func abort() {
    failure = ExchangeRecord.Failure(
      error: .networkConnectionLost, proxyStatus: .connectionTerminated,
      detail: "The proxy was stopped before the answer was complete.")
    leaveOrigin()
    finish()
  }

  func refuse(_ refusal: Refusal) {
    note(refusal)
    refusedBy = refusal
    leaveOrigin()
    status = refusal.status
    hasAnswered = true
    let closes = !stream.hasReadRequest || refusal.status == 400 || isBypassedMeanwhile
    writeOwn(OwnAnswer(refusal, request: head, url: url.text, steps: steps(of: refusal)), closes: closes)
    finish()
    stream.exchangeEnded(keepsOpen: !closes)
  }

  func cut(_ code: HTTP2ErrorCode) {
    leaveOrigin()
    finish()
    stream.exchangeCut(code)
  }

  func leaveOrigin() {
    switch phase {
    case .waiting(let attempt): attempt.release(self)
    case .running(let origin):
      self.origin = self.origin ?? origin.facts
      ats = ats ?? origin.verdict?.ats
      origin.abandon()
    case .following(let following): following.fetch.leave(following.follower)
    case .stored, .new, .over: break
    }
  }

  func note(_ refusal: Refusal) {
    failure = ExchangeRecord.Failure(
      error: refusal.error, proxyStatus: refusal.proxyError, detail: refusal.detail)
  }

  /// The steps of the decision, for the answer; computed only now.
  func steps(of refusal: Refusal) -> [TracedStep] {
    guard let plan else { return [] }
    var facts = RequestFacts(scheme: scheme, host: target.host, port: target.port, context: context)
    if refusal.decidedBy == .loop { facts.loop = .via }
    var steps = plan.lane.policy.decide(facts, tracing: .on).steps
    guard let decidedBy = refusal.decidedBy, plan.decision.action != .deny else { return steps }
    steps.removeAll { $0.step == decidedBy }
    steps.append(TracedStep(step: decidedBy, outcome: "deny", reason: refusal.detail))
    return steps
  }
}
