import Authority
import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// TLS between the device and the proxy itself (`listeners[].tls`): what the device asks of the proxy comes inside, and after a CONNECT
/// another TLS inside that.
extension ClientConnection {
  enum ListenerTLSStage {
    /// The ClientHello tells which of the names the device knows the listener by.
    case hello
    /// The leaf is on its way.
    case leaf
    case securing
  }

  /// Where the device reached the proxy, as `proxy.pac` needs it: `host:port`, behind the scheme if that is not plain HTTP.
  var ownURL: String {
    guard let local = transport.socket.local else { return "" }
    if let name = listener.settings.tlsNames?.first, let port = local.port {
      return "https://\(HostPort(host: name, port: port))"
    }
    return listener.settings.mode == .socks5 ? "socks5://\(local)" : "\(local)"
  }

  func beginListenerTLS() {
    stage = .listenerTLS(.hello)
    arm(.handshake)
    transport.attach(to: self)
  }

  func readListenerTLS(_ progress: ListenerTLSStage) {
    switch progress {
    case .hello: readListenerHello()
    case .leaf: if transport.hasEnded { close() }
    case .securing: break
    }
  }

  private func readListenerHello() {
    guard transport.received.bytes.first.map({ $0 == 0x16 }) != false else { return refusePlainText() }
    switch ClientHello.parse(transport.received.bytes) {
    case .needMore: waitForMore()
    case .notTLS: refusePlainText()
    case .hello(let hello): obtainListenerLeaf(hello.serverName)
    }
  }

  private func refusePlainText() {
    let stream = HTTP1ClientStream(connection: self, role: .proxy)
    stage = .http(stream)
    stream.refuseUnread(
      .malformed(detail: "This listener is spoken to in TLS: its URL as a proxy begins with https://"))
  }

  /// The listener's name that the device asks for, or else its first.
  private func obtainListenerLeaf(_ wanted: String?) {
    guard let names = listener.settings.tlsNames, let first = names.first else { return close() }
    let asked = wanted.flatMap { try? Host($0) }
    let name = names.first { $0 == asked } ?? first
    stage = .listenerTLS(.leaf)
    let me = bound
    generation.leaves.leaf(for: name) { result in
      me.onLoop { $0.listenerLeafArrived(result, name) }
    }
  }

  private func listenerLeafArrived(_ result: Result<MintedLeaf, MintFault>, _ name: Host) {
    guard case .listenerTLS(.leaf) = stage else { return }
    guard case .success(let leaf) = result,
      let session = try? generation.serverContext.makeSession(
        leaf: leaf.identity, alpn: ["http/1.1"],
        resumptionScope: Digest.sha256(Array("listener \(name)".utf8)), outbound: transport.ciphertext)
    else {
      worker.shared.log.write(
        LogEvent(.error, "mint-failed", [("host", .text(name.text)), ("reason", .text("no leaf for the listener"))]))
      return refuseHandshake()
    }
    stage = .listenerTLS(.securing)
    transport.secure(with: session)
  }

  func listenerHandshakeFailed(_ failure: TransportFailure) {
    if case .tls(let fault) = failure {
      worker.shared.warnOnce(
        LogEvent(
          .warning, "listener-handshake-failed",
          [
            ("listener", .text("\(listener.address)")), ("client", .text(clientText)), ("reason", .text("\(fault)")),
          ]), about: clientAddress.map { "\($0)" } ?? clientText)
    }
    close()
  }
}
