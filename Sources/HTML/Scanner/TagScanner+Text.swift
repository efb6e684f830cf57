/// What stands between tags, and how a tag begins.
extension TagScanner {
  mutating func data(_ byte: UInt8) -> HTMLToken? {
    guard byte != UInt8(ascii: "<") else {
      state = .tagOpen
      return nil
    }
    return byte.isHTMLSpace ? nil : text()
  }

  /// Text begins, or goes on.
  mutating func text() -> HTMLToken? {
    state = .data
    guard !hasText else { return nil }
    hasText = true
    return .text
  }

  mutating func tagOpen(_ byte: UInt8) -> HTMLToken? {
    switch byte {
    case UInt8(ascii: "!"):
      word = []
      state = .markup
    case UInt8(ascii: "/"): state = .endTagOpen
    case UInt8(ascii: "?"):
      word = []
      state = syntax == .xml ? .instruction : .bogusComment
    case _ where begins(byte): begin(.start, byte)
    case UInt8(ascii: "<"):
      takesAgain = true
      return text()
    default: return text()
    }
    return nil
  }

  mutating func endTagOpen(_ byte: UInt8) -> HTMLToken? {
    if begins(byte) {
      begin(.end, byte)
    } else if byte == UInt8(ascii: ">") {
      // `</>` is nothing at all.
      state = .data
    } else {
      state = .bogusComment
    }
    return nil
  }

  /// Whether a name of a tag may begin so.
  private func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...0xFF: syntax == .xml
    default: false
    }
  }

  private mutating func begin(_ kind: Kind, _ byte: UInt8) {
    self.kind = kind
    tag = HTMLTag()
    tag.name = [folded(byte)]
    tagByteCount = 0
    state = .tagName
  }

  /// Names of HTML mean the same in any case.
  func folded(_ byte: UInt8) -> UInt8 {
    guard syntax == .html, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) else { return byte }
    return byte | 0x20
  }
}
