import Names

/// Where a listener waits for clients.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// Port 0 lets the system choose one.
  case tcp(IPAddress, UInt16)
  /// The path of a socket in the file system.
  case unix(String)
  /// A socket that systemd opened, by its `FileDescriptorName=`.
  case systemd(String)

  /// The longest path that fits into `sockaddr_un` with its NUL.
  static let longestSocketPath = 107

  /// Reads `127.0.0.1:8080`, `[::1]:8080`, `unix:/run/p.sock` or `systemd:NAME`; nil for anything else.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst("unix:".count)
      guard !path.isEmpty, path.utf8.count <= Self.longestSocketPath, !path.utf8.contains(0) else { return nil }
      self = .unix(String(path))
    } else if text.hasPrefix("systemd:") {
      let name = text.dropFirst("systemd:".count)
      guard !name.isEmpty, !name.contains(":") else { return nil }
      self = .systemd(String(name))
    } else {
      guard let colon = text.lastIndex(of: ":"), let address = Self.address(text[..<colon]) else { return nil }
      let digits = text[text.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = UInt16(digits)
      else { return nil }
      self = .tcp(address, port)
    }
  }

  private static func address(_ text: Substring) -> IPAddress? {
    guard text.hasPrefix("[") else { return text.contains(":") ? nil : IPAddress(String(text)) }
    guard text.hasSuffix("]"), text.count > 2 else { return nil }
    guard case .v6(let high, let low)? = IPAddress(String(text.dropFirst().dropLast())) else { return nil }
    return .v6(high, low)
  }

  public var description: String {
    switch self {
    case .tcp(let address, let port):
      if case .v6 = address { return "[\(address)]:\(port)" }
      return "\(address):\(port)"
    case .unix(let path): return "unix:\(path)"
    case .systemd(let name): return "systemd:\(name)"
    }
  }
}
