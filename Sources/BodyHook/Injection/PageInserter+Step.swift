import HTML

/// Where a script may stand, token by token.
extension PageInserter {
  enum Step {
    /// What comes before the head.
    case goOn
    case insertBehind
    /// The head, or what is as good as one, begins without a tag.
    case insertBefore
    /// There is no place.
    case giveUp
  }

  static func step(_ token: HTMLToken, _ syntax: TagScanner.Syntax, _ isInsideRoot: inout Bool) -> Step {
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
}
