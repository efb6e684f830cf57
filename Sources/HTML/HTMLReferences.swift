/// The character references of HTML and XML (`&amp;`), as far as attributes with addresses and policies use them.
public enum HTMLReferences {
  private static let names: [(name: StaticString, byte: UInt8)] = [
    ("amp;", 0x26), ("quot;", 0x22), ("apos;", 0x27), ("lt;", 0x3C), ("gt;", 0x3E), ("Tab;", 0x09),
    ("NewLine;", 0x0A), ("colon;", 0x3A), ("semi;", 0x3B), ("comma;", 0x2C), ("num;", 0x23), ("sol;", 0x2F),
    ("quest;", 0x3F), ("equals;", 0x3D), ("plus;", 0x2B), ("period;", 0x2E), ("lowbar;", 0x5F), ("ast;", 0x2A),
  ]

  /// `bytes` with references to characters put in; those that are unknown stay as they are. Characters beyond ASCII become UTF-8.
  public static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var rest = Array(bytes)[...]
    var decoded: [UInt8] = []
    decoded.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "&"), let (text, count) = reference(rest) {
        decoded += text
        rest = rest.dropFirst(count)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  /// `bytes` as they may stand in an attribute with quotes of either kind.
  public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var encoded: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"):
        encoded += Array("&#\(byte);".utf8)
      default: encoded.append(byte)
      }
    }
    return encoded
  }

  /// What the bytes behind a `&` mean, and how many belong to it.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], count: Int)? {
    if bytes.first == UInt8(ascii: "#") { return number(bytes.dropFirst()) }
    for (name, byte) in names
    where bytes.starts(with: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) {
      return ([byte], name.utf8CodeUnitCount)
    }
    return nil
  }

  /// Behind `&#`.
  private static func number(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], count: Int)? {
    let isHexadecimal = bytes.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let text = isHexadecimal ? bytes.dropFirst() : bytes
    let digits = text.prefix(8, while: { isDigit($0, isHexadecimal) })
    guard let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    let ends = text.dropFirst(digits.count).first == UInt8(ascii: ";")
    return (Array(String(scalar).utf8), 1 + (isHexadecimal ? 1 : 0) + digits.count + (ends ? 1 : 0))
  }

  private static func isDigit(_ byte: UInt8, _ isHexadecimal: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): isHexadecimal
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// The first bytes that fulfil `isWanted`, at most `limit`.
  fileprivate func prefix(_ limit: Int, while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    prefix(limit).prefix(while: isWanted)
  }
}
