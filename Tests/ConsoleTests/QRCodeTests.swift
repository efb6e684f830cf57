import Testing

@testable import Console

@Suite struct QRCodeTests {
  private static let url = "http://192.0.2.1:8082/"

  /// The same modules again, read from the paths of the picture.
  @Test func thePictureHasEveryModule() throws {
    let code = try #require(QRCode(Self.url))
    var dark: Set<[Int]> = []
    for match in code.svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
      let (column, row, length) = (Int(match.1) ?? -1, Int(match.2) ?? -1, Int(match.3) ?? -1)
      #expect(match.3 == match.4)
      for offset in 0..<length { #expect(dark.insert([row - 4, column - 4 + offset]).inserted) }
    }
    let expected = (0..<code.size * code.size).filter { code.modules[$0] }.map { [$0 / code.size, $0 % code.size] }
    #expect(dark == Set(expected))
    #expect(code.svg.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\" shape-rendering=\"crispEdges\""))
  }

  /// And from the half blocks of the terminal.
  @Test func theTerminalHasEveryModule() throws {
    let code = try #require(QRCode(Self.url))
    let lines = code.terminalText(margin: ">").split(separator: "\n").map { line in
      line.replacing(/\u{1B}\[[0-9;]*m/, with: "").dropFirst()
    }
    for (index, line) in lines.enumerated() {
      #expect(line.count == code.size + 4)
      for (column, block) in line.enumerated() {
        #expect((block == "█" || block == "▀") == code.isDark(2 * index - 2, column - 2))
        #expect((block == "█" || block == "▄") == code.isDark(2 * index - 1, column - 2))
      }
    }
    #expect(lines.count >= (code.size + 4) / 2)
  }

  /// The marks in three corners by which readers find a code, and the row and column of timing between them.
  @Test func itIsAQRCode() throws {
    let code = try #require(QRCode(Self.url))
    #expect((code.size - 17) % 4 == 0)
    for (top, left) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
      for row in 0..<7 {
        for column in 0..<7 {
          let ring = max(abs(row - 3), abs(column - 3))
          #expect(code.isDark(top + row, left + column) == (ring != 2))
        }
      }
    }
    for place in 8..<code.size - 8 { #expect(code.isDark(6, place) == (place % 2 == 0)) }
  }

  @Test func textsThatAreNoAddressHaveNone() {
    #expect(QRCode("") == nil && QRCode("a\0b") == nil)
    #expect(QRCode(String(repeating: "x", count: 1_025)) == nil)
    #expect(QRCode(String(repeating: "x", count: 1_024)) != nil)
  }
}
