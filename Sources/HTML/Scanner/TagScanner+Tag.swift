/// Names, attributes, and the end of a tag.
extension TagScanner {
  mutating func tagName(_ byte: UInt8) -> HTMLToken? {
    switch byte {
    case _ where byte.isHTMLSpace: state = .beforeAttribute
    case UInt8(ascii: "/"): state = .slash
    case UInt8(ascii: ">"): return finish()
    case _ where tag.name.count < Limits.nameByteCount: tag.name.append(folded(byte))
    default: tag.isCut = true
    }
    return nil
  }

  mutating func beforeAttribute(_ byte: UInt8) -> HTMLToken? {
    switch byte {
    case _ where byte.isHTMLSpace: break
    case UInt8(ascii: "/"): state = .slash
    case UInt8(ascii: ">"): return finish()
    default:
      // Even `=` begins a name here.
      name = []
      keep(inName: folded(byte))
      state = .attributeName
    }
    return nil
  }

  mutating func attributeName(_ byte: UInt8) -> HTMLToken? {
    switch byte {
    case _ where byte.isHTMLSpace: state = .afterAttributeName
    case UInt8(ascii: "/"):
      addAttribute(.none)
      state = .slash
    case UInt8(ascii: ">"):
      addAttribute(.none)
      return finish()
    case UInt8(ascii: "="): state = .beforeValue
    default: keep(inName: folded(byte))
    }
    return nil
  }

  mutating func afterAttributeName(_ byte: UInt8) -> HTMLToken? {
    if byte.isHTMLSpace { return nil }
    if byte == UInt8(ascii: "=") {
      state = .beforeValue
      return nil
    }
    addAttribute(.none)
    return beforeAttribute(byte)
  }

  mutating func beforeValue(_ byte: UInt8) -> HTMLToken? {
    switch byte {
    case _ where byte.isHTMLSpace: return nil
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      begin(valueAt: tokenByteCount)
      state = .quotedValue(byte)
    case UInt8(ascii: ">"):
      addAttribute(.none)
      return finish()
    default:
      begin(valueAt: tokenByteCount - 1)
      keep(inValue: byte)
      state = .unquotedValue
    }
    return nil
  }

  mutating func quotedValue(_ byte: UInt8, _ quote: UInt8) -> HTMLToken? {
    guard byte == quote else {
      keep(inValue: byte)
      return nil
    }
    addAttribute(.quoted)
    state = .beforeAttribute
    return nil
  }

  mutating func unquotedValue(_ byte: UInt8) -> HTMLToken? {
    if byte.isHTMLSpace {
      addAttribute(.unquoted)
      state = .beforeAttribute
    } else if byte == UInt8(ascii: ">") {
      addAttribute(.unquoted)
      return finish()
    } else {
      keep(inValue: byte)
    }
    return nil
  }

  mutating func slash(_ byte: UInt8) -> HTMLToken? {
    guard byte == UInt8(ascii: ">") else { return beforeAttribute(byte, after: .beforeAttribute) }
    tag.isSelfClosing = true
    return finish()
  }

  private mutating func beforeAttribute(_ byte: UInt8, after state: State) -> HTMLToken? {
    self.state = state
    return beforeAttribute(byte)
  }

  // MARK: what is kept

  private mutating func begin(valueAt place: Int) {
    value = []
    valueStart = place
  }

  private mutating func keep(inName byte: UInt8) {
    tagByteCount += 1
    if tagByteCount <= Limits.byteCount { name.append(byte) } else { tag.isCut = true }
  }

  private mutating func keep(inValue byte: UInt8) {
    tagByteCount += 1
    if tagByteCount <= Limits.byteCount { value.append(byte) } else { tag.isCut = true }
  }

  private enum ValueForm {
    case none
    case quoted
    case unquoted
  }

  private mutating func addAttribute(_ form: ValueForm) {
    guard tagByteCount <= Limits.byteCount, tag.attributes.count < Limits.attributeCount else {
      tag.isCut = true
      return
    }
    let place = form == .none ? 0..<0 : valueStart..<tokenByteCount - 1
    tag.attributes.append(
      HTMLAttribute(
        name: name, value: form == .none ? [] : value, valuePlace: place, isQuoted: form == .quoted))
  }

  // MARK: the end

  mutating func finish() -> HTMLToken {
    hasText = false
    state = .data
    if case .end = kind {
      leave(tag.name)
      return .endTag(tag.name)
    }
    if syntax == .html { enter() }
    return .startTag(tag)
  }

  private mutating func enter() {
    if tag.isNamed("svg") || tag.isNamed("math") {
      foreignDepth += tag.isSelfClosing ? 0 : 1
    } else if tag.isNamed("plaintext") {
      state = .plainText
    } else if foreignDepth == 0 || !tag.isSelfClosing, RawText.elements.contains(tag.name) {
      rawText = RawText(element: tag.name)
      state = .raw
    }
  }

  private mutating func leave(_ name: [UInt8]) {
    guard foreignDepth > 0, name.elementsEqual("svg".utf8) || name.elementsEqual("math".utf8) else { return }
    foreignDepth -= 1
  }
}
