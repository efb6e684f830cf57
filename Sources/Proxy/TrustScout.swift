/// Learns whether an origin is trusted before a client's handshake goes on: for `onTrustFailure: refuse`, where the client must
/// see a failed handshake. The connection that it makes waits for the first exchange.
final class TrustScout: OriginWaiter {
  private let plan: OriginPlan
  private let worker: Worker
  private let done: (OriginFailure?) -> Void

  /// - Parameter done: called once, on the loop; nil when the origin is trusted.
  init(plan: OriginPlan, worker: Worker, done: @escaping (OriginFailure?) -> Void) {
    self.plan = plan
    self.worker = worker
    self.done = done
  }

  func start() {
    guard plan.idle.isEmpty, plan.sharedOrigin() == nil else { return done(nil) }
    let attempt = plan.attemptToJoin(.full) ?? OriginAttempt(plan: plan, worker: worker)
    attempt.claim(self)
    attempt.start()
  }

  func originReady(_ origin: OriginStream) {
    origin.giveBack()
    done(nil)
  }

  func originFailed(_ failure: OriginFailure) {
    done(failure)
  }
}
