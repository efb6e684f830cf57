import Policy
import TLS

/// Tells failures about client certificates from other TLS failures (spec F.2): the origin asked for one and got none, or got ours
/// and refused it.
enum ClientCertificateRefusal {
  /// handshake_failure, and the alerts about certificates (RFC 8446, section 6.2).
  private static let alertsAboutCertificates: Set<UInt8> = [40, 41, 42, 43, 44, 45, 46, 48, 49, 51, 116]

  static func refusal(for failure: TLSFailure, session: TLSSession?, plan: OriginPlan) -> Refusal? {
    guard let session, session.clientCertificateWasAsked, case .alert(let alert) = failure,
      alertsAboutCertificates.contains(alert)
    else { return nil }
    if let identity = session.sentIdentity {
      return .clientCertificateRejected(host: plan.key.host, identity: identity.name)
    }
    return .clientCertificateRequired(host: plan.key.host)
  }
}
