/// Looks at the nesting of an XML property list before libplist builds a tree of it, because that frees deep trees recursively.
enum XMLPropertyListBounds {
  static func check(_ bytes: [UInt8]) throws(PropertyList.Fault) {
    var depth = 0
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      if bytes[index...].starts(with: "!--".utf8) {
        index = end(of: "-->", in: bytes, from: index + 3)
      } else if bytes[index...].starts(with: "![CDATA[".utf8) {
        index = end(of: "]]>", in: bytes, from: index + 8)
      } else {
        let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
        let tag = bytes[index..<close]
        index = close
        if tag.first == UInt8(ascii: "/") {
          depth -= 1
        } else if let first = tag.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "!"),
          tag.last != UInt8(ascii: "/")
        {
          depth += 1
          guard depth <= PropertyList.maximumDepth + 3 else {
            throw PropertyList.Fault(message: "nested deeper than \(PropertyList.maximumDepth) levels")
          }
        }
      }
    }
  }

  /// The place behind the next occurrence of a terminator, or the end.
  private static func end(of terminator: StaticString, in bytes: [UInt8], from start: Int) -> Int {
    let wanted = terminator.withUTF8Buffer { Array($0) }
    var index = start
    while index + wanted.count <= bytes.count {
      if bytes[index..<index + wanted.count].elementsEqual(wanted) { return index + wanted.count }
      index += 1
    }
    return bytes.count
  }
}
