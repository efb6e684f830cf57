/// What one pass over the bytes of a host finds out, so that normal names need neither a library nor a copy.
struct HostScan {
  enum Outcome {
    /// Only characters of names, labels and length within bounds.
    case ascii(HostScan)
    case international
    /// Perhaps IPv6.
    case withColons
  }

  let hasUpperCase: Bool
  let hasTrailingDot: Bool
  /// Whether resolvers may read the last label as a number (URL standard, "ends in a number").
  let endsInNumber: Bool
  /// Without the trailing dot.
  let byteCount: Int

  /// `text` is not empty.
  static func scan(_ text: String) throws(NameFault) -> Outcome {
    let bytes = text.utf8.span
    var hasUpperCase = false
    var isInternational = false
    var colonCount = 0
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        break
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUpperCase = true
      case UInt8(ascii: ":"): colonCount += 1
      case 0x80...: isInternational = true
      default: throw .badCharacter
      }
    }
    switch (isInternational, colonCount) {
    case (false, 0): return .ascii(try HostScan(bytes, hasUpperCase: hasUpperCase))
    case (true, 0): return .international
    // One colon is a port in the wrong place.
    case (false, 2...): return .withColons
    default: throw .badCharacter
    }
  }

  private init(_ bytes: Span<UInt8>, hasUpperCase: Bool) throws(NameFault) {
    self.hasUpperCase = hasUpperCase
    let dot = UInt8(ascii: ".")
    hasTrailingDot = bytes.count > 1 && bytes[bytes.count - 1] == dot
    byteCount = hasTrailingDot ? bytes.count - 1 : bytes.count
    var labelStart = 0
    for index in 0..<byteCount where bytes[index] == dot {
      try Self.checkLabel(bytes, labelStart..<index)
      labelStart = index + 1
    }
    try Self.checkLabel(bytes, labelStart..<byteCount)
    guard byteCount <= 253 else { throw .tooLong }
    endsInNumber = Self.isNumber(bytes, labelStart..<byteCount)
  }

  private static func checkLabel(_ bytes: Span<UInt8>, _ label: Range<Int>) throws(NameFault) {
    guard !label.isEmpty else { throw .badLabel("") }
    guard label.count <= 63 else {
      throw .badLabel(NameFault.excerpt(String(decoding: label.prefix(65).map { bytes[$0] }, as: UTF8.self)))
    }
  }

  /// Decimal digits only, or `0x` and hexadecimal digits, none of them being enough.
  private static func isNumber(_ bytes: Span<UInt8>, _ label: Range<Int>) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(bytes[label.lowerBound]) else { return false }
    if label.allSatisfy({ digits.contains(bytes[$0]) }) { return true }
    guard label.count >= 2, bytes[label.lowerBound] == UInt8(ascii: "0"),
      bytes[label.lowerBound + 1] | 0x20 == UInt8(ascii: "x")
    else { return false }
    return label.dropFirst(2).allSatisfy {
      digits.contains(bytes[$0]) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(bytes[$0] | 0x20)
    }
  }
}
