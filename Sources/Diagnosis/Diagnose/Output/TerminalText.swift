/// Text for a terminal.
enum TerminalText {
  static let width = 80

  /// Control characters, which a certificate's name may have, would steer the terminal; tabs do not.
  static func safe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: steers) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { steers($0) ? "\u{FFFD}" : $0 }))
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\t"
  }

  /// Breaks lines at spaces; the lines after the first are indented.
  static func wrapped(_ text: String, lead: String = "", indent: String = "  ") -> [String] {
    var lines: [String] = []
    var line = lead
    var isEmpty = true
    for word in safe(text).split(separator: " ") {
      if isEmpty || line.count + 1 + word.count <= width {
        line += isEmpty ? word : " \(word)"
      } else {
        lines.append(line)
        line = indent + word
      }
      isEmpty = false
    }
    return lines + [line]
  }

  /// Two columns.
  static func table(_ rows: [(String, String)], margin: String = "  ") -> [String] {
    let column = rows.map(\.0.count).max() ?? 0
    return rows.flatMap { name, value in
      let lead = margin + name + String(repeating: " ", count: column - name.count + 2)
      return wrapped(value, lead: lead, indent: String(repeating: " ", count: lead.count))
    }
  }
}
