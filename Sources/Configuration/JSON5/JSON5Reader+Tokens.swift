/// White space, comments, names and words.
extension JSON5Reader {
  /// The scalar that begins at a place within the text, which is known to be valid UTF-8, and its length in bytes.
  func scalar(at place: Int) -> (Unicode.Scalar, length: Int) {
    let first = bytes[place]
    guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard place + length <= bytes.count else { return ("\u{FFFD}", 1) }
    var code = UInt32(first & (0x7F >> UInt8(length)))
    for byte in bytes[place + 1..<place + length] { code = code << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(code) ?? "\u{FFFD}", length)
  }

  mutating func skipSpace() throws(JSON5Fault) {
    while let byte = peek {
      switch byte {
      case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20: index += 1
      case UInt8(ascii: "/"): try skipComment()
      case 0x80...:
        let (scalar, length) = scalar(at: index)
        guard Self.isSpace(scalar) else { return }
        index += length
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSON5Fault) {
    let start = index
    switch index + 1 < bytes.count ? bytes[index + 1] : 0 {
    case UInt8(ascii: "/"):
      while index < bytes.count {
        let (scalar, length) = scalar(at: index)
        if Self.endsLine(scalar) { return }
        index += length
      }
    case UInt8(ascii: "*"):
      index += 2
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      throw fault("this comment has no end `*/`", at: start)
    default: throw fault("a comment begins with `//` or `/*`")
    }
  }

  /// The key of a member: a string or an identifier of ECMAScript 5.1.
  mutating func memberName() throws(JSON5Fault) -> String {
    if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try string() }
    guard let name = try identifier() else { throw fault("a key or `}` is expected, found \(found)") }
    return name
  }

  /// `null`, `true`, `false` and the numbers that have names.
  mutating func word() throws(JSON5Fault) -> JSON5Node.Value {
    let start = index
    let seen = found
    guard let word = try identifier() else { throw fault("a value is expected, found \(seen)", at: start) }
    switch word {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "Infinity", "NaN": return try notFinite(word, at: start)
    default: throw fault("a value is expected, found \(seen); text stands in quotes", at: start)
    }
  }

  mutating func notFinite(_ text: String, at start: Int) throws(JSON5Fault) -> JSON5Node.Value {
    try collect("`\(text)` is not a finite number", at: start)
    return .null
  }

  /// nil when no identifier begins here.
  private mutating func identifier() throws(JSON5Fault) -> String? {
    var name = ""
    while index < bytes.count {
      let start = index
      var (scalar, length) = scalar(at: index)
      if scalar == "\\" {
        index += 1
        guard peek == UInt8(ascii: "u") else { throw fault("a key may hold only `\\uXXXX` as an escape", at: start) }
        index += 1
        guard let escaped = Unicode.Scalar(try hexadecimal(digits: 4)) else {
          throw fault("a lone surrogate", at: start)
        }
        scalar = escaped
        length = 0
        guard name.isEmpty ? Self.beginsIdentifier(scalar) : Self.continuesIdentifier(scalar) else {
          throw fault("this character may not stand in a key without quotes", at: start)
        }
      }
      guard name.isEmpty ? Self.beginsIdentifier(scalar) : Self.continuesIdentifier(scalar) else { break }
      name.unicodeScalars.append(scalar)
      index += length
    }
    return name.isEmpty ? nil : name
  }

  /// The value of so many hexadecimal digits.
  mutating func hexadecimal(digits: Int) throws(JSON5Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("\(digits) hexadecimal digits are expected")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FEFF}" || scalar == "\u{2028}" || scalar == "\u{2029}"
      || scalar.properties.generalCategory == .spaceSeparator
  }

  static func beginsIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "$" || scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: return true
    default: return false
    }
  }

  static func continuesIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    if beginsIdentifier(scalar) || ("0"..."9").contains(scalar) { return true }
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }
}
