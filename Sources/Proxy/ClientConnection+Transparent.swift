import EventLoop
import HTTP
import Names
import Records

/// Connections that were redirected here (`mode: transparent`): netfilter's REDIRECT, which knows the destination, or TPROXY, which
/// leaves it in place as the local address.
extension ClientConnection {
  func beginTransparent() {
    let found = transport.socket.originalDestination() ?? transport.socket.local
    guard let found, let ip = found.ipBytes, let address = IPAddress(bytes: ip), let port = found.port,
      !worker.isOwnListener(found)
    else { return refuseUnredirected() }
    tunnel = TunnelTarget(target: HostPort(host: Host(address), port: port), kind: .transparent)
    stage = .hello
    arm(.head)
    transport.attach(to: self)
  }

  /// Somebody who connected to the listener itself: there is nowhere to go but here.
  private func refuseUnredirected() {
    worker.shared.warnOnce(
      LogEvent(
        .warning, "no-original-destination",
        [
          ("client", .text(clientText)),
          ("detail", .text("a transparent listener got a connection that was not redirected to it")),
        ]),
      about: "\(listener.address)")
    close()
  }

  /// Whether this is a connection to an origin that the proxy itself has opened, and that was redirected like any other. Known once
  /// its first bytes have come, for they are sent after it is known here.
  var isOwnConnection: Bool {
    guard let tunnel, tunnel.kind == .transparent, let peer = transport.socket.peer,
      let address = tunnel.target.host.address, let place = SocketAddress(ip: address.bytes, port: tunnel.target.port)
    else { return false }
    return worker.shared.ownConnections.contains(OwnConnections.Ends(local: peer, remote: place))
  }

  func refuseOwnConnection() {
    guard let tunnel else { return close() }
    recordTunnel(tunnel, detail: "this is the proxy's own connection: exclude it from what is redirected")
    worker.shared.warnOnce(
      LogEvent(
        .error, "redirected-to-itself",
        [
          ("target", .text("\(tunnel.target)")),
          (
            "detail",
            .text("the proxy's own connections are redirected to it; exclude its user in the rules of the firewall")
          ),
        ]), about: "\(listener.address)")
    close()
  }
}
