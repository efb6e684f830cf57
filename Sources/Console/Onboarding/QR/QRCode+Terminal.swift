extension QRCode {
  /// Lines for a terminal, two rows of modules a line, in black and white whatever the colours of the terminal are (ECMA-48, SGR).
  public func terminalText(margin: String) -> String {
    let quiet = 2
    let columns = -quiet..<size + quiet
    let rows = stride(from: -quiet, to: size + quiet, by: 2)
    return rows.map { row in
      let line = columns.map { Self.block(upper: isDark(row, $0), lower: isDark(row + 1, $0)) }.joined()
      return "\(margin)\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m\n"
    }.joined()
  }

  private static func block(upper: Bool, lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
