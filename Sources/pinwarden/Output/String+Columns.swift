/// How much room text takes at a terminal.
extension String {
  /// In columns: characters of East Asia take two, marks that join the one before take none.
  var columnCount: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columnCount }
  }

  /// Its words in lines of at most so many columns; at least one line. A word that is longer has a line of its own.
  func lines(of columns: Int) -> [String] {
    var lines: [String] = []
    var words = split(separator: " ", omittingEmptySubsequences: false)[...]
    var line = words.popFirst().map { String($0) } ?? ""
    var taken = line.columnCount
    for word in words {
      let count = String(word).columnCount
      if taken + 1 + count <= columns {
        line += " \(word)"
        taken += 1 + count
      } else {
        lines.append(line)
        line = String(word)
        taken = count
      }
    }
    return lines + [line]
  }

  /// With spaces behind it up to so many columns.
  func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - columnCount))
  }
}

extension Character {
  /// Of the characters that are put together to one, the widest counts.
  fileprivate var columnCount: Int { unicodeScalars.lazy.map(\.columnCount).max() ?? 0 }
}

extension Unicode.Scalar {
  fileprivate var columnCount: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return Self.wide.contains { $0.contains(value) } || properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// The blocks whose characters are wide or full-width by Unicode's annex 11.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
    0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
