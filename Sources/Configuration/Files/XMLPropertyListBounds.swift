/// Looks at the nesting of an XML property list before libplist builds a tree of it, because that frees deep trees recursively.
///
/// It must find each tag that libplist finds, or the depth could be hidden from it. So where readers could disagree about where
/// markup ends (quoted ends, `<` inside a tag, a DOCTYPE with a subset) it refuses; nothing that makes property lists writes such.
struct XMLPropertyListBounds {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  static func check(_ bytes: [UInt8]) throws(PropertyList.Fault) {
    // Texts would end there, or make libplist abort the process.
    guard !bytes.contains(0) else { throw broken("it holds a NUL, or is not UTF-8") }
    var bounds = XMLPropertyListBounds(bytes: bytes)
    while bounds.goToMarkup() { try bounds.readMarkup() }
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private static func broken(_ detail: String) -> PropertyList.Fault {
    PropertyList.Fault(message: "this XML property list cannot be read: \(detail)")
  }

  /// Goes behind the next `<`; false if there is none.
  private mutating func goToMarkup() -> Bool {
    guard let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) else { return false }
    index = start + 1
    return true
  }

  private mutating func readMarkup() throws(PropertyList.Fault) {
    if starts(with: "!--") {
      skip(3, andTo: "-->")
    } else if starts(with: "![CDATA[") {
      skip(8, andTo: "]]>")
    } else if starts(with: "?") {
      let start = index
      skip(1, andTo: "?>")
      let quoteCount = bytes[start..<index].count { $0 == UInt8(ascii: "\"") }
      guard quoteCount.isMultiple(of: 2) else { throw Self.broken("a processing instruction ends inside quotes") }
    } else {
      try readTag()
    }
  }

  /// A tag, or a DOCTYPE.
  private mutating func readTag() throws(PropertyList.Fault) {
    let start = index
    var isQuoted = false
    while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ">") {
      switch bytes[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "<"): throw Self.broken("a tag holds a `<`")
      case UInt8(ascii: "[") where bytes[start] == UInt8(ascii: "!"):
        throw Self.broken("its document type has a subset of its own")
      default: break
      }
      index += 1
    }
    switch bytes[start..<index].first {
    case UInt8(ascii: "!"), nil: break
    case UInt8(ascii: "/"):
      guard depth > 0 else { throw Self.broken("an end tag has no start tag") }
      depth -= 1
    default:
      guard bytes[index - 1] != UInt8(ascii: "/") else { return }
      depth += 1
      // `plist`, and the tags of the innermost value and its key.
      guard depth <= PropertyList.maximumDepth + 3 else {
        throw PropertyList.Fault(message: "nested deeper than \(PropertyList.maximumDepth) levels")
      }
    }
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  /// Goes on by `count` and then behind the next occurrence of a terminator, or to the end.
  private mutating func skip(_ count: Int, andTo terminator: StaticString) {
    index = min(index + count, bytes.count)
    while index < bytes.count, !starts(with: terminator) { index += 1 }
    index = min(index + terminator.utf8CodeUnitCount, bytes.count)
  }
}
