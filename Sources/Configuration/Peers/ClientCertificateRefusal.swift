import Names
import Policy
import TLS

/// Tells failures about client certificates from other TLS failures (spec F.2): the origin asked for one and got none, or got ours
/// and refused it.
public enum ClientCertificateRefusal {
  /// handshake_failure, and the alerts about certificates (RFC 8446, section 6.2).
  private static let alertsAboutCertificates: Set<UInt8> = [40, 41, 42, 43, 44, 45, 46, 48, 49, 51, 116]

  /// - Parameter answer: how the origin was answered when it asked; nil: it did not ask.
  public static func refusal(for failure: TLSFailure, answer: ClientCertificateAnswer?, host: Host) -> Refusal? {
    guard let answer, case .alert(let alert) = failure, alertsAboutCertificates.contains(alert) else { return nil }
    let asked = ClientCertificateFacts(answer)
    if let identity = answer.sent {
      return .clientCertificateRejected(
        host: host, identity: identity.name, alert: "\(TLSAlert.name(alert)) (\(alert))", asked: asked)
    }
    return .clientCertificateRequired(host: host, asked: asked)
  }

  /// The origin closed without an alert. Some do so for want of a certificate; nothing proves it.
  public static func closed(answer: ClientCertificateAnswer?, host: Host) -> Refusal {
    var refusal = Refusal.originClosed(host: host)
    guard let answer, answer.sent == nil, let reason = ClientCertificateFacts(answer).reason else { return refusal }
    refusal.detail += " It had asked for a client certificate and got none (\(reason)), which may be why."
    return refusal
  }
}
