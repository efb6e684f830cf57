/// Columns of text, each as wide as its widest cell but for the last.
struct TextTable {
  private var rows: [[String]] = []

  mutating func add(_ cells: String...) {
    rows.append(cells)
  }

  /// One line for each row, with the margin before it.
  func text(margin: String = "") -> String {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.compactMap { column < $0.count - 1 ? $0[column].count : nil }.max() ?? 0
    }
    return rows.reduce(into: "") { text, row in
      text += margin
      for (column, cell) in row.enumerated() {
        text += column < row.count - 1 ? cell + String(repeating: " ", count: widths[column] - cell.count + 2) : cell
      }
      text += "\n"
    }
  }
}
