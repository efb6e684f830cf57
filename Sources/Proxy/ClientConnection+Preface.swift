import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Records

/// What may come before everything else: the header of a load balancer (PROXY protocol).
extension ClientConnection {
  /// Whether the connection comes from a balancer that is believed. Whoever may open a Unix socket is one, where the listener speaks
  /// the PROXY protocol at all.
  var comesFromBalancer: Bool {
    guard let balancers = listener.settings.proxyProtocol else { return false }
    guard let address = clientAddress else { return true }
    return balancers.contains { $0.contains(address) }
  }

  func readProxyHeader() {
    switch ProxyProtocol.parse(transport.received.bytes) {
    case .needMore:
      waitForMore()
    case .invalid(let reason):
      worker.shared.warnOnce(
        LogEvent(.warning, "proxy-header-invalid", [("client", .text(clientText)), ("reason", .text(reason))]),
        about: clientAddress.map { "\($0)" } ?? "\(listener.address)")
      close()
    case .header(let length, let source):
      transport.received.consume(length)
      if let source, let address = IPAddress(bytes: source.ip) {
        clientAddress = address.unmapped
        clientText = SocketAddress(ip: address.unmapped.bytes, port: source.port).map { "\($0)" } ?? clientText
      }
      admit()
    }
  }
}
