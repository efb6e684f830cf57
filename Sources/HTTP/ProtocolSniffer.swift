/// Tells from the first bytes that a client sends into a tunnel what it speaks there.
public enum ProtocolSniffer {
  public enum Guess: Sendable, Equatable {
    case needMore
    /// A TLS handshake record begins.
    case tls
    /// A request line.
    case http1
    /// The connection preface of HTTP/2 without TLS (RFC 9113 3.4).
    case http2Preface
    case other
  }

  /// The longest registered method has 17 letters.
  private static let longestMethod = 24
  private static let longestLine = 8 << 10

  /// What `bytes`, all that has come so far, look like. `needMore` cannot last: it ends within 8 KiB.
  public static func classify(_ bytes: UnsafeRawBufferPointer) -> Guess {
    let bytes = bytes.bytes
    guard bytes.byteCount > 0 else { return .needMore }
    if bytes.byte(0) == 0x16 { return classifyTLS(bytes) }
    let preface = classifyPreface(bytes)
    return preface == .other ? classifyRequestLine(bytes) : preface
  }

  /// Handshake record, version 3.0 to 3.4.
  private static func classifyTLS(_ bytes: RawSpan) -> Guess {
    if bytes.byteCount > 1, bytes.byte(1) != 3 { return .other }
    guard bytes.byteCount > 2 else { return .needMore }
    return bytes.byte(2) <= 4 ? .tls : .other
  }

  private static func classifyPreface(_ bytes: RawSpan) -> Guess {
    let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    return preface.withUTF8Buffer { preface in
      let count = min(preface.count, bytes.byteCount)
      guard (0..<count).allSatisfy({ bytes.byte($0) == preface[$0] }) else { return .other }
      return count == preface.count ? .http2Preface : .needMore
    }
  }

  /// Letters, a space, and a target: a path at once, anything else only if the line ends like a request line, since other
  /// protocols greet with a word and a space too.
  private static func classifyRequestLine(_ bytes: RawSpan) -> Guess {
    var start = 0
    while start < min(4, bytes.byteCount), bytes.byte(start) == 0x0D || bytes.byte(start) == 0x0A { start += 1 }
    var end = start
    while end < bytes.byteCount, end - start <= longestMethod, isMethodByte(bytes.byte(end)) { end += 1 }
    guard end - start <= longestMethod else { return .other }
    guard end < bytes.byteCount else { return .needMore }
    guard end > start, bytes.byte(end) == ByteClass.space else { return .other }
    guard end + 1 < bytes.byteCount else { return .needMore }
    if bytes.byte(end + 1) == UInt8(ascii: "/") { return .http1 }
    guard let lineFeed = bytes.lineFeed(from: end) else { return bytes.byteCount < longestLine ? .needMore : .other }
    return endsWithVersion(bytes, end..<lineFeed) ? .http1 : .other
  }

  private static func endsWithVersion(_ bytes: RawSpan, _ line: Range<Int>) -> Bool {
    let end = bytes.byte(line.upperBound - 1) == ByteClass.carriageReturn ? line.upperBound - 1 : line.upperBound
    let name: StaticString = " http/"
    let start = end - name.utf8CodeUnitCount - 3
    return start > line.lowerBound && bytes.equals(start..<end - 3, lowercased: name)
  }

  private static func isMethodByte(_ byte: UInt8) -> Bool {
    ByteClass.isLetter(byte) || byte == UInt8(ascii: "-")
  }
}
