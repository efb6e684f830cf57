import EventLoop
import Names

/// The names under which the console may be addressed. A page of another site that has its name resolve to this machine (DNS
/// rebinding) still sends its own name, and is refused by it.
struct OwnHost {
  /// The console's end of the connection; nil or a socket file: there is no port to compare.
  let local: SocketAddress?

  /// The host and port of a `Host` field or an absolute target, if they are ours: `localhost`, a loopback address, or the very
  /// address that was connected to, each with the right port.
  func recognise(_ authority: String) -> HostPort? {
    guard let named = try? HostPort(authority: authority, defaultPort: 80) else { return nil }
    guard let local, let port = local.port else { return Self.isLoopback(named.host) ? named : nil }
    guard named.port == port else { return nil }
    return Self.isLoopback(named.host) || isLocal(named.host) ? named : nil
  }

  private func isLocal(_ host: Host) -> Bool {
    guard let address = host.address, let own = local?.ipBytes.flatMap(IPAddress.init(bytes:)) else { return false }
    return address.unmapped == own.unmapped
  }

  private static func isLoopback(_ host: Host) -> Bool {
    host.text == "localhost" || host.address?.isLoopback == true
  }
}
