/// Columns of text, each as wide as its widest cell but for the last, whose words go on below each other where the line is full.
struct TextTable {
  private var rows: [[PaintedText]] = []

  /// A last column narrower than this goes on a line of its own.
  private static let narrowest = 24

  mutating func add(_ cells: String...) {
    rows.append(cells.map { PaintedText($0) })
  }

  mutating func add(painted cells: PaintedText...) {
    rows.append(cells)
  }

  var isEmpty: Bool { rows.isEmpty }

  /// One line for each row, or more where the last cell is long, with the margin before it.
  func text(margin: String = "", style: TextStyle = .plain) -> String {
    let widths = widths
    return rows.reduce(into: "") { $0 += text(of: $1, widths, margin, style) }
  }

  /// Of all columns but the last of each row.
  private var widths: [Int] {
    let columnCount = rows.map(\.count).max() ?? 0
    return (0..<columnCount).map { column in
      rows.compactMap { column < $0.count - 1 ? $0[column].text.columnCount : nil }.max() ?? 0
    }
  }

  private func text(of row: [PaintedText], _ widths: [Int], _ margin: String, _ style: TextStyle) -> String {
    guard let last = row.last else { return margin + "\n" }
    var lead = margin
    var taken = margin.columnCount
    for (cell, width) in zip(row.dropLast(), widths) {
      lead += style.painted(cell) + String(repeating: " ", count: width - cell.text.columnCount + 2)
      taken += width + 2
    }
    if style.width - taken < Self.narrowest, last.text.columnCount > style.width - taken {
      let inner = margin + "    "
      return lead.trimmedAtEnd + "\n" + style.wrapped(last.text, lead: inner, indent: inner, paint: last.paint)
    }
    let indent = String(repeating: " ", count: taken)
    let lines = last.text.lines(of: style.width - taken)
    return lines.enumerated().reduce(into: "") { text, line in
      let shown = style.painted(line.element, last.paint)
      text += ((line.offset == 0 ? lead : indent) + shown).trimmedAtEnd + "\n"
    }
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
