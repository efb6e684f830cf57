import Policy
import Records

/// Origins that want a client certificate for which they can ask over HTTP/1.1 only.
extension Exchange {
  /// Whether the request can be asked again over HTTP/1.1 in place of an answer over HTTP/2.
  ///
  /// 421 says that the origin did nothing (RFC 9110, section 15.5.20). 403 says that it would not, which is not enough for a method that is
  /// not idempotent.
  func mayMoveToHTTP1(after status: Int) -> Bool {
    mayRepeat(status == 421 ? .always : .ifIdempotent)
  }

  func moveToHTTP1() {
    guard let plan else { return }
    hasRetried = true
    hasSentRequest = false
    lease(plan, fresh: true)
  }

  /// The certificate may have been asked for since the connection was lent out.
  func noteLateIdentity(_ facts: ExchangeRecord.Origin) {
    origin = facts
  }
}
