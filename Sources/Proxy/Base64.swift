/// Base64 of RFC 4648, section 4, strict: padded, no other characters. Foundation stays out of the data path.
enum Base64 {
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = Array(text.utf8.drop { $0 == UInt8(ascii: " ") })
    guard characters.count % 4 == 0 else { return nil }
    var out: [UInt8] = []
    out.reserveCapacity(characters.count / 4 * 3)
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bits: UInt32 = 0
    for (index, character) in characters.enumerated() {
      if index >= characters.count - padding {
        bits <<= 6
      } else {
        guard let value = value(of: character) else { return nil }
        bits = bits << 6 | value
      }
      if index % 4 == 3 {
        out.append(UInt8(truncatingIfNeeded: bits >> 16))
        out.append(UInt8(truncatingIfNeeded: bits >> 8))
        out.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
      }
    }
    out.removeLast(min(padding, out.count))
    return out
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
