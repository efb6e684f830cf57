import Policy
import Testing

@testable import Configuration

@Suite struct JSON5ReaderTests {
  @Test(arguments: [
    ("{}", PropertyValue.dictionary([:])),
    ("[]", .array([])),
    ("null", .null),
    ("true", .boolean(true)),
    ("'it''s'".replacing("''", with: "\\'"), .string("it's")),
    ("\"\\u00e9\\x41\\n\\0\\\n\\z\"", .string("éA\n\0z")),
    ("\"\\uD83D\\uDE00\"", .string("😀")),
    ("'a\\\r\nb\\\u{2028}c\u{2029}d'", .string("abc\u{2029}d")),
    ("'\t'", .string("\t")),
    ("0x1F", .integer(31)),
    ("-0XfF", .integer(-255)),
    ("+7", .integer(7)),
    ("0", .integer(0)),
    ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .real(9_223_372_036_854_775_808)),
    ("0x10000000000000000", .real(18_446_744_073_709_551_616)),
    (".5", .real(0.5)),
    ("5.", .real(5)),
    ("-1.25e+2", .real(-125)),
    ("1E-2", .real(0.01)),
    (
      "{a: 1, 'b': 2, \"c\": 3, $_d9: 4, \\u0065: 5, ünï: 6,}".replacing("ünï", with: "ü\u{200D}n"),
      .dictionary([
        "a": .integer(1), "b": .integer(2), "c": .integer(3), "$_d9": .integer(4), "e": .integer(5),
        "ü\u{200D}n": .integer(6),
      ])
    ),
    (
      "[1, [2,], {x: [null]},]",
      .array([.integer(1), .array([.integer(2)]), .dictionary(["x": .array([.null])])])
    ),
    (
      "\u{FEFF}// line\u{2028}/* block\n * */\u{A0}\u{3000}\u{B}[/**/1/***/,2//\n]//",
      .array([.integer(1), .integer(2)])
    ),
  ])
  func `reads what JSON5 allows`(_ text: String, _ expected: PropertyValue) throws {
    let document = JSON5Reader.read(text)
    #expect(document.faults.isEmpty, "\(document.faults.map(\.message))")
    #expect(PropertyValue(try #require(document.root)) == expected)
  }

  /// The text, the line and column of the fault, and a word of its message.
  @Test(arguments: [
    ("", 1, 1, "empty"),
    (" \n ", 2, 2, "empty"),
    ("{} x", 1, 4, "nothing may follow"),
    ("{ a: 1 b: 2 }", 1, 8, "`b`"),
    ("{ log: { level: 'info' }\n  limits: {} }", 2, 3, "`limits`"),
    ("{ a 1 }", 1, 5, "`:`"),
    ("{ a: }", 1, 6, "a value is expected"),
    ("{ , }", 1, 3, "a key or `}`"),
    ("{ 1a: 2 }", 1, 3, "a key"),
    ("[,]", 1, 2, "a value is expected"),
    ("[1 2]", 1, 4, "`]`"),
    ("{\n a: {", 2, 5, "`{` has no `}`"),
    ("[1,\n\n[2", 3, 1, "`[` has no `]`"),
    ("{ a: info }", 1, 6, "quotes"),
    ("'abc", 1, 1, "closing quote"),
    ("{ a: 'b\nc' }", 1, 6, "closing quote"),
    ("/* x", 1, 1, "comment"),
    ("/x", 1, 1, "comment"),
    ("'\\1'", 1, 2, "digit"),
    ("'\\08'", 1, 2, "octal"),
    ("'\\xZ0'", 1, 4, "hexadecimal"),
    ("'\\uD800'", 1, 2, "surrogate"),
    ("'\\uDC00'", 1, 2, "surrogate"),
    ("'\\uD800\\u0041'", 1, 2, "surrogate"),
    ("{ \\uD800: 1 }", 1, 3, "surrogate"),
    ("{ \\u0020: 1 }", 1, 3, "without quotes"),
    ("01", 1, 1, "not a number"),
    ("0x", 1, 1, "not a number"),
    ("1e", 1, 1, "not a number"),
    (".", 1, 1, "not a number"),
    ("+", 1, 1, "not a number"),
    ("1.2.3", 1, 1, "not a number"),
    ("--1", 1, 1, "not a number"),
    ("12px", 1, 1, "not a number"),
    ("é", 1, 1, "a value is expected"),
    ("{ ключ: 1, 'é': % }", 1, 17, "`%`"),
  ])
  func `says where the text is wrong`(_ text: String, _ line: Int, _ column: Int, _ word: String) throws {
    let document = JSON5Reader.read(text)
    #expect(document.root == nil)
    let fault = try #require(document.faults.last)
    let position = SourceText(name: "", bytes: Array(text.utf8)).position(of: fault.offset)
    #expect(position == SourcePosition(line: line, column: column), "\(fault.message)")
    #expect(fault.message.contains(word), "\(fault.message)")
  }

  @Test(arguments: ["Infinity", "-Infinity", "+Infinity", "NaN", "-NaN", "1e999", "-1e999"])
  func `numbers are finite`(_ number: String) throws {
    let document = JSON5Reader.read("{ limits: { connections: \(number) }, log: [\(number)] }")
    #expect(document.root != nil, "the rest is read")
    #expect(document.faults.map(\.path.description) == ["limits.connections", "log[0]"])
  }

  @Test func `each key that is given twice is found, the first value stays`() throws {
    let document = JSON5Reader.read("{ a: 1,\n 'a': 2, b: { c: 1, \\u0063: 2 } }")
    #expect(document.faults.map(\.path.description) == ["a", "b.c"])
    #expect(document.faults.first?.firstOffset == 2)
    #expect(
      PropertyValue(try #require(document.root))
        == .dictionary(["a": .integer(1), "b": .dictionary(["c": .integer(1)])]))
  }

  @Test func `nesting is bounded`() {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(JSON5Reader.read(nested(64)).root != nil)
    #expect(JSON5Reader.read(nested(65)).faults.first?.message.contains("64") == true)
    #expect(JSON5Reader.read(String(repeating: "[", count: 1_000_000)).root == nil)
    #expect(JSON5Reader.read(String(repeating: "{a:", count: 1_000_000)).root == nil)
  }

  @Test func `text that is not UTF-8 is refused with its place`() {
    let document = JSON5Reader.read(Array("{ a: '".utf8) + [0xC3, 0x28] + Array("' }".utf8))
    #expect(document.root == nil)
    #expect(document.faults.first?.offset == 6)
  }

  @Test func `lines end with LF, CR or both`() {
    let text = SourceText(name: "", bytes: Array("a\r\nb\rc\nd".utf8))
    #expect([0, 3, 5, 7, 8, 99].map { text.position(of: $0).line } == [1, 2, 3, 4, 4, 4])
    #expect(text.position(of: 99).column == 2)
  }

  @Test func `mutated text neither crashes nor hangs`() {
    let seeds = [
      "{ a: [1, 0x1F, -.5e3, 'x\\u00e9\\n', \"y\"], /* c */ b: { c: null, d: true, }, // e\n $f: Infinity }",
      "{ listeners: [{ address: '127.0.0.1:0', mode: 'reverse', origin: 'https://a.test' }], limits: { head: '64KiB' } }",
    ].map { Array($0.utf8) }
    var random = SeededGenerator(seed: 20_240_607)
    for turn in 0..<6000 {
      var bytes = seeds[turn % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(seeds[0].randomElement(using: &random) ?? 0, at: place)
        default: bytes.replaceSubrange(place..., with: bytes[place...].reversed())
        }
      }
      let document = JSON5Reader.read(bytes)
      #expect(document.root != nil || !document.faults.isEmpty)
      let text = SourceText(name: "", bytes: bytes)
      for fault in document.faults { #expect(text.position(of: fault.offset).line >= 1) }
    }
  }
}

/// Yields the same numbers in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
