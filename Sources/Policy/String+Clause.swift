/// Parts of sentences that come from elsewhere, some as clauses and some as whole sentences.
extension String {
  /// Without the full stop of a sentence and its capital letter, to follow a colon. What begins with a name or an abbreviation keeps
  /// its capitals.
  var clause: String {
    var text = self[...]
    while text.last == "." || text.last == " " { text.removeLast() }
    let letters = text.unicodeScalars.prefix(2)
    guard let first = letters.first, ("A"..."Z").contains(first),
      letters.dropFirst().allSatisfy({ ("a"..."z").contains($0) || $0 == " " })
    else { return String(text) }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// With a capital letter and a full stop.
  var sentence: String {
    let text = drop { $0 == " " }
    guard let last = text.last else { return "" }
    return text.prefix(1).uppercased() + text.dropFirst() + (".!?".contains(last) ? "" : ".")
  }
}
