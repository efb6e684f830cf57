import Glibc

/// The header that a load balancer puts before a connection's first byte, versions 1 and 2 of the PROXY protocol.
public enum ProxyProtocol {
  /// Whom the load balancer speaks for.
  public struct Source: Sendable, Equatable {
    /// 4 or 16 bytes in network order.
    public let ip: [UInt8]
    public let port: UInt16

    public init(ip: [UInt8], port: UInt16) {
      self.ip = ip
      self.port = port
    }
  }

  public enum Result: Sendable, Equatable {
    case needMore
    /// The header takes so many bytes. No source: the balancer speaks for itself (a health check), or the client has no IP address.
    case header(length: Int, source: Source?)
    /// A sentence for people.
    case invalid(String)
  }

  private static let signature: StaticString = "\r\n\r\n\0\r\nQUIT\n"
  /// The longest header of version 1, line end included.
  private static let longestLine = 107

  /// Reads the header at the start of `bytes`. `needMore` ends within 65,551 bytes.
  public static func parse(_ bytes: UnsafeRawBufferPointer) -> Result {
    let bytes = bytes.bytes
    if matches(bytes, signature) { return parseBinary(bytes) }
    if matches(bytes, "PROXY ") { return parseLine(bytes) }
    return .invalid("The connection does not begin with a PROXY protocol header.")
  }

  /// Whether `bytes` begin with `text`, as far as they go.
  private static func matches(_ bytes: RawSpan, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      (0..<min(text.count, bytes.byteCount)).allSatisfy { bytes.byte($0) == text[$0] }
    }
  }

  /// `PROXY TCP4|TCP6 source destination source-port destination-port CRLF`, or `PROXY UNKNOWN ... CRLF`.
  private static func parseLine(_ bytes: RawSpan) -> Result {
    guard let end = bytes.lineFeed(from: 0) else {
      return bytes.byteCount < longestLine ? .needMore : .invalid("The PROXY line is too long.")
    }
    guard end < longestLine, bytes.byte(end - 1) == ByteClass.carriageReturn else {
      return .invalid("The PROXY line is too long or has no proper end.")
    }
    let words = bytes.text(0..<end - 1).split(separator: " ", omittingEmptySubsequences: false)
    if words.count >= 2, words[1] == "UNKNOWN" { return .header(length: end + 1, source: nil) }
    guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6" else {
      return .invalid("The PROXY line names neither TCP4 nor TCP6 nor UNKNOWN.")
    }
    let family = words[1] == "TCP4" ? AF_INET : AF_INET6
    guard let ip = address(words[2], family), address(words[3], family) != nil, let port = Self.port(words[4]),
      Self.port(words[5]) != nil
    else { return .invalid("The PROXY line holds a bad address or port.") }
    return .header(length: end + 1, source: Source(ip: ip, port: port))
  }

  private static func address(_ text: Substring, _ family: Int32) -> [UInt8]? {
    var ip = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
    return inet_pton(family, String(text), &ip) == 1 ? ip : nil
  }

  /// Digits only, without a needless zero in front.
  private static func port(_ text: Substring) -> UInt16? {
    guard text.utf8.allSatisfy(ByteClass.isDigit), text == "0" || text.first != "0" else { return nil }
    return UInt16(text)
  }

  /// Signature, version and command, family and transport, length, addresses, then extensions that are skipped.
  private static func parseBinary(_ bytes: RawSpan) -> Result {
    guard bytes.byteCount >= 16 else { return .needMore }
    let version = bytes.byte(12) >> 4
    let command = bytes.byte(12) & 0x0F
    guard version == 2, command <= 1 else { return .invalid("The PROXY header has an unknown version or command.") }
    let size = Int(word(bytes, 14))
    let length = 16 + size
    guard bytes.byteCount >= length else { return .needMore }
    guard command == 1 else { return .header(length: length, source: nil) }
    let addressSize: Int
    switch bytes.byte(13) >> 4 {
    case 1: addressSize = 4
    case 2: addressSize = 16
    case 0, 3: return .header(length: length, source: nil)
    default: return .invalid("The PROXY header has an unknown address family.")
    }
    guard size >= 2 * addressSize + 4 else { return .invalid("The PROXY header is too short for its addresses.") }
    let ip = (16..<16 + addressSize).map { bytes.byte($0) }
    return .header(length: length, source: Source(ip: ip, port: word(bytes, 16 + 2 * addressSize)))
  }

  private static func word(_ bytes: RawSpan, _ index: Int) -> UInt16 {
    UInt16(bytes.byte(index)) << 8 | UInt16(bytes.byte(index + 1))
  }
}
