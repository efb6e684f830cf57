/// The form of `host[:port]` (RFC 3986 3.2.2 and 3.2.3) without the reserved characters that it would allow in names: no host name
/// has them, and a comma or an at-sign there is an attempt to be read in two ways. `Names` judges what passes here.
enum AuthoritySyntax {
  static func isHostAndPort(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    guard let first = range.first else { return false }
    var index = first
    if bytes.byte(first) == UInt8(ascii: "[") {
      index += 1
      while index < range.upperBound, isAddressByte(bytes.byte(index)) { index += 1 }
      guard index > first + 1, index < range.upperBound, bytes.byte(index) == UInt8(ascii: "]") else { return false }
      index += 1
    } else {
      while index < range.upperBound, isNameByte(bytes.byte(index)) { index += 1 }
      guard index > first else { return false }
    }
    return index == range.upperBound || isPort(bytes, index..<range.upperBound)
  }

  /// A colon and at most five digits; RFC 3986 allows none.
  private static func isPort(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    guard bytes.byte(range.lowerBound) == UInt8(ascii: ":"), range.count <= 6 else { return false }
    return range.dropFirst().allSatisfy { ByteClass.isDigit(bytes.byte($0)) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    if ByteClass.isLetter(byte) || ByteClass.isDigit(byte) { return true }
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"): return true
    default: return false
    }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    ByteClass.hexDigit(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }
}
