/// Why a TLS connection cannot go on. After any of these the session is over; every later call throws the same again.
///
/// Where in the handshake it happened, and whether a client certificate was at stake, is told by the session: `stage`,
/// `clientCertificateWasAsked`, `sentIdentity`.
public enum TLSFailure: Error, Equatable, Sendable {
  /// The peer sent a fatal alert; the number of RFC 8446 section 6. 100 means that it refused a renegotiation.
  case alert(UInt8)
  /// The judge said no. The peer was told by an alert and got no client certificate.
  case refusedByJudge
  /// The peer chose or offered only versions outside of the permitted ones.
  case versionMismatch
  /// Nothing in common among the cipher suites.
  case noSharedCipher
  /// The peer's first bytes are no TLS record.
  case notTLS
  /// The peer ended the stream without a close_notify. Sessions do no I/O and cannot see that: the caller asks `inputEnded()`.
  case truncated
  /// The peer asked for a client certificate after a handshake in which HTTP/2 was agreed on, which is forbidden (RFC 9113, section
  /// 9.2.1; RFC 8740).
  case lateCertificateRequest
  /// Anything else: the library's reason in its own words, and its code.
  case protocolError(reason: String, code: UInt)
}

extension TLSFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .alert(let number): "the peer sent the alert \(TLSAlert.name(number)) (\(number))"
    case .refusedByJudge: "the peer's certificate was refused"
    case .versionMismatch: "no common version of TLS"
    case .noSharedCipher: "no common cipher suite"
    case .notTLS: "the peer does not speak TLS"
    case .truncated: "the peer closed the connection without a close_notify"
    case .lateCertificateRequest: "the peer asked for a client certificate late, which HTTP/2 forbids"
    case .protocolError(let reason, _): reason
    }
  }
}
