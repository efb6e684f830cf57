import Names
import Policy

/// What happens when the certificate of an issuer is missing: the handshake was refused, the issuer is fetched, and only if the path is good
/// with it the origin is dialled once more.
extension OriginAttempt {
  /// - Parameter failure: what the waiters are told if nothing helps.
  /// - Returns: false: nothing is missing, or enough was tried.
  func fetchIssuer(or failure: OriginFailure) -> Bool {
    guard let location = judge.missingIssuer, issuerFetchCount < OriginPath.fetchLimit * OriginPath.fetchLimit else {
      return false
    }
    issuerFetchCount += 1
    beginFetchingIssuer(failure)
    worker.issuers.fetch(location, for: plan, worker: worker) { self.issuerFetched(failure) }
    return true
  }

  private func issuerFetched(_ failure: OriginFailure) {
    guard isFetchingIssuer else { return }
    judge.reconsider()
    if judge.verdict?.isAccepted == true { return dialAgain() }
    var failure = failure
    failure.refusal = judge.verdict?.refusal ?? failure.refusal
    failure.ats = judge.verdict?.ats
    if !fetchIssuer(or: failure) { fail(failure) }
  }
}
