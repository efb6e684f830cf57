import Policy
import TLS

/// What is known of an origin that showed a certificate.
public struct PeerSummary: Sendable {
  /// Where the connection went, with the port.
  public let address: String
  /// The proxy on the way, if there is one.
  public let proxy: String?
  public let facts: PeerFacts
  /// As sent, leaf first.
  public let certificates: [Certificate]
  /// nil: it did not ask for a client certificate.
  public let clientCertificate: ClientCertificateFacts?
  /// The status of the answer to the request; nil: none came.
  public let status: Int?
  /// Why none came; a clause.
  public let silence: String?
}
