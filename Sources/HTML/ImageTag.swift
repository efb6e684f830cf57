/// A start tag: the name and the attributes, the first of equal ones.
struct ImageTag {
  /// In lower case.
  let name: String
  private(set) var attributes: [String: String] = [:]

  subscript(name: String) -> String? { attributes[name] }

  /// - Parameter bytes: what stands between `<` and `>`; nil: an end tag, or none at all.
  init?(_ bytes: [UInt8]) {
    guard bytes.first?.isTagLetter == true else { return nil }
    var rest = bytes[...]
    name = Self.take(&rest) { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }.lowercased()
    while let attribute = Self.attribute(&rest) {
      if attributes[attribute.name] == nil { attributes[attribute.name] = attribute.value }
    }
  }

  private static func attribute(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
    rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }
    guard let first = rest.first else { return nil }
    // An equals sign that begins a name is part of it.
    rest = rest.dropFirst()
    let name =
      String(decoding: [first], as: UTF8.self)
      + take(&rest) { $0.isHTMLSpace || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
    rest = rest.drop { $0.isHTMLSpace }
    guard rest.first == UInt8(ascii: "=") else { return (name.lowercased(), "") }
    rest = rest.dropFirst().drop { $0.isHTMLSpace }
    return (name.lowercased(), CharacterReferences.replaced(in: value(&rest)))
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return take(&rest) { $0.isHTMLSpace }
    }
    rest = rest.dropFirst()
    defer { rest = rest.dropFirst() }
    return take(&rest) { $0 == quote }
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, until isEnd: (UInt8) -> Bool) -> String {
    let taken = rest.prefix { !isEnd($0) }
    rest = rest.dropFirst(taken.count)
    return String(decoding: taken, as: UTF8.self)
  }
}
