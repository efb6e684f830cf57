/// The content of an element in which nothing but its own end tag is markup (HTML, section 13.1.2: raw text and escapable raw text).
struct RawText: Sendable {
  /// In a script, `<!--` and `<script` hide an end tag (HTML, section 13.2.5.20 and what follows).
  enum Escape: Sendable {
    case none
    case escaped
    case doublyEscaped
  }

  let element: [UInt8]
  let isScript: Bool
  /// How many bytes of `</name` have just been seen.
  var matched = 0
  var escape = Escape.none
  /// The last eight bytes, in lower case.
  var window: UInt64 = 0

  static let elements: Set<[UInt8]> = Set(
    ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"].map { Array($0.utf8) })
  private static let scriptName = Array("script".utf8)

  init(element: [UInt8]) {
    self.element = element
    isScript = element == Self.scriptName
  }

  /// Whether the byte ends the name of the end tag that closes the element.
  mutating func take(_ byte: UInt8) -> Bool {
    let isEnd = matched == element.count + 2 && (byte.isHTMLSpace || byte == 0x2F || byte == 0x3E)
    if isEnd, escape != .doublyEscaped { return true }
    if isScript { follow(byte) }
    match(byte)
    return false
  }

  private mutating func match(_ byte: UInt8) {
    let byte = Self.lowered(byte)
    let expected: UInt8? =
      switch matched {
      case 0: UInt8(ascii: "<")
      case 1: UInt8(ascii: "/")
      case element.count + 2: nil
      default: element[matched - 2]
      }
    matched = byte == expected ? matched + 1 : byte == UInt8(ascii: "<") ? 1 : 0
  }

  private mutating func follow(_ byte: UInt8) {
    if byte.isHTMLSpace || byte == 0x2F || byte == 0x3E {
      if escape == .escaped, Self.isWord("<script", window, 7) {
        escape = .doublyEscaped
      } else if escape == .doublyEscaped, Self.isWord("</script", window, 8) {
        escape = .escaped
      }
    }
    window = window << 8 | UInt64(Self.lowered(byte))
    if escape == .none, Self.isWord("<!--", window, 4) { escape = .escaped }
    if escape != .none, Self.isWord("-->", window, 3) { escape = .none }
  }

  private static func isWord(_ word: StaticString, _ window: UInt64, _ count: Int) -> Bool {
    var wanted: UInt64 = 0
    for byte in UnsafeBufferPointer(start: word.utf8Start, count: count) { wanted = wanted << 8 | UInt64(byte) }
    return window & (UInt64.max >> UInt64(64 - count * 8)) == wanted
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
