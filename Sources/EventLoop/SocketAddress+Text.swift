import Glibc

extension SocketAddress {
  /// Reads "127.0.0.1:8080", "[::1]:0" or "unix:/run/x.sock". IPv6 may carry a zone: "[fe80::1%eth0]:80".
  ///
  /// - Returns: nil for anything else, names included.
  public static func parse(_ text: String) -> SocketAddress? {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst(5)
      return path.isEmpty || path.utf8.contains(0) ? nil : SocketAddress(unixPath: String(path))
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    let host = text[..<colon]
    guard host.hasPrefix("[") else {
      return host.contains(":") ? nil : SocketAddress(literal: String(host), port: port)
    }
    guard host.hasSuffix("]") else { return nil }
    let inner = host.dropFirst().dropLast()
    return inner.contains(":") ? SocketAddress(literal: String(inner), port: port) : nil
  }

  /// An address literal: a strict dotted quad, or IPv6 without brackets (a zone may follow a "%"). nil for anything
  /// else.
  public init?(literal text: String, port: UInt16) {
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(ip: Array(bytes[..<4]), port: port)
      return
    }
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, inet_pton(AF_INET6, String(address), &bytes) == 1 else { return nil }
    var scope: UInt32 = 0
    if parts.count == 2 {
      scope = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
      guard scope != 0 else { return nil }
    }
    self.init(ip: bytes, port: port, scope: scope)
  }
}
