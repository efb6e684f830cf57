/// The entity tags of what was changed: `W/"pb<version>.<tag>"`, with `w` behind the version where the origin's own tag was a weak one.
///
/// They are weak, since the bytes are not the origin's (RFC 9110, section 8.8.1), and name the version of the script, so that a client
/// which has an older one gets the page anew.
struct AdaptedTag: Equatable {
  let version: String
  /// The origin's tag as it sent it.
  let original: String

  init(version: String, original: String) {
    self.version = version
    self.original = original
  }

  /// nil: no tag of ours.
  init?(reading tag: Substring) {
    var text = tag
    if text.hasPrefix("W/") { text = text.dropFirst(2) }
    guard text.hasPrefix("\"pb"), text.hasSuffix("\""), text.count > 4, let dot = text.firstIndex(of: ".") else {
      return nil
    }
    var version = text[text.startIndex..<dot].dropFirst(3)
    let isWeak = version.last == "w"
    if isWeak { version = version.dropLast() }
    guard version.utf8.count == 8, version.allSatisfy(\.isHexDigit) else { return nil }
    self.version = String(version)
    original = (isWeak ? "W/\"" : "\"") + text[dot...].dropFirst()
  }

  /// What the client gets; nil: the origin's tag is malformed, and there can be none.
  var text: String? {
    let isWeak = original.hasPrefix("W/")
    let opaque = isWeak ? original.dropFirst(2) : original[...]
    guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") else { return nil }
    return "W/\"pb\(version)\(isWeak ? "w" : "").\(opaque.dropFirst())"
  }

  /// The members of `If-None-Match` (RFC 9110, section 13.1.2). A comma may stand inside a tag.
  static func members(of value: String) -> [Substring] {
    var members: [Substring] = []
    var isQuoted = false
    var start = value.startIndex
    for index in value.indices {
      if value[index] == "\"" { isQuoted.toggle() }
      guard value[index] == ",", !isQuoted else { continue }
      members.append(value[start..<index])
      start = value.index(after: index)
    }
    members.append(value[start...])
    return members.map { $0.trimmed }.filter { !$0.isEmpty }
  }
}

extension Substring {
  /// Without blanks at its ends.
  var trimmed: Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
