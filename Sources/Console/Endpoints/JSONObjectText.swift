import Foundation

/// The text of a JSON object that this program wrote, to find and extend members of without reading the rest: order and numbers stay
/// as they are. For other text the answers are nil, or the text itself.
struct JSONObjectText {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value of a member, if it is a string.
  func text(_ name: String) -> String? {
    guard let range = value(of: name) else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(bytes[range]), options: .fragmentsAllowed)) as? String
  }

  /// The same text with more members (such as `"a":1,"b":2`) at the end of the object that is the value of `name`.
  func adding(_ members: [UInt8], to name: String) -> JSONObjectText {
    guard let range = value(of: name), range.count >= 2, bytes[range.upperBound - 1] == UInt8(ascii: "}") else {
      return self
    }
    let end = range.upperBound - 1
    let comma: [UInt8] = range.count == 2 ? [] : [UInt8(ascii: ",")]
    return JSONObjectText(Array(bytes[..<end]) + comma + members + bytes[end...])
  }

  /// Where the value of a member of the object itself stands.
  private func value(of name: String) -> Range<Int>? {
    let key = Array("\"\(name)\"".utf8)
    var reader = Reader(bytes: bytes)
    guard reader.take(UInt8(ascii: "{")) else { return nil }
    while let place = reader.takeValue(), reader.take(UInt8(ascii: ":")), let value = reader.takeValue() {
      if bytes[place].elementsEqual(key) { return value }
      guard reader.take(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  /// Goes over text without white space, as `JSONText` writes it.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    mutating func take(_ byte: UInt8) -> Bool {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    /// The range of a string, or of anything else up to the comma, colon or bracket that ends it.
    mutating func takeValue() -> Range<Int>? {
      let start = index
      var depth = 0
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
          if depth == 0 { return start < index ? start..<index : nil }
          if bytes[index] == UInt8(ascii: "}") || bytes[index] == UInt8(ascii: "]") { depth -= 1 }
        default: break
        }
        index += 1
      }
      return nil
    }

    /// Leaves the index at the closing quote.
    private mutating func skipString() {
      index += 1
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
    }
  }
}
