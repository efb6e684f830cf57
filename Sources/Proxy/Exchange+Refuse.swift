import HTTP
import Policy

/// `onTrustFailure: refuse` once the device's handshake is done: the origin was trusted then, and a later connection to it is not.
extension Exchange {
  func endsWithoutAnswer(_ failure: OriginFailure) -> Bool {
    failure.isTrustFailure && plan?.requirements?.onTrustFailure == .refuse && connection.transport.isSecured
  }

  /// The device's connection ends as if it had become useless; the handshake of its next one meets the alert. What it asked for was not
  /// processed, so it may ask again there (RFC 9113, section 8.7).
  func endWithoutAnswer(_ refusal: Refusal) {
    refusedBy = refusal
    note(refusal)
    cut(.refusedStream)
    if case .http2(let session) = connection.stage { session.drain() }
  }
}
