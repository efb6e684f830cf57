import Policy
import TLS

/// What one connection showed of an origin.
struct Sighting: Sendable {
  enum Failure: Sendable {
    /// Nothing was heard of the origin itself.
    case unreachable(Refusal)
    /// The handshake failed before the origin showed a certificate.
    case handshake(HandshakeFault)
    /// Our side refused it for what it showed.
    case unwelcome
    /// It wanted another client certificate, or did not answer in time.
    case refused(Refusal)
    /// It does not speak TLS at all.
    case noTLS
  }

  /// The final head of a response.
  struct Response: Sendable {
    var status: Int
    var location: String?
  }

  /// Where the connection went, with the port; that of the proxy if there is one.
  var address: String?
  var certificates: [Certificate] = []
  /// nil: it showed no certificate.
  var facts: PeerFacts?
  /// nil: the handshake did not complete.
  var negotiated: TLSFacts?
  /// nil: it did not ask for a client certificate.
  var clientCertificate: ClientCertificateFacts?
  /// What it took of the suites that nobody speaks any more; nil: nothing, or they were not offered.
  var legacy: LegacyHello.Answer?
  /// nil: there is none.
  var failure: Failure?
  /// nil: none was asked for, or none came.
  var response: Response?
  /// Why no response came though one was asked for; a clause.
  var responseFault: String?

  /// Something of the origin was heard.
  var wasReached: Bool {
    guard case .unreachable = failure else { return true }
    return false
  }
}
