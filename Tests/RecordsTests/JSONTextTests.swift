import Bytes
import Foundation
import Testing

@testable import Records

@Suite struct JSONTextTests {
  /// What `write` puts out, as text.
  private func text(_ write: (inout JSONText) -> Void) -> String {
    let out = ByteQueue()
    var json = JSONText(into: out)
    write(&json)
    return String(decoding: out.bytes, as: UTF8.self)
  }

  /// Reads a document that is one array of strings.
  private func strings(_ text: String) throws -> [String] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String])
  }

  @Test func `strings survive, whatever is in them`() throws {
    let all = String(String.UnicodeScalarView((0...0x7F).compactMap { Unicode.Scalar($0) }))
    let values = ["", "plain", "\"\\/", all, "é中😀\u{2028}\u{2029}\u{FFFF}", "\u{7F}", "a\u{0}b"]
    let written = text { json in
      json.beginArray()
      for value in values { json.string(nil, value) }
      json.endArray()
    }
    #expect(try strings(written) == values)
    #expect(!written.utf8.contains { $0 < 0x20 || $0 == 0x7F })
  }

  @Test(arguments: [
    ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("\u{0}", "\\u0000"),
    ("\u{1B}", "\\u001b"),
    ("\u{7F}", "\\u007f"), ("/", "/"),
  ])
  func `each escape is the short one`(_ value: String, _ expected: String) {
    #expect(text { $0.string(nil, value) } == "\"\(expected)\"")
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80],
      [0x61, 0x80, 0x62],
      [0xFF, 0x22, 0x0A],
    ] as [[UInt8]])
  func `bytes that are no UTF-8 come out repaired`(_ bytes: [UInt8]) throws {
    let written = text { json in
      json.beginArray()
      bytes.withUnsafeBytes { json.text(nil, $0) }
      json.endArray()
    }
    #expect(try strings(written) == [String(decoding: bytes, as: UTF8.self)])
    #expect(!written.utf8.contains { $0 < 0x20 })
  }

  @Test func `structure and numbers`() {
    let written = text { json in
      json.beginObject()
      json.integer("a", .min)
      json.integer("b", .max)
      json.beginArray("c")
      json.boolean(nil, true)
      json.null(nil)
      json.beginObject()
      json.endObject()
      json.beginArray()
      json.endArray()
      json.integer(nil, 0)
      json.endArray()
      json.optional("d", nil)
      json.optional("e", "x")
      json.hexadecimal("f", [0, 0x0F, 0xA0, 0xFF])
      json.milliseconds("g", nanoseconds: 1_234_567)
      json.milliseconds("h", nanoseconds: nil)
      json.milliseconds("i", nanoseconds: 5_000_000_000)
      json.time("j", milliseconds: 1)
      json.string(named: "k\"\n", "v")
      json.integer(named: "l", -1)
      json.endObject()
    }
    #expect(
      written == """
        {"a":-9223372036854775808,"b":9223372036854775807,"c":[true,null,{},[],0],"d":null,"e":"x","f":"000fa0ff",\
        "g":1.234,"h":null,"i":5000.000,"j":"1970-01-01T00:00:00.001Z","k\\"\\n":"v","l":-1}
        """)
  }

  @Test func `an absurd duration is still a number`() throws {
    let written = text { json in
      json.beginArray()
      json.milliseconds(nil, nanoseconds: .max)
      json.endArray()
    }
    #expect(try JSONSerialization.jsonObject(with: Data(written.utf8)) is [Double])
  }
}
