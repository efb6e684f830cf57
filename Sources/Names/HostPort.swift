/// Where to connect: a host and a port.
public struct HostPort: Hashable, Sendable {
  public let host: Host
  public let port: UInt16

  public init(host: Host, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `host:port`, IPv6 in brackets (RFC 9112, section 3.2.3). Without a default a port is required; it is 1...65535.
  public init(authority: String, defaultPort: UInt16?) throws(NameFault) {
    let parts = try AuthorityParts(authority)
    host = try Host(String(parts.host))
    guard let port = try parts.port ?? defaultPort else { throw .badPort("") }
    self.port = port
  }
}

extension HostPort: CustomStringConvertible {
  /// `a.test:443`, `[::1]:443`.
  public var description: String { "\(host.bracketed):\(port)" }
}

/// An authority cut in two, neither part read yet.
struct AuthorityParts {
  /// With brackets if it had them. Never empty.
  let host: Substring
  private let digits: Substring?

  init(_ authority: String) throws(NameFault) {
    try self.init(authority[...])
  }

  init(_ authority: Substring) throws(NameFault) {
    let bytes = authority.utf8
    guard !bytes.isEmpty else { throw .empty }
    // Bounds the work below; a host has at most 1024 bytes before it is normalised.
    guard bytes.count <= 1100 else { throw .tooLong }
    let hostEnd: Substring.Index
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else {
        throw .badAddress(NameFault.excerpt(authority))
      }
      hostEnd = bytes.index(after: bracket)
    } else {
      hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    }
    host = authority[..<hostEnd]
    guard !host.isEmpty else { throw .empty }
    guard hostEnd < bytes.endIndex else {
      digits = nil
      return
    }
    guard bytes[hostEnd] == UInt8(ascii: ":") else { throw .badAddress(NameFault.excerpt(authority)) }
    let digits = authority[bytes.index(after: hostEnd)...]
    // IPv6 without brackets is ambiguous beside a port.
    if digits.utf8.contains(UInt8(ascii: ":")) { throw .badAddress(NameFault.excerpt(authority)) }
    self.digits = digits
  }

  /// Nil when there is none; an empty one counts as none (RFC 3986, section 3.2.3).
  var port: UInt16? {
    get throws(NameFault) {
      guard let digits, !digits.isEmpty else { return nil }
      return try PortNumber.parse(digits)
    }
  }
}

enum PortNumber {
  /// 1...65535, at most five decimal digits.
  static func parse(_ text: Substring) throws(NameFault) -> UInt16 {
    var value: UInt32 = 0
    guard (1...5).contains(text.utf8.count) else { throw .badPort(NameFault.excerpt(text)) }
    for byte in text.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw .badPort(NameFault.excerpt(text)) }
      value = value * 10 + UInt32(byte - UInt8(ascii: "0"))
    }
    guard let port = UInt16(exactly: value), port > 0 else { throw .badPort(NameFault.excerpt(text)) }
    return port
  }
}
