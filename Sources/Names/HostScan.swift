/// What one pass over the bytes of a host finds out, so that normal names need neither a library nor a copy.
struct HostScan {
  enum Outcome {
    /// Only characters of names, labels and length within bounds.
    case ascii(HostScan)
    case international
    /// Perhaps IPv6.
    case withColons
  }

  private(set) var hasUpperCase = false
  private(set) var hasTrailingDot = false
  /// Whether resolvers may read the last label as a number (URL standard, "ends in a number").
  private(set) var endsInNumber = false
  /// Without the trailing dot.
  private(set) var byteCount = 0

  private var labelStart = 0
  private var label = Label()

  /// The label that is being read.
  private struct Label {
    var byteCount = 0
    var allDigits = true
    /// `0x` and hexadecimal digits so far.
    var hexadecimal = true
  }

  static func scan(_ text: String) throws(NameFault) -> Outcome {
    var scan = HostScan()
    var isInternational = false
    var colonCount = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        if !isInternational && colonCount == 0 { try scan.endLabel(in: text) }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        scan.take(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        scan.hasUpperCase = true
        scan.take(byte | 0x20)
      case UInt8(ascii: ":"): colonCount += 1
      case 0x80...: isInternational = true
      default: throw .badCharacter
      }
    }
    switch (isInternational, colonCount) {
    case (false, 0):
      try scan.end(in: text)
      return .ascii(scan)
    case (true, 0): return .international
    // One colon is a port in the wrong place.
    case (false, 2...): return .withColons
    default: throw .badCharacter
    }
  }

  private mutating func take(_ lowerCased: UInt8) {
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(lowerCased)
    label.allDigits = label.allDigits && isDigit
    switch label.byteCount {
    case 0: label.hexadecimal = lowerCased == UInt8(ascii: "0")
    case 1: label.hexadecimal = label.hexadecimal && lowerCased == UInt8(ascii: "x")
    default:
      label.hexadecimal =
        label.hexadecimal && (isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowerCased))
    }
    label.byteCount += 1
    byteCount += 1
  }

  private mutating func endLabel(in text: String) throws(NameFault) {
    try closeLabel(in: text)
    byteCount += 1
    labelStart = byteCount
    label = Label()
  }

  private mutating func closeLabel(in text: String) throws(NameFault) {
    guard label.byteCount > 0 else { throw .badLabel("") }
    guard label.byteCount <= 63 else {
      throw .badLabel(NameFault.excerpt(String(decoding: text.utf8.dropFirst(labelStart).prefix(64), as: UTF8.self)))
    }
    endsInNumber = label.allDigits || (label.byteCount >= 2 && label.hexadecimal)
  }

  private mutating func end(in text: String) throws(NameFault) {
    if label.byteCount == 0, byteCount > 0 {
      hasTrailingDot = true
      byteCount -= 1
    } else {
      try closeLabel(in: text)
    }
    guard byteCount <= 253 else { throw .tooLong }
  }
}
