/// The wireless network that a profile sets up, with the proxy to be used in it (Apple's payload `com.apple.wifi.managed`).
///
/// It holds no password: for a network that the device knows already its own password stays; for another one the system asks.
struct WirelessNetwork: Sendable {
  let name: String
  /// Where the proxy is.
  let server: String
  let port: UInt16

  /// - Parameter proxy: `host:port`. nil: there is no such proxy; a profile can name none that is spoken to in TLS or SOCKS.
  init?(name: String, proxy: String) {
    guard !proxy.contains("//"), let colon = proxy.lastIndex(of: ":"),
      let port = UInt16(proxy[proxy.index(after: colon)...]),
      port > 0
    else { return nil }
    let host = proxy[..<colon].filter { $0 != "[" && $0 != "]" }
    guard !host.isEmpty else { return nil }
    (self.name, server, self.port) = (name, host, port)
  }
}
