/// The parameters of a URL's query, in order.
enum HARQuery {
  static func parameters(_ url: String) -> [(name: String, value: String)] {
    let bytes = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return bytes[bytes.index(after: mark)...].split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return (decoded(name), decoded(pair.dropFirst(name.count + 1)))
    }
  }

  /// Percent signs and plus signs are undone; what is no UTF-8 then is left as it was.
  private static func decoded(_ text: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(Substring(text))
  }

  private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt8? {
    guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
      return nil
    }
    return UInt8(Substring(digits), radix: 16)
  }
}
