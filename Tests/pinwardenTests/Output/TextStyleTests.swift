import Testing

@testable import pinwarden

@Suite struct TextStyleTests {
  private static let painted = TextStyle(width: 80, colours: .ansi)

  @Test(arguments: [
    (["TERM": "xterm"], TextStyle.Colours.ansi), (["TERM": "dumb"], .none), ([:], .none),
    (["TERM": "xterm", "NO_COLOR": "1"], .none), (["TERM": "xterm", "NO_COLOR": ""], .ansi),
  ])
  func `colours are for terminals that have them and people who want them`(
    environment: [String: String], colours: TextStyle.Colours
  ) {
    #expect(TextStyle(terminal: 80, environment: environment).colours == colours)
    #expect(TextStyle.plain.colours == .none)
  }

  @Test(arguments: [(0, 80), (20, 40), (72, 72), (100, 100), (300, 100)])
  func `the terminal's width counts within limits`(columns: Int, width: Int) {
    #expect(TextStyle(terminal: columns, environment: [:]).width == width)
  }

  @Test func `paint is put around text`() {
    #expect(Self.painted.painted("x", .bad) == "\u{1B}[31mx\u{1B}[0m")
    #expect(Self.painted.painted("x", .plain) == "x" && Self.painted.painted("", .bad).isEmpty)
    #expect(TextStyle.plain.painted("x", .bad) == "x")
  }

  @Test(arguments: [
    ("a.test", 6), ("", 0), ("日本.test", 9), ("ｗｉｄｅ", 8), ("e\u{301}", 1), ("한국", 4), ("Ü", 1), ("🙂", 2),
    ("a\u{200B}b", 2),
  ])
  func `characters of East Asia take two columns`(text: String, columns: Int) {
    #expect(text.columnCount == columns)
  }

  @Test func `lines are broken at spaces`() {
    #expect("one two three".lines(of: 7) == ["one two", "three"])
    #expect("one two three".lines(of: 8) == ["one two", "three"])
    #expect("averylongword b".lines(of: 5) == ["averylongword", "b"])
    #expect("".lines(of: 5) == [""] && "日本 日本".lines(of: 8) == ["日本", "日本"])
    let style = TextStyle(width: 40, colours: .none)
    #expect(
      style.wrapped("words that are more than what fits into one line", lead: "- ", indent: "  ")
        == "- words that are more than what fits\n  into one line\n")
  }

  @Test func `tables are aligned by what is seen`() {
    var table = TextTable()
    table.add("日本", "x", "one")
    table.add(painted: PaintedText("a", .good), PaintedText("long"), PaintedText("two", .bad))
    #expect(table.text(margin: " ") == " 日本  x     one\n a     long  two\n")
    #expect(
      table.text(style: Self.painted)
        == "日本  x     one\n\u{1B}[32ma\u{1B}[0m     long  \u{1B}[31mtwo\u{1B}[0m\n")
  }

  @Test func `a long last cell goes on below itself, or on lines of its own where there is no room`() {
    let style = TextStyle(width: 40, colours: .none)
    var table = TextTable()
    table.add("key", "a sentence that does not fit into one line")
    #expect(table.text(style: style) == "key  a sentence that does not fit into\n     one line\n")
    var narrow = TextTable()
    narrow.add("a first column that is wide", "a sentence that does not fit")
    #expect(
      narrow.text(style: style) == "a first column that is wide\n    a sentence that does not fit\n")
  }
}
