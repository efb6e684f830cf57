/// A JSON object of texts, whole numbers and booleans (RFC 8259), as the script writes them. Strict and bounded: nothing nests, no
/// key comes twice.
struct FlatJSON {
  enum Value: Equatable {
    case text(String)
    case number(Int)
    case boolean(Bool)
  }

  private static let byteLimit = 16 << 10
  private static let memberLimit = 16

  private let bytes: [UInt8]
  private var position = 0

  /// Nil unless `bytes` are such an object and nothing else. Members that are null are left out.
  static func read(_ bytes: [UInt8]) -> [String: Value]? {
    guard bytes.count <= byteLimit else { return nil }
    var reader = FlatJSON(bytes: bytes)
    guard let members = reader.object() else { return nil }
    reader.skipBlanks()
    return reader.position == bytes.count ? members : nil
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard let byte = next, byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func object() -> [String: Value]? {
    guard take("{") else { return nil }
    var members: [String: Value] = [:]
    var seen: Set<String> = []
    if take("}") { return members }
    while seen.count < Self.memberLimit {
      skipBlanks()
      guard let key = string(), seen.insert(key).inserted, take(":") else { return nil }
      skipBlanks()
      if !word("null") {
        guard let value = value() else { return nil }
        members[key] = value
      }
      if take("}") { return members }
      guard take(",") else { return nil }
    }
    return nil
  }

  private mutating func value() -> Value? {
    if word("true") { return .boolean(true) }
    if word("false") { return .boolean(false) }
    if next == UInt8(ascii: "\"") { return string().map { .text($0) } }
    return number().map { .number($0) }
  }

  private mutating func word(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    let isHere = text.withUTF8Buffer { bytes[position...].prefix(count).elementsEqual($0) }
    if isHere { position += count }
    return isHere
  }

  private mutating func number() -> Int? {
    let digits = bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count <= 15, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
    position += digits.count
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private mutating func string() -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    position += 1
    var units: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        units.append(contentsOf: String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicodeEscape()
    default: return nil
    }
  }

  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = codeUnit() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard word("\\u"), let second = codeUnit(), (0xDC00..<0xE000).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func codeUnit() -> UInt32? {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    position += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
