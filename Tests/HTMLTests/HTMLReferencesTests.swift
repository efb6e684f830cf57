import HTML
import Testing

@Suite struct HTMLReferencesTests {
  @Test(arguments: [
    ("a.png?x=1&amp;y=2", "a.png?x=1&y=2"), ("&#39;self&#x27;&#X27 x", "'self'' x"), ("a&b=c&", "a&b=c&"),
    ("&#4e2d;&#x4e2d;", "\u{4}e2d;中"), ("&unknown;&#;&#x;", "&unknown;&#;&#x;"), ("&#xD800;", "&#xD800;"), ("", ""),
  ])
  func referencesAreReplaced(text: String, expected: String) {
    #expect(String(decoding: HTMLReferences.decode(text.utf8), as: UTF8.self) == expected)
  }

  @Test(arguments: ["a 'b' \"c\" <d> &e;", ""])
  func whatIsEncodedIsDecodedToTheSame(text: String) {
    let encoded = HTMLReferences.encode(text.utf8)
    #expect(!encoded.contains { "'\"<>".utf8.contains($0) })
    #expect(String(decoding: HTMLReferences.decode(encoded), as: UTF8.self) == text)
  }
}
