import Glibc

/// The byte classes of the HTTP grammar (RFC 9110 5.5 and 5.6).
enum ByteClass {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// One bit for each `tchar` below 64, and one for each from 64 on.
  private static let lowTokens: UInt64 = 0x03FF_6CFA_0000_0000
  private static let highTokens: UInt64 = 0x57FF_FFFF_C7FF_FFFE

  /// `tchar`: what methods and field names are made of.
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    // Selections, not branches: names mix letters, digits and hyphens, which no branch prediction can foresee.
    let tokens = byte < 64 ? lowTokens : byte < 128 ? highTokens : 0
    return (tokens &>> UInt64(byte & 63)) & 1 == 1
  }

  /// What a field value or a reason phrase may hold: no control byte but a tab; bytes above 127 are opaque.
  @inline(__always)
  static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7F : byte == tab
  }

  /// What a request target may hold; bytes above 127 are passed on as they are.
  @inline(__always)
  static func isVisible(_ byte: UInt8) -> Bool {
    byte > space && byte != 0x7F
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// The value of a hexadecimal digit.
  static func hexDigit(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- UInt8(ascii: "0") }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func isToken(_ text: some Sequence<UInt8>) -> Bool {
    var isEmpty = true
    for byte in text {
      guard isToken(byte) else { return false }
      isEmpty = false
    }
    return !isEmpty
  }

  static func isText(_ text: some Sequence<UInt8>) -> Bool {
    text.allSatisfy(isText)
  }
}

extension RawSpan {
  /// The byte at `index`; an index outside traps.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 {
    unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }

  /// Where the first line feed at or behind `start` is.
  @inline(__always)
  func lineFeed(from start: Int) -> Int? {
    withUnsafeBytes { all in
      guard start < all.count, let base = all.baseAddress,
        let found = memchr(base + start, Int32(ByteClass.lineFeed), all.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// The byte at `index`, for loops whose bounds were checked by `require` before: these loops touch every byte of a head.
  @inline(__always)
  func uncheckedByte(_ index: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }

  @inline(__always)
  func uncheckedWord(_ index: Int) -> UInt64 {
    unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
  }

  /// Traps unless `range` is inside.
  @inline(__always)
  func require(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
  }

  /// Where the token at the start of `range` ends.
  @inline(__always)
  func endOfToken(_ range: Range<Int>) -> Int {
    require(range)
    var index = range.lowerBound
    while index < range.upperBound, ByteClass.isToken(uncheckedByte(index)) { index &+= 1 }
    return index
  }

  /// Whether every byte of `range` may stand in a field value; eight bytes at a time (the last eight may overlap the ones before),
  /// since values are most of a head.
  func isText(_ range: Range<Int>) -> Bool {
    require(range)
    let last = range.upperBound &- 8
    guard last >= range.lowerBound else {
      return range.allSatisfy { ByteClass.isText(uncheckedByte($0)) }
    }
    var index = range.lowerBound
    while index < last {
      guard isText(word: index) else { return false }
      index &+= 8
    }
    return isText(word: last)
  }

  /// The same for the eight bytes from `index` on. Only if one of them is below a space or a delete are they looked at one by one.
  @inline(__always)
  private func isText(word index: Int) -> Bool {
    let low: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let word = uncheckedWord(index)
    let delete = word ^ (low &* 0x7F)
    let suspects = ((word &- low &* 0x20) & ~word) | ((delete &- low) & ~delete)
    return suspects & high == 0 || isTextBytewise(index)
  }

  @inline(never)
  private func isTextBytewise(_ index: Int) -> Bool {
    (index..<index + 8).allSatisfy { ByteClass.isText(uncheckedByte($0)) }
  }

  /// `range` without the spaces and tabs at both ends.
  @inline(__always)
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    require(range)
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, ByteClass.isBlank(uncheckedByte(start)) { start += 1 }
    while end > start, ByteClass.isBlank(uncheckedByte(end - 1)) { end -= 1 }
    return start..<end
  }

  /// Whether the bytes of `range` are `text`, which is lower case, whatever their own case.
  func equals(_ range: Range<Int>, lowercased text: UnsafeRawBufferPointer) -> Bool {
    guard range.count == text.count else { return false }
    for offset in 0..<text.count where ByteClass.lowercased(byte(range.lowerBound + offset)) != text[offset] {
      return false
    }
    return true
  }

  /// Whether the bytes of `range` are `text`.
  func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      text.indices.allSatisfy { byte(range.lowerBound + $0) == text[$0] }
    }
  }

  /// The bytes of `range` as text; what is not UTF-8 is replaced.
  func text(_ range: Range<Int>) -> String {
    withUnsafeBytes { String(decoding: $0[range], as: UTF8.self) }
  }
}
