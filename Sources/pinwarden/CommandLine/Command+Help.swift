extension Command {
  /// How the command is called; words that belong on one line stay together.
  private func synopsis(lead: String) -> String {
    var words = [lead + "pinwarden \(name)"] + options.map { "[\($0.synopsis)]" + ($0.isRepeatable ? "…" : "") }
    if !operands.isEmpty { words.append(operands) }
    return Self.wrapped(words[...], indent: "         ")
  }

  /// The text of `--help`, for standard output.
  var help: String {
    var text = ""
    for (index, command) in ((isGroup ? [] : [self]) + subcommands).enumerated() {
      text += command.synopsis(lead: index == 0 ? "usage: " : "       ")
    }
    text += "\n" + Self.wrapped(summary.prefix(1).uppercased() + summary.dropFirst() + ".", indent: "")
    if !subcommands.isEmpty {
      text += "\n" + Self.table(subcommands.map { ($0.lastWord, $0.summary) })
    }
    if !details.isEmpty {
      text += details.split(separator: "\n", omittingEmptySubsequences: false)
        .reduce(into: "\n") { $0 += Self.wrapped(String($1), indent: "") }
    }
    let known = subcommands.flatMap(\.options).reduce(into: options) { known, option in
      if !known.contains(option) { known.append(option) }
    }
    text += "\noptions:\n"
    return text + Self.table(known.map { ($0.synopsis, $0.help) } + [("--help", "this text")])
  }

  /// Two columns; a first column that is too wide gets a line of its own.
  static func table(_ rows: [(String, String)]) -> String {
    let column = 26
    return rows.reduce(into: "") { text, row in
      let lead = "  \(row.0)"
      let isNarrow = lead.count <= column - 2
      let first = isNarrow ? lead + String(repeating: " ", count: column - lead.count) : lead + "\n"
      let margin = String(repeating: " ", count: column)
      text += first + wrapped(isNarrow ? row.1 : margin + row.1, indent: margin, offset: isNarrow ? column : 0)
    }
  }

  /// Breaks lines at spaces so that they fit into 80 columns, the first one `offset` earlier; ends with a line feed.
  static func wrapped(_ text: String, indent: String, offset: Int = 0) -> String {
    wrapped(
      text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }[...], indent: indent,
      offset: offset)
  }

  private static func wrapped(_ words: ArraySlice<String>, indent: String, offset: Int = 0) -> String {
    let width = TextStyle.standardWidth
    var lines = ""
    var line = words.first ?? ""
    var room = width - offset
    for word in words.dropFirst() {
      if line.columnCount + 1 + word.columnCount <= room {
        line += " \(word)"
      } else {
        lines += line + "\n"
        line = indent + word
        room = width
      }
    }
    return lines + line + "\n"
  }
}
