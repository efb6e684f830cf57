import Configuration
import Names
import Policy
import TLS

/// What one connection of a diagnosis is for.
struct Errand: Sendable {
  /// What is said once the way to the origin stands.
  enum Request: Sendable {
    case none
    /// GET for this path and query, unless the origin was refused.
    case always(String)
    /// The same, but only where the origin asked for a client certificate: TLS 1.3 refuses one after the handshake.
    case ifAskedForCertificate(String)
  }

  /// What is thought of an origin that shows itself.
  struct Judgement: Sendable {
    var facts: PeerFacts?
    /// Whether to go on with it; a client certificate goes to no other.
    var isWelcome: Bool
  }

  var target: HostPort
  var route: OriginRoute
  /// Where a proxy is to be found.
  var redirections: Redirections
  /// nil: plain HTTP, or the hello below.
  var offer: TLSClientParameters?
  /// Sent as it is in place of all else, for its answer; nil: nothing is.
  var hello: [UInt8]?
  var protocols = ["http/1.1"]
  var identities: [Identity] = []
  var request = Request.none
  /// For name, TCP and TLS together, and again for the answer.
  var timeout: Duration
  /// The general anchors, for a proxy that is spoken to in TLS.
  var anchors: TrustStore
  var judge: @Sendable (PresentedPeer) -> Judgement = { _ in Judgement(facts: nil, isWelcome: false) }

  /// The proxy on the way; nil: none.
  var proxy: UpstreamProxy? {
    guard case .through(let proxy) = route else { return nil }
    return proxy
  }

  /// Where to connect first.
  var firstStop: HostPort {
    switch route {
    case .direct: target
    case .mapped(let place): place
    case .through(let proxy): redirections[proxy.address] ?? proxy.address
    }
  }

  /// Plain requests go to an HTTP proxy as they are, with absolute targets (RFC 9112, section 3.2.2).
  var isForwarded: Bool { offer == nil && hello == nil && proxy != nil && proxy?.kind != .socks5 }
}
