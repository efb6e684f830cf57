/// Base64 of RFC 4648, section 4, strict: padded, no other characters. Foundation stays out of the data path.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    alphabet.withUTF8Buffer { alphabet in
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let piece = bytes[start..<min(start + 3, bytes.count)]
        let bits = piece.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - piece.count))
        for digit in 0..<4 {
          out.append(digit > piece.count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * digit) & 0x3F])
        }
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

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
