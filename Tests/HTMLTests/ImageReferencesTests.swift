import Testing

@testable import HTML

/// References to images in pages.
@Suite struct ImageReferencesTests {
  private func references(
    _ page: String, pieces: Int = .max, syntax: TagScanner.Syntax = .html
  ) -> [String] {
    var reader = ImageReferences(syntax: syntax)
    var found: [String] = []
    var rest = Array(page.utf8)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(piece.count)
      piece.withUnsafeBytes { reader.scan($0) { found.append($0) } }
    }
    return found
  }

  @Test(arguments: [
    ("<img src=a.png>", ["a.png"]), ("<IMG SRC = 'a b.png' >", ["a b.png"]), ("<img src=\" a.png\n\">", ["a.png"]),
    ("<img alt='>' src=\"a.png?x=1&amp;y=2\">", ["a.png?x=1&y=2"]), ("<img src=a.png src=b.png>", ["a.png"]),
    ("<img data-src=a.png>", []), ("<img src=a+b.png>", ["a+b.png"]), ("<img src=''>", []), ("<imgs src=a.png>", []),
    ("<img srcset='a.png, b.png 2x,c.png 100w'>", ["a.png", "b.png", "c.png"]),
    ("<picture><source srcset=a.webp type=image/webp><img src=b.png></picture>", ["a.webp", "b.png"]),
    ("<video poster=p.jpg src=v.mp4></video>", ["p.jpg"]), ("<link rel='shortcut icon' href=f.png>", ["f.png"]),
    ("<link rel=preload as=image href=a.png imagesrcset='b.png 2x'>", ["a.png", "b.png"]),
    ("<link rel=stylesheet href=a.css>", []), ("<input type=image src=a.png>", ["a.png"]), ("<input src=a.png>", []),
    ("<!-- <img src=a.png> --><img src=b.png>", ["b.png"]), ("<!--><img src=a.png>-->", ["a.png"]),
    ("<script>'<img src=a.png>'</script><img src=b.png>", ["b.png"]),
    ("<style><img src=a.png></STYLE ><img src=b.png>", ["b.png"]), ("a < b <img src=a.png>", ["a.png"]),
    ("<a title=\"<img src=x.png>\"><img src=a.png>", ["a.png"]), ("</img src=a.png>", []), ("<img src=a.png", []),
    ("<!doctype html><img/src=a.png/>", ["a.png/"]), ("<img src=&#97;&#x2E;png&bogus>", ["a.png&bogus"]),
  ])
  func `what a page names, in pieces of any size`(page: String, expected: [String]) {
    #expect(references(page) == expected)
    for size in 1...3 { #expect(references(page, pieces: size) == expected, "in pieces of \(size)") }
  }

  @Test(arguments: [
    ("<script src='a.js'/><img src='a.png'/>", ["a.png"]), ("<![CDATA[<img src='a.png'/>]]><IMG src='b.png'/>", []),
  ])
  func `pages of XML`(page: String, expected: [String]) {
    #expect(references(page, syntax: .xml) == expected)
  }

  @Test func `the first base counts`() {
    var reader = ImageReferences()
    let page = Array("<base target=x><base href=/b/><base href=/c/>".utf8)
    page.withUnsafeBytes { reader.scan($0) { _ in } }
    #expect(reader.base == "/b/")
  }

  @Test func `of a long tag the first attributes count`() {
    #expect(references("<img src=a.png alt='\(String(repeating: "x", count: 40_000))'>") == ["a.png"])
    #expect(references("<img alt='\(String(repeating: "x", count: 40_000))' src=a.png><img src=b.png>") == ["b.png"])
  }
}
