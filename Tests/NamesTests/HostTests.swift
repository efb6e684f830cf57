import Names
import Testing

struct HostTests {
  @Test(arguments: [
    ("a.test", "a.test"), ("A.Test", "a.test"), ("a.test.", "a.test"), ("localhost", "localhost"),
    ("a_b.test", "a_b.test"),
    ("-a-.test", "-a-.test"), ("r3---sn.test", "r3---sn.test"), ("b\u{FC}cher.test", "xn--bcher-kva.test"),
    ("B\u{DC}CHER.Test.", "xn--bcher-kva.test"), ("XN--BCHER-KVA.test", "xn--bcher-kva.test"),
    ("fa\u{DF}.de", "xn--fa-hia.de"),
    ("a\u{3002}b", "a.b"), ("\u{FF21}.test", "a.test"), ("xn--ls8h.test", "xn--ls8h.test"),
    ("192.0.2.7", "192.0.2.7"), ("192.0.2.7.", "192.0.2.7"), ("\u{FF11}92.0.2.7", "192.0.2.7"),
    ("[2001:DB8:0:0::1]", "2001:db8::1"),
    ("2001:DB8::1", "2001:db8::1"), ("::ffff:1.2.3.4", "::ffff:1.2.3.4"), ("0x7f.a", "0x7f.a"),
    ("1.2.3.4.a", "1.2.3.4.a"), ("a.0xg", "a.0xg"),
    ("a.1b", "a.1b"), ("0.test", "0.test"),
  ])
  func normalForm(text: String, expected: String) throws {
    let host = try Host(text)
    #expect(host.text == expected)
    #expect(try Host(expected) == host)
    #expect(host.description == expected)
  }

  @Test(arguments: [
    ("", NameFault.empty), (".", .badLabel("")), ("..", .badLabel("")), ("a..b", .badLabel("")), (".a", .badLabel("")),
    ("a..", .badLabel("")),
    ("a b", .badCharacter), ("a\0b", .badCharacter), ("\0", .badCharacter), ("a%2etest", .badCharacter),
    ("a/b", .badCharacter),
    ("a\\b", .badCharacter), ("user@a.test", .badCharacter), ("*.a.test", .badCharacter), ("a.test:80", .badCharacter),
    ("a\u{A0}b.test", .badCharacter),
    ("a\r\nb", .badCharacter), ("a\u{7F}", .badCharacter), ("\u{FC}:80", .badCharacter), ("\u{FC}\0", .badCharacter),
    ("a]", .badCharacter),
    ("1", .badAddress("1")), ("127.1", .badAddress("127.1")), ("0x7f.1", .badAddress("0x7f.1")),
    ("0x7f000001", .badAddress("0x7f000001")),
    ("1.2.3.0x4", .badAddress("1.2.3.0x4")), ("017700000001", .badAddress("017700000001")),
    ("01.2.3.4", .badAddress("01.2.3.4")),
    ("1.2.3.4.5", .badAddress("1.2.3.4.5")), ("a.0x", .badAddress("a.0x")), ("a.1", .badAddress("a.1")),
    ("256.1.1.1", .badAddress("256.1.1.1")),
    ("1.", .badAddress("1.")), ("[::1", .badAddress("[::1")), ("[]", .badAddress("[]")),
    ("[1.2.3.4]", .badAddress("[1.2.3.4]")), ("[", .badAddress("[")),
    ("[a.test]", .badAddress("[a.test]")), ("[::1]x", .badAddress("[::1]x")), ("fe80::1:", .badAddress("fe80::1:")),
    ("a::b::c", .badAddress("a::b::c")),
    ("fe80::1%eth0", .badCharacter), ("[fe80::1%25eth0]", .badAddress("[fe80::1%25eth0]")),
  ])
  func refused(text: String, fault: NameFault) {
    #expect(throws: fault) { try Host(text) }
  }

  @Test func lengths() throws {
    let label63 = String(repeating: "a", count: 63)
    #expect(try Host(label63 + ".test").labels.map(\.utf8.count) == [63, 4])
    #expect(throws: NameFault.self) { try Host(label63 + "a.test") }
    let name253 = [label63, label63, label63, String(repeating: "b", count: 61)].joined(separator: ".")
    #expect(try Host(name253 + ".").text.utf8.count == 253)
    #expect(throws: NameFault.tooLong) { try Host(name253 + "b") }
    #expect(throws: NameFault.tooLong) { try Host(String(repeating: "a", count: 10_000_000)) }
    #expect(throws: NameFault.tooLong) { try Host(String(repeating: "\u{301}", count: 5_000_000)) }
    #expect(throws: NameFault.self) { try Host(String(repeating: "\u{FC}", count: 500)) }
  }

  @Test func badInternationalNames() {
    for name in ["\u{FC}..test", "\u{200D}a\u{FC}.test", "\u{FC}.\u{2605}", "\u{FFFD}"] {
      #expect(throws: NameFault.self) { try Host(name) }
    }
  }

  @Test func facts() throws {
    #expect(try Host("a.test.").hasTrailingDot && !Host("a.test").hasTrailingDot)
    #expect(try Host("a.test.") == Host("a.test"))
    #expect(try Host("a.test.").hashValue == Host("A.TEST").hashValue)
    #expect(
      try Host("[::1]").bracketed == "[::1]" && Host("::1").bracketed == "[::1]" && Host("a.b").bracketed == "a.b")
    #expect(try Host("192.0.2.1").address == IPAddress("192.0.2.1") && Host("a.test").address == nil)
    #expect(try Host("www.a.test").labels == ["www", "a", "test"] && Host("192.0.2.1").labels == ["192.0.2.1"])
    #expect(Host(.v4(0x7F00_0001)).text == "127.0.0.1")
  }

  /// Whatever is accepted is in normal form: reading it again changes nothing, and nothing dangerous is in it.
  @Test func randomTexts() throws {
    var random = SeededGenerator(seed: 2)
    let pieces = [
      "a", "Z", "0", "1", ".", ".", "-", "_", ":", "::", "[", "]", "%", "@", "/", " ", "\0", "\r\n", "x", "0x", "xn--",
      "\u{FC}", "\u{DF}",
      "\u{301}", "\u{200D}", "\u{3002}", "\u{FF0E}", "\u{FF11}", "\u{1F4A9}", "127", "256", "test", "*", "\u{A0}",
      "\u{5D0}", "\u{AD}", "\u{2024}",
    ]
    var accepted = 0
    for _ in 0..<10_000 {
      let text = random.text(from: pieces, count: 10)
      guard let host = try? Host(text) else { continue }
      accepted += 1
      let again = try Host(host.text)
      #expect(again == host && again.address == host.address && !again.hasTrailingDot, "\(text)")
      #expect(try Host(host.bracketed) == host)
      #expect(!host.text.isEmpty && host.text.utf8.count <= 253)
      #expect(
        host.text.utf8.allSatisfy {
          $0 > 0x20 && $0 < 0x7F && !"%@/\\[]*".utf8.contains($0) && !(0x41...0x5A).contains($0)
        }, "\(text)")
      #expect(host.address.map { $0.description == host.text } ?? !host.text.utf8.contains(UInt8(ascii: ":")))
    }
    #expect(accepted > 300)
  }

  @Test func publicSuffixes() {
    for name in ["com", "co.uk", "github.io", "COM", "com.", "xn--p1ai", "\u{440}\u{444}", "kawasaki.jp", "x.ck"] {
      #expect(PublicSuffixes.isPublicSuffix(name), "\(name)")
    }
    for name in [
      "a.com", "test", "localhost", "", ".", "www.ck", "city.kawasaki.jp", "1.2.3.4", "a b", "com\0", "cgtn.com",
    ] {
      #expect(!PublicSuffixes.isPublicSuffix(name), "\(name)")
    }
  }
}
