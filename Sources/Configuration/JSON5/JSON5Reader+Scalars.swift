/// Strings and numbers.
extension JSON5Reader {
  mutating func string() throws(JSON5Fault) -> String {
    let start = index
    let quote = bytes[index]
    index += 1
    var text = ""
    var pieceStart = index
    while let byte = peek {
      switch byte {
      case quote:
        text += piece(from: pieceStart)
        index += 1
        return text
      case UInt8(ascii: "\\"):
        text += piece(from: pieceStart)
        try escape(into: &text)
        pieceStart = index
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        throw fault("this string has no closing quote in its line", at: start)
      default: index += 1
      }
    }
    throw fault("this string has no closing quote", at: start)
  }

  private func piece(from start: Int) -> String {
    String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// At a backslash. Appends what the escape stands for and moves behind it.
  private mutating func escape(into text: inout String) throws(JSON5Fault) {
    let start = index
    index += 1
    guard index < bytes.count else { throw fault("the text ends within a string") }
    let (scalar, length) = scalar(at: index)
    index += length
    switch scalar {
    case "b": text.append("\u{8}")
    case "f": text.append("\u{C}")
    case "n": text.append("\n")
    case "r": text.append("\r")
    case "t": text.append("\t")
    case "v": text.append("\u{B}")
    case "x": text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: try hexadecimal(digits: 2))))
    case "u": text.unicodeScalars.append(try utf16Escape(at: start))
    case "0":
      if let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        throw fault("octal escapes are not permitted", at: start)
      }
      text.unicodeScalars.append("\0")
    case "1"..."9": throw fault("a backslash before a digit is not permitted", at: start)
    case "\r":
      if peek == UInt8(ascii: "\n") { index += 1 }
    case "\n", "\u{2028}", "\u{2029}": break
    default: text.unicodeScalars.append(scalar)
    }
  }

  /// Behind `\u`: four digits, or a surrogate pair written as two escapes.
  private mutating func utf16Escape(at start: Int) throws(JSON5Fault) -> Unicode.Scalar {
    let first = try hexadecimal(digits: 4)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw fault("a lone surrogate", at: start) }
    index += 2
    let second = try hexadecimal(digits: 4)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw fault("a lone surrogate", at: start) }
    return scalar
  }

  mutating func number() throws(JSON5Fault) -> JSON5Node.Value {
    let start = index
    let isNegative = peek == UInt8(ascii: "-")
    if isNegative || peek == UInt8(ascii: "+") { index += 1 }
    let sign = isNegative ? "-" : ""
    let begin = index
    while index < bytes.count, continuesNumber(at: index, from: begin) { index += 1 }
    let token = String(decoding: bytes[begin..<index], as: UTF8.self)
    if token == "Infinity" || token == "NaN" { return try notFinite(sign + token, at: start) }
    guard index == bytes.count || !Self.continuesIdentifier(scalar(at: index).0), let value = Self.value(sign, token)
    else {
      throw fault("`\(String(decoding: bytes[start..<index].prefix(40), as: UTF8.self))` is not a number", at: start)
    }
    if case .real(let real) = value, !real.isFinite { return try notFinite(sign + token.prefix(40), at: start) }
    return value
  }

  /// Letters and digits, dots, and a sign right after the `e` of a decimal number.
  private func continuesNumber(at place: Int, from begin: Int) -> Bool {
    switch bytes[place] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."):
      return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard place > begin, bytes[place - 1] | 0x20 == UInt8(ascii: "e") else { return false }
      return place - begin < 2 || bytes[begin + 1] | 0x20 != UInt8(ascii: "x")
    default: return false
    }
  }

  /// nil when the token is not a number of JSON5.
  private static func value(_ sign: String, _ token: String) -> JSON5Node.Value? {
    if token.hasPrefix("0x") || token.hasPrefix("0X") {
      let digits = token.dropFirst(2)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
      if let integer = Int64(sign + digits, radix: 16) { return .integer(integer) }
      return digits.count <= 200 ? Double(sign + token.lowercased()).map { .real($0) } : nil
    }
    guard isDecimal(token) else { return nil }
    if token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let integer = Int64(sign + token)
    {
      return .integer(integer)
    }
    return Double(sign + token).map { .real($0) }
  }

  /// Digits without a leading zero, a fraction with digits on at least one side of its dot, an exponent.
  private static func isDecimal(_ token: String) -> Bool {
    var rest = Substring(token).utf8
    func takeDigits() -> Int {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = takeDigits()
    guard whole < 2 || !startsWithZero else { return false }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = takeDigits()
    }
    guard whole + fraction > 0 else { return false }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
