import HTTP
import Policy
import TLS

extension TLSFailure {
  /// The client ended the handshake with an alert about our certificate: it pins another one, or does not know our authority
  /// (RFC 8446, section 6.2: bad_certificate to unknown_ca).
  var isClientRefusalOfCertificate: Bool {
    guard case .alert(let number) = self else { return false }
    return (42...46).contains(number) || number == 48
  }
}

extension HandshakeFault {
  /// A failed handshake with an origin as policies see it.
  init(_ failure: TLSFailure) {
    switch failure {
    case .alert(let number): self = .alert(number)
    case .versionMismatch: self = .versionMismatch
    case .noSharedCipher: self = .noSharedCipher
    case .refusedByJudge, .notTLS, .truncated, .lateCertificateRequest, .protocolError: self = .other(failure.description)
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
