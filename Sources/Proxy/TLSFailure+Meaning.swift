import HTTP
import Policy
import TLS

extension HandshakeFault {
  /// A failed handshake with an origin as policies see it.
  init(_ failure: TLSFailure) {
    switch failure {
    case .alert(let number): self = .alert(number)
    case .versionMismatch: self = .versionMismatch
    case .noSharedCipher: self = .noSharedCipher
    case .refusedByJudge, .notTLS, .truncated, .lateCertificateRequest, .protocolError:
      self = .other(failure.description)
    }
  }
}

extension Refusal {
  /// A message that HTTP does not allow, or that is not served.
  static func malformed(_ fault: HTTPFault) -> Refusal {
    var refusal = Refusal.malformed(detail: fault.reason)
    refusal.status = fault.status
    return refusal
  }
}
