import TLS

/// How a client left that was shown a certificate of ours and sent nothing over the connection.
enum CertificateRejection: Equatable {
  /// With an alert about the certificate (RFC 8446, section 6.2), such as certificate_unknown.
  case alert(UInt8)
  /// In the middle of the handshake, after the certificate, without such an alert.
  case inHandshake
  /// Right after the handshake: programs that look at pins only then do so. Those that connect and then need nothing do too.
  case unused

  /// What a failed handshake says about the certificate; nil: nothing.
  init?(_ failure: TransportFailure, at stage: TLSSession.Stage) {
    if case .tls(.alert(let number)) = failure, TLSAlert.concernsCertificate(number) {
      self = .alert(number)
      return
    }
    guard stage >= .certificate else { return nil }
    switch failure {
    case .tls(.truncated), .system: self = .inHandshake
    case .tls: return nil
    }
  }

  /// A clause for records.
  var clause: String {
    switch self {
    case .alert(let number): "the client refused our certificate with the alert \(TLSAlert.name(number)) (\(number))"
    case .inHandshake: "the client ended the handshake after our certificate"
    case .unused: "the client ended the connection right after the handshake, without a request"
    }
  }
}
