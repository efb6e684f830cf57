/// Finds tags, comments and the doctype in the bytes of a page that comes in pieces, as the tokenizer of HTML (section 13.2.5) or XML
/// splits them.
///
/// It works on bytes: in every encoding of the web but UTF-16 markup is ASCII. Where characters have two bytes, as in Shift_JIS, GBK or
/// Big5, the second may look like a letter, never like `<`, `>` or a quote; only ISO-2022-JP could mislead it. Memory is bounded by one
/// tag, and that by `Limits`.
public struct TagScanner: Sendable {
  public enum Syntax: Sendable {
    case html
    case xml
  }

  /// What is kept of one tag.
  enum Limits {
    static let nameByteCount = 64
    static let attributeCount = 64
    static let byteCount = 16 << 10
  }

  enum State: Sendable {
    case data
    case tagOpen
    case endTagOpen
    case tagName
    case beforeAttribute
    case attributeName
    case afterAttributeName
    case beforeValue
    case quotedValue(UInt8)
    case unquotedValue
    case slash
    case markup
    case comment(CommentEnd)
    case bogusComment
    case doctype(DoctypeEnd)
    case section
    case instruction
    case raw
    /// Behind `<plaintext>` there are no tags.
    case plainText
  }

  /// Whether the end tag is being read.
  enum Kind: Sendable {
    case start
    case end
  }

  let syntax: Syntax
  var state = State.data
  var kind = Kind.start
  var tag = HTMLTag()
  var tagByteCount = 0
  var name: [UInt8] = []
  var value: [UInt8] = []
  var valueStart = 0
  /// What followed `<!` so far, or the end of a section or instruction.
  var word: [UInt8] = []
  /// Set while `state` is `raw`.
  var rawText = RawText(element: [])
  /// The byte that was taken belongs to what comes next.
  var takesAgain = false
  /// Text was told since the last tag.
  var hasText = false
  /// How many elements of SVG or MathML are open.
  var foreignDepth = 0

  /// How many bytes the token has so far that is being read, or had that was found last; from its `<` on. For text: up to its first
  /// byte that is no white space.
  public internal(set) var tokenByteCount = 0

  public init(syntax: Syntax = .html) {
    self.syntax = syntax
  }

  /// Whether the bytes at the end of what was scanned may yet become a tag. False inside comments and the like, which have no part
  /// in what an element is.
  public var isInsideTag: Bool {
    switch state {
    case .tagOpen, .endTagOpen, .tagName, .beforeAttribute, .attributeName, .afterAttributeName, .beforeValue,
      .quotedValue, .unquotedValue, .slash, .markup:
      true
    default: false
    }
  }

  /// Whether what was scanned ends outside of any token and of elements whose content is raw text.
  public var isBetweenTokens: Bool {
    if case .data = state { true } else { false }
  }

  /// The next token of `bytes` from `position` on, which moves behind it; nil: all bytes are used up, and the next call gets those
  /// that follow.
  public mutating func next(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> HTMLToken? {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if case .data = state { tokenByteCount = 0 }
      tokenByteCount += 1
      let token = take(byte)
      if takesAgain {
        takesAgain = false
        position -= 1
        tokenByteCount -= 1
      }
      if let token { return token }
    }
    return nil
  }

  /// One byte.
  private mutating func take(_ byte: UInt8) -> HTMLToken? {
    switch state {
    case .data: data(byte)
    case .tagOpen: tagOpen(byte)
    case .endTagOpen: endTagOpen(byte)
    case .tagName: tagName(byte)
    case .beforeAttribute: beforeAttribute(byte)
    case .attributeName: attributeName(byte)
    case .afterAttributeName: afterAttributeName(byte)
    case .beforeValue: beforeValue(byte)
    case .quotedValue(let quote): quotedValue(byte, quote)
    case .unquotedValue: unquotedValue(byte)
    case .slash: slash(byte)
    case .markup: markup(byte)
    case .comment(let end): comment(byte, end)
    case .bogusComment: bogusComment(byte)
    case .doctype(let end): doctype(byte, end)
    case .section: section(byte)
    case .instruction: instruction(byte)
    case .raw: raw(byte)
    case .plainText: nil
    }
  }
}
