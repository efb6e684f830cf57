import Bytes
import HTML

/// Where a script may stand, and what follows it, token by token.
extension PageInserter {
  private enum Step {
    /// What comes before the head.
    case goOn
    case insertBehind
    /// The head, or what is as good as one, begins without a tag.
    case insertBefore
    /// There is no place.
    case giveUp
  }

  /// The next token, whose last byte has just been scanned.
  mutating func take(_ token: HTMLToken, _ output: ByteQueue) {
    guard case .searching = stage else { return takeInHead(token, output) }
    switch step(token) {
    case .goOn: break
    case .giveUp: stage = .done
    case .insertBehind:
      move(scanned, output)
      insert(output)
    case .insertBefore:
      move(scanned - scanner.tokenByteCount, output)
      insert(output)
      takeInHead(token, output)
    }
  }

  private mutating func step(_ token: HTMLToken) -> Step {
    switch token {
    case .doctype, .comment: return .goOn
    case .startTag(let tag) where tag.isNamed("html"):
      guard syntax == .xml else { return .goOn }
      isInsideRoot = !tag.isSelfClosing
      return isInsideRoot ? .goOn : .giveUp
    case .startTag(let tag) where tag.isNamed("head"):
      return syntax == .xml && tag.isSelfClosing ? .insertBefore : .insertBehind
    case .startTag, .endTag, .text:
      return syntax == .html || isInsideRoot ? .insertBefore : .giveUp
    }
  }

  mutating func insert(_ output: ByteQueue) {
    stage = .head
    output.append(units.write(element))
  }

  /// In XML the bytes of a script are markup but in a section.
  private var element: [UInt8] {
    switch syntax {
    case .html: Array("<script>".utf8) + script.bytes + Array("</script>".utf8)
    case .xml:
      Array("<script xmlns=\"http://www.w3.org/1999/xhtml\"><![CDATA[".utf8) + script.bytes
        + Array("]]></script>".utf8)
    }
  }

  // MARK: behind the script

  private static let inHead: Set<[UInt8]> = Set(
    ["base", "basefont", "bgsound", "link", "meta", "noscript", "script", "style", "template", "title", "head"].map {
      Array($0.utf8)
    })

  private mutating func takeInHead(_ token: HTMLToken, _ output: ByteQueue) {
    switch token {
    case .doctype, .comment: break
    case .startTag(let tag) where tag.isNamed("meta"): adapt(tag, output)
    case .startTag(let tag) where Self.inHead.contains(tag.name): break
    case .endTag(let name) where Self.inHead.contains(name) && !name.elementsEqual("head".utf8): break
    // Between the tags of a title or a template.
    case .text where syntax == .xml: break
    case .startTag, .endTag, .text: stage = .done
    }
  }

  /// Puts an adapted policy (HTML, section 4.2.5.3, "Content security policy state") in the place of the page's own.
  private mutating func adapt(_ tag: HTMLTag, _ output: ByteQueue) {
    guard let kind = tag.attribute("http-equiv"), let content = tag.attribute("content"),
      String(decoding: HTMLReferences.decode(kind.value), as: UTF8.self).lowercased() == "content-security-policy",
      content.value.allSatisfy({ $0 < 0x80 }), !content.valuePlace.isEmpty
    else { return }
    let policy = String(decoding: HTMLReferences.decode(content.value), as: UTF8.self)
    let adapted = policies.adapt(policy[...])
    guard adapted != policy else { return }
    let start = scanned - scanner.tokenByteCount
    move(start + content.valuePlace.lowerBound, output)
    drop(content.valuePlace.count)
    let text = HTMLReferences.encode(Array(adapted.utf8))
    output.append(units.write(content.isQuoted ? text : [0x22] + text + [0x22]))
  }
}
