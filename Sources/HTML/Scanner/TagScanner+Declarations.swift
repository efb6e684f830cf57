/// Comments, doctypes, and what else begins with `<!` or `<?`.
extension TagScanner {
  /// How far the end of a comment has been seen.
  struct CommentEnd: Sendable {
    /// Behind `<!--`, whose two dashes may also be those of the end.
    var dashCount = 2
    var byteCount = 0
    /// `--!`, which ends a comment as `--` does.
    var hasBang = false
  }

  /// Where a doctype of XML may end.
  struct DoctypeEnd: Sendable {
    var quote: UInt8?
    var depth = 0
  }

  /// What follows `<!`.
  mutating func markup(_ byte: UInt8) -> HTMLToken? {
    word.append(byte)
    let lowered = word.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    if lowered.elementsEqual("--".utf8) {
      state = .comment(CommentEnd())
    } else if lowered.elementsEqual("doctype".utf8) {
      state = .doctype(DoctypeEnd())
    } else if syntax == .xml, word.elementsEqual("[CDATA[".utf8) {
      word = []
      state = .section
    } else if !"--".utf8.starts(with: lowered), !"doctype".utf8.starts(with: lowered),
      syntax == .html || !"[CDATA[".utf8.starts(with: word)
    {
      state = .bogusComment
      return bogusComment(byte)
    }
    return nil
  }

  mutating func comment(_ byte: UInt8, _ end: CommentEnd) -> HTMLToken? {
    var end = end
    end.byteCount += 1
    switch byte {
    case UInt8(ascii: ">") where end.dashCount >= 2 || end.hasBang: return found(.comment)
    case UInt8(ascii: "-"):
      end.dashCount = end.byteCount == 1 ? 2 : end.dashCount + 1
      end.hasBang = false
    case UInt8(ascii: "!") where end.dashCount >= 2 && end.byteCount > 2 && !end.hasBang:
      end.hasBang = true
      end.dashCount = 0
    default:
      end.dashCount = 0
      end.hasBang = false
    }
    state = .comment(end)
    return nil
  }

  mutating func bogusComment(_ byte: UInt8) -> HTMLToken? {
    byte == UInt8(ascii: ">") ? found(.comment) : nil
  }

  /// In HTML the first `>` ends it, even in quotes.
  mutating func doctype(_ byte: UInt8, _ end: DoctypeEnd) -> HTMLToken? {
    guard syntax == .xml else { return byte == UInt8(ascii: ">") ? found(.doctype) : nil }
    var end = end
    switch (byte, end.quote) {
    case (let byte, let quote?): end.quote = byte == quote ? nil : quote
    case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): end.quote = byte
    case (UInt8(ascii: "["), nil): end.depth += 1
    case (UInt8(ascii: "]"), nil): end.depth -= 1
    case (UInt8(ascii: ">"), nil) where end.depth <= 0: return found(.doctype)
    default: break
    }
    state = .doctype(end)
    return nil
  }

  /// `<![CDATA[…]]>`: text.
  mutating func section(_ byte: UInt8) -> HTMLToken? {
    let isEnd = byte == UInt8(ascii: ">") && word.elementsEqual("]]".utf8)
    word = byte == UInt8(ascii: "]") ? Array((word + [byte]).suffix(2)) : []
    guard isEnd else { return nil }
    return text()
  }

  /// `<?…?>`
  mutating func instruction(_ byte: UInt8) -> HTMLToken? {
    let isEnd = byte == UInt8(ascii: ">") && word.elementsEqual("?".utf8)
    word = byte == UInt8(ascii: "?") ? [byte] : []
    return isEnd ? found(.comment) : nil
  }

  /// The content of an element such as `script`.
  mutating func raw(_ byte: UInt8) -> HTMLToken? {
    guard rawText.take(byte) else { return nil }
    kind = .end
    tag = HTMLTag()
    tag.name = rawText.element
    tagByteCount = 0
    tokenByteCount = tag.name.count + 3
    state = .tagName
    return tagName(byte)
  }

  private mutating func found(_ token: HTMLToken) -> HTMLToken {
    state = .data
    return token
  }
}
