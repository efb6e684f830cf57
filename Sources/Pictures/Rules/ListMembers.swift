/// The members of a comma-separated list (RFC 9110, section 5.6.1), trimmed, without empty ones. Commas in quoted strings separate nothing.
struct ListMembers: Sequence, IteratorProtocol {
  private var rest: Substring.UTF8View?

  init(_ text: String) {
    rest = text[...].utf8
  }

  mutating func next() -> String? {
    while let current = rest {
      let end = Self.end(of: current)
      rest = end < current.endIndex ? current[current.index(after: end)...] : nil
      let member = String(Substring(current[..<end])).trimmingBlanks
      if !member.isEmpty { return member }
    }
    return nil
  }

  private static func end(of text: Substring.UTF8View) -> Substring.Index {
    var isQuoted = false
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted:
        index = text.index(after: index)
        if index == text.endIndex { return index }
      case UInt8(ascii: ",") where !isQuoted: return index
      default: break
      }
      index = text.index(after: index)
    }
    return index
  }
}
