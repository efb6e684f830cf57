/// The file `proxy.pac` that devices take their proxy settings from.
enum ProxyAutoConfiguration {
  static let contentType = "application/x-ns-proxy-autoconfig"

  private static let keywords = [("https://", "HTTPS"), ("socks5://", "SOCKS5")]

  /// Everything but the device itself goes through `proxy` (`host:port`, or such a URL of a proxy in TLS or SOCKS), with no way
  /// around it: a device that cannot reach the proxy should not quietly do without. nil when `proxy` is no such text.
  static func text(proxy: String) -> String? {
    let (prefix, keyword) = keywords.first { proxy.hasPrefix($0.0) } ?? ("", "PROXY")
    let address = proxy.dropFirst(prefix.count)
    let isPlain = address.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ".-_:[]".utf8.contains(byte)
      }
    }
    guard isPlain, !address.isEmpty else { return nil }
    return """
      function FindProxyForURL(url, host) {
        if (host === "localhost" || host === "::1" || shExpMatch(host, "127.*")) return "DIRECT";
        return "\(keyword) \(address)";
      }

      """
  }
}
