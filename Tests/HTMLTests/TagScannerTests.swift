import HTML
import Testing

/// What a scanner tells of a page, as lines, with the page in pieces of `size` bytes.
private func tokens(_ page: String, size: Int = Int.max, syntax: TagScanner.Syntax = .html) -> [String] {
  var scanner = TagScanner(syntax: syntax)
  var found: [String] = []
  var rest = Array(page.utf8)[...]
  while !rest.isEmpty {
    let piece = Array(rest.prefix(size))
    rest = rest.dropFirst(size)
    piece.withUnsafeBytes { bytes in
      var position = 0
      while let token = scanner.next(bytes, &position) { found.append(line(token)) }
    }
  }
  return found
}

private func line(_ token: HTMLToken) -> String {
  switch token {
  case .startTag(let tag):
    let attributes = tag.attributes.map { " \(text($0.name))=[\(text($0.value))]" }.joined()
    return "<\(text(tag.name))\(attributes)\(tag.isSelfClosing ? "/" : "")>"
  case .endTag(let name): return "</\(text(name))>"
  case .doctype: return "doctype"
  case .comment: return "comment"
  case .text: return "text"
  }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite struct TagScannerTests {
  private static let pages: [(page: String, tokens: [String])] = [
    ("<!DOCTYPE html>\n<HTML Lang=en><head>", ["doctype", "<html lang=[en]>", "<head>"]),
    ("<!doctype html SYSTEM \"a>b\"><p>", ["doctype", "text", "<p>"]),
    ("<a href='x>y' title = \"<b>\" c d=e/f g/>", ["<a href=[x>y] title=[<b>] c=[] d=[e/f] g=[]/>"]),
    ("<a\n href=x\tb>z</a >", ["<a href=[x] b=[]>", "text", "</a>"]),
    ("<img src=a src=b>", ["<img src=[a] src=[b]>"]),
    ("<p =x a=>", ["<p =x=[] a=[]>"]),
    ("<a / b><br/>", ["<a b=[]>", "<br/>"]),
    ("1 < 2 <3 <<p></><p>", ["text", "<p>", "<p>"]),
    ("<!-- <head> --><head>", ["comment", "<head>"]),
    ("<!--><a><!---><b><!----><i>", ["comment", "<a>", "comment", "<b>", "comment", "<i>"]),
    ("<!-- a --!><b><!-- c -- d -!> --><e>", ["comment", "<b>", "comment", "<e>"]),
    ("<!--!><a>--><b>", ["comment", "<b>"]),
    ("<!---!><a>--><b>", ["comment", "<b>"]),
    ("<!----!><a>", ["comment", "<a>"]),
    ("<!bogus <a><b>", ["comment", "<b>"]),
    ("<!-x><a><!><b>", ["comment", "<a>", "comment", "<b>"]),
    ("<?xml version='1.0'?><a></ x><b>", ["comment", "<a>", "comment", "<b>"]),
    ("<![CDATA[<a>]]><b>", ["comment", "text", "<b>"]),
    ("<script>if (a</b) '</scripty>' </SCRIPT\n><p>", ["<script>", "</script>", "<p>"]),
    ("<script><!-- <script> </script> --></script><p>", ["<script>", "</script>", "<p>"]),
    ("<script><!-- </script><p>", ["<script>", "</script>", "<p>"]),
    ("<script><!-- <script </script><p> --></script><i>", ["<script>", "</script>", "<i>"]),
    ("<script><!--><script></script><p>", ["<script>", "</script>", "<p>"]),
    ("<title><b></titles></title/><i>", ["<title>", "</title>", "<i>"]),
    ("<textarea></textare</textarea><i>", ["<textarea>", "</textarea>", "<i>"]),
    ("<style/><a></style><b>", ["<style/>", "</style>", "<b>"]),
    ("<svg><title/><path d=x/></svg><p>", ["<svg>", "<title/>", "<path d=[x/]>", "</svg>", "<p>"]),
    ("<plaintext><a></plaintext>", ["<plaintext>"]),
    ("\u{FEFF}<p>中<b>", ["text", "<p>", "text", "<b>"]),
  ]

  @Test(arguments: pages)
  func pagesAreSplitAsBrowsersDo(page: String, expected: [String]) {
    #expect(tokens(page) == expected)
  }

  @Test(arguments: pages)
  func piecesMakeNoDifference(page: String, expected: [String]) {
    for size in 1...7 { #expect(tokens(page, size: size) == expected) }
  }

  private static let documents: [(page: String, tokens: [String])] = [
    (
      "<?xml a='?>'?><!DOCTYPE html [<!ENTITY a \"]>\">] ><Html xml:lang='en'>",
      ["comment", "text", "doctype", "<Html xml:lang=[en]>"]
    ),
    ("<!DOCTYPE html PUBLIC '>' \"a'>\"><a>", ["doctype", "<a>"]),
    ("<p><![CDATA[<b>]]]></p>", ["<p>", "text", "</p>"]),
    ("<script>a<b></b></script>", ["<script>", "text", "<b>", "</b>", "</script>"]),
    ("<h:head _a='1'/>", ["<h:head _a=[1]/>"]),
  ]

  @Test(arguments: documents)
  func xmlHasItsOwnRules(page: String, expected: [String]) {
    for size in [1, 2, 3, 1_000] { #expect(tokens(page, size: size, syntax: .xml) == expected) }
  }

  @Test func aTagHasItsPlace() {
    var scanner = TagScanner()
    var position = 0
    Array("x <META content='a b' x>".utf8).withUnsafeBytes { bytes in
      #expect(scanner.next(bytes, &position) == .text)
      #expect(scanner.tokenByteCount == 1)
      #expect(position == 1)
      guard case .startTag(let tag)? = scanner.next(bytes, &position) else {
        Issue.record("no tag")
        return
      }
      #expect(scanner.tokenByteCount == 22)
      #expect(position == 24)
      #expect(tag.attribute("content")?.valuePlace == 15..<18)
    }
  }

  @Test(arguments: [
    ("<he", true), ("<", true), ("<!do", true), ("<a b='", true), ("<!--", false), ("<!doctype ", false),
    ("<p>", false),
    ("<script>a<", false), ("x", false),
  ])
  func anUnfinishedTagIsKnown(page: String, isInside: Bool) {
    var scanner = TagScanner()
    var position = 0
    Array(page.utf8).withUnsafeBytes { bytes in
      while scanner.next(bytes, &position) != nil {}
    }
    #expect(scanner.isInsideTag == isInside)
  }

  @Test func ofALongTagTheBeginningIsKept() {
    var scanner = TagScanner()
    var position = 0
    let page = "<a id=1 href=\"" + String(repeating: "x", count: 100_000) + "\" b c>"
    Array(page.utf8).withUnsafeBytes { bytes in
      guard case .startTag(let tag)? = scanner.next(bytes, &position) else {
        Issue.record("no tag")
        return
      }
      #expect(tag.attributes.map(\.name) == [Array("id".utf8)])
      #expect(tag.isCut)
      #expect(scanner.tokenByteCount == page.utf8.count)
    }
  }
}
