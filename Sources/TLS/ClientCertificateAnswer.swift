/// How the last request of an origin for a client certificate was answered.
public struct ClientCertificateAnswer: Sendable {
  /// An identity that was permitted and not shown.
  public struct PassedOver: Sendable, Hashable {
    public let name: String
    public let objection: IdentityObjection

    public init(name: String, objection: IdentityObjection) {
      self.name = name
      self.objection = objection
    }
  }

  public let demand: CertificateDemand
  /// nil: an empty certificate message was sent.
  public let sent: Identity?
  /// The identities before the one that was sent, all of them if none was; in the order of preference.
  public let passedOver: [PassedOver]
  /// Asked for after the handshake, by renegotiation or post-handshake authentication.
  public let isLate: Bool
}
