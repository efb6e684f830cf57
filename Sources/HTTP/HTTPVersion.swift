/// The versions whose messages look like HTTP/1 on the wire.
public enum HTTPVersion: UInt8, Sendable, Hashable, Comparable {
  case http10
  case http11

  public static func < (left: HTTPVersion, right: HTTPVersion) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Reads `HTTP/1.0` or `HTTP/1.1` (RFC 9112 2.3). Another version number is 505, anything else malformed.
  init(_ bytes: RawSpan, _ range: Range<Int>) throws(HTTPFault) {
    guard range.count == 8 else { throw .malformed("The first line does not end with a protocol version.") }
    switch UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)) {
    case 0x312E_312F_5054_5448: self = .http11
    case 0x302E_312F_5054_5448: self = .http10
    default: throw Self.fault(bytes, range)
    }
  }

  private static func fault(_ bytes: RawSpan, _ range: Range<Int>) -> HTTPFault {
    let text = bytes.text(range)
    let isVersion =
      text.hasPrefix("HTTP/") && ByteClass.isDigit(bytes.byte(range.lowerBound + 5))
      && bytes.byte(range.lowerBound + 6) == UInt8(ascii: ".") && ByteClass.isDigit(bytes.byte(range.lowerBound + 7))
    guard isVersion else { return .malformed("The first line does not end with a protocol version.") }
    return HTTPFault(kind: .unsupported, status: 505, reason: "\(text) is not spoken here.")
  }
}
