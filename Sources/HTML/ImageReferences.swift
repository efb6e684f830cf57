/// Reads the references to images out of an HTML page that comes in pieces. Holds one tag at most, and nothing of a longer one.
///
/// Knows as much of HTML's tokenizer (HTML, section 13.2.5) as tags, comments and the elements without markup inside need.
public struct ImageReferences {
  private enum State {
    case text
    case tag
    /// A tag that is too long to be looked at.
    case longTag
    case comment
    /// Inside an element whose content is text up to its end tag.
    case raw(until: [UInt8])
  }

  /// A longer tag is passed over.
  private static let tagByteCount = 16 << 10
  private static let rawElements: Set<String> = ["script", "style", "textarea", "title", "iframe", "xmp", "noembed"]

  private var state = State.text
  private var tag: [UInt8] = []
  /// The quotation mark of the attribute value that is open.
  private var quote: UInt8?
  /// The last byte of a tag that was no space.
  private var last: UInt8 = 0
  /// The end of what was read of a comment or of raw text, as long as what it is looked through for.
  private var tail: [UInt8] = []
  /// From the first `<base href>`; references are relative to it then.
  public private(set) var base: String?

  public init() {}

  /// Calls `found` with each reference, as it stands in the page, character references replaced.
  public mutating func scan(_ bytes: UnsafeRawBufferPointer, _ found: (String) -> Void) {
    for byte in bytes {
      switch state {
      case .text:
        if byte == UInt8(ascii: "<") { begin(.tag) }
      case .tag: takeTag(byte, found)
      case .longTag: if endsTag(byte) { begin(.text) }
      case .comment: takeTail(byte, until: Array("-->".utf8), isEndTag: false)
      case .raw(let end): takeTail(byte, until: end, isEndTag: true)
      }
    }
  }

  private mutating func begin(_ next: State) {
    state = next
    tag.removeAll(keepingCapacity: true)
    tail.removeAll(keepingCapacity: true)
    quote = nil
    last = 0
  }

  private mutating func takeTag(_ byte: UInt8, _ found: (String) -> Void) {
    if tag.isEmpty, !byte.isTagLetter, byte != UInt8(ascii: "/"), byte != UInt8(ascii: "!") {
      return begin(byte == UInt8(ascii: "<") ? .tag : .text)
    }
    if endsTag(byte) { return endTag(found) }
    tag.append(byte)
    if tag == Array("!--".utf8) { return begin(.comment) }
    if tag.count > Self.tagByteCount { state = .longTag }
  }

  /// A quotation mark opens a value behind an equals sign only.
  private mutating func endsTag(_ byte: UInt8) -> Bool {
    defer { if !byte.isHTMLSpace { last = byte } }
    if let open = quote {
      if byte == open { quote = nil }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if last == UInt8(ascii: "=") { quote = byte }
      return false
    case UInt8(ascii: ">"): return true
    default: return false
    }
  }

  private mutating func endTag(_ found: (String) -> Void) {
    let read = ImageTag(tag)
    begin(.text)
    guard let read else { return }
    if Self.rawElements.contains(read.name) { return state = .raw(until: Array("</\(read.name)".utf8)) }
    if read.name == "base", base == nil { base = read["href"] }
    read.forEachImage(found)
  }

  private mutating func takeTail(_ byte: UInt8, until end: [UInt8], isEndTag: Bool) {
    tail.append(isEndTag && byte.isTagLetter ? byte | 0x20 : byte)
    if tail.count > end.count { tail.removeFirst() }
    guard tail == end else { return }
    // What remains of an end tag is passed over up to its end.
    begin(isEndTag ? .longTag : .text)
  }
}

extension UInt8 {
  var isTagLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
