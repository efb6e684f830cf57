/// Finds out, eight bytes at a time, whether text can stand in JSON as it is: printable ASCII without quote and backslash.
enum PlainText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var index = 0
    while index + 8 <= bytes.count {
      guard isPlain(base.loadUnaligned(fromByteOffset: index, as: UInt64.self)) else { return false }
      index += 8
    }
    guard index < bytes.count else { return true }
    // The last bytes, filled up with spaces.
    var rest: UInt64 = 0x2020_2020_2020_2020
    var shift: UInt64 = 0
    while index < bytes.count {
      rest = rest & ~(0xFF << shift) | UInt64(bytes[index]) << shift
      shift += 8
      index += 1
    }
    return isPlain(rest)
  }

  /// Each test sets the high bit of a byte that fails it; bytes above 0x7F fail by their own.
  private static func isPlain(_ word: UInt64) -> Bool {
    let control = (word &- (0x20 &* ones)) & ~word
    let bad =
      word | control | zeros(word ^ (0x22 &* ones)) | zeros(word ^ (0x5C &* ones)) | zeros(word ^ (0x7F &* ones))
    return bad & highBits == 0
  }

  /// The high bit of every byte that is zero (and perhaps of others above the first such).
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word
  }
}
