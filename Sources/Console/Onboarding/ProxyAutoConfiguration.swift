/// The file `proxy.pac` that devices take their proxy settings from.
enum ProxyAutoConfiguration {
  static let contentType = "application/x-ns-proxy-autoconfig"

  /// Everything but the device itself goes through `proxy` (`host:port`), with no way around it: a device that cannot reach the
  /// proxy should not quietly do without. nil when `proxy` is no such text.
  static func text(proxy: String) -> String? {
    let isPlain = proxy.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ".-_:[]".utf8.contains(byte)
      }
    }
    guard isPlain, !proxy.isEmpty else { return nil }
    return """
      function FindProxyForURL(url, host) {
        if (host === "localhost" || host === "::1" || shExpMatch(host, "127.*")) return "DIRECT";
        return "PROXY \(proxy)";
      }

      """
  }
}
