/// The line before a chunk: its size and, dropped, its extensions (RFC 9112 7.1).
struct ChunkLine: Equatable {
  let size: UInt64
  let extensionByteCount: Int

  /// Reads a line without its CR LF. Blanks are refused everywhere outside quotes, although RFC 9112 tolerates some before and
  /// behind a semicolon: nobody sends them, and readers disagree about what they mean.
  init(_ bytes: RawSpan, _ line: Range<Int>) throws(HTTPFault) {
    var index = line.lowerBound
    var size: UInt64 = 0
    while index < line.upperBound, let digit = ByteClass.hexDigit(bytes.byte(index)) {
      guard index - line.lowerBound < 16 else { throw .malformed("A chunk size has more than 16 digits.") }
      size = size &<< 4 | UInt64(digit)
      index += 1
    }
    guard index > line.lowerBound else { throw .malformed("A chunk does not begin with its size.") }
    self.size = size
    extensionByteCount = line.upperBound - index
    while index < line.upperBound {
      guard let next = Self.skipExtension(bytes, index..<line.upperBound) else {
        throw .malformed("A chunk size is followed by something that is no chunk extension.")
      }
      index = next
    }
  }

  /// Where the extension at the start of `range` ends: `;name`, `;name=token` or `;name="quoted"`; nil if there is none.
  private static func skipExtension(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
    guard bytes.byte(range.lowerBound) == UInt8(ascii: ";"),
      let name = skipToken(bytes, range.lowerBound + 1..<range.upperBound)
    else { return nil }
    guard name < range.upperBound, bytes.byte(name) == UInt8(ascii: "=") else { return name }
    let value = name + 1..<range.upperBound
    guard let first = value.first, bytes.byte(first) == UInt8(ascii: "\"") else { return skipToken(bytes, value) }
    return skipQuoted(bytes, value)
  }

  private static func skipToken(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
    let index = bytes.endOfToken(range)
    return index > range.lowerBound ? index : nil
  }

  private static func skipQuoted(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
    var index = range.lowerBound + 1
    while index < range.upperBound {
      let byte = bytes.byte(index)
      guard ByteClass.isText(byte) else { return nil }
      if byte == UInt8(ascii: "\"") { return index + 1 }
      if byte == UInt8(ascii: "\\") {
        index += 1
        guard index < range.upperBound, ByteClass.isText(bytes.byte(index)) else { return nil }
      }
      index += 1
    }
    return nil
  }
}
