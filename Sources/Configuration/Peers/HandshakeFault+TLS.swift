import Policy
import TLS

extension HandshakeFault {
  /// A failed handshake with an origin as policies see it.
  public init(_ failure: TLSFailure) {
    switch failure {
    case .alert(let number): self = .alert(number)
    case .versionMismatch: self = .versionMismatch
    case .noSharedCipher: self = .noSharedCipher
    case .refusedByJudge, .notTLS, .truncated, .lateCertificateRequest, .protocolError:
      self = .other(failure.description)
    }
  }
}
