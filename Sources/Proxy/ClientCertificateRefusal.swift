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
    let asked = session.clientCertificate.map(ClientCertificateFacts.init)
    if let identity = session.sentIdentity {
      return .clientCertificateRejected(
        host: plan.key.host, identity: identity.name, alert: "\(TLSAlert.name(alert)) (\(alert))", asked: asked)
    }
    return .clientCertificateRequired(host: plan.key.host, asked: asked)
  }

  /// The origin closed without an alert. Some do so for want of a certificate; nothing proves it.
  static func closed(_ session: TLSSession?, plan: OriginPlan) -> Refusal {
    var refusal = Refusal.originClosed(host: plan.key.host)
    guard let answer = session?.clientCertificate, answer.sent == nil,
      let reason = ClientCertificateFacts(answer).reason
    else { return refusal }
    refusal.detail += " It had asked for a client certificate and got none (\(reason)), which may be why."
    return refusal
  }
}
