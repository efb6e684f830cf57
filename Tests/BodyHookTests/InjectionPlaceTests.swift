import Bytes
import HTTP
import Testing

@testable import BodyHook

/// The body that a client gets, with the origin's in pieces of `size` bytes.
private func injected(_ body: [UInt8], _ lines: String..., size: Int) throws -> [UInt8]? {
  let head = ResponseHead(status: 200, fields: Samples.fields(lines))
  guard
    case .inject(let plan) = Samples.injection.verdict(on: head, framing: .chunked, sent: Samples.page)
  else { return nil }
  return try made(plan, body, size: size)
}

private func made(_ plan: InjectionPlan, _ body: [UInt8], size: Int) throws -> [UInt8] {
  let pipe = try InjectingBody(plan)
  let output = ByteQueue()
  try body.forEachPiece(of: size) { piece in
    pipe.receive(piece)
    while pipe.hasMore { try pipe.produce(into: output) }
  }
  #expect(pipe.finish(into: output))
  return Array(output.bytes)
}

private let mark = "<script>hook()</script>"

@Suite struct InjectionPlaceTests {
  /// `^` is where the script is expected.
  private static let pages = [
    "<!doctype html><html lang=en><head id=x>^<title>t</title>", "<!DOCTYPE html>\n<HTML><HEAD\n>^\n<meta>",
    "<!-- <head> --><!doctype html><!-- c --><head>^", "<!doctype html>^<title>t</title><p>x",
    "<!doctype html>\n<html>\n^<body><head>", "^<p>no doctype", "^plain text", " \n^text",
    "<!doctype html>^text <head>",
    "<!doctype html>^</p><head>", "<!doctype html><html><!-- x -->^<frameset>", "<!doctype html>\n^", "^",
    "\n<!-- x -->^",
    "<!doctype html>^<script>1</script><head>", "<head x='>'>^</head>", "<!doctype html><html a=\"<head>\">^<p>",
    "<!doctype html>^<hea", "<!doctype html>^<header>", "\u{FEFF}<!doctype html><head>^", "\u{FEFF}^text",
    "<head>^<head>", "^1 < 2 <head>", "^<", "<!-- open", "<!doctype html><html\n manifest='a>b'>^<base>",
  ]

  @Test(arguments: pages, [1, 2, 3, 1_000])
  func theScriptStandsWhereTheHeadBegins(page: String, size: Int) throws {
    let parts = page.split(separator: "^", omittingEmptySubsequences: false)
    let body = Array(parts.joined().utf8)
    let expected = Array(parts.joined(separator: mark).utf8)
    #expect(try injected(body, "Content-Type: text/html", size: size) == expected)
  }

  @Test(arguments: [1, 2, 5, 1_000])
  func utf16IsKept(size: Int) throws {
    let page = "<!doctype html><html><head>^<title>中</title>"
    let parts = page.split(separator: "^").map { Array(String($0).utf16) }
    func bytes(_ units: [UInt16], isLittle: Bool) -> [UInt8] {
      units.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
    for isLittle in [true, false] {
      let with = bytes(parts[0] + Array(mark.utf16) + parts[1], isLittle: isLittle)
      let without = bytes(parts[0] + parts[1], isLittle: isLittle)
      let order: [UInt8] = isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]
      let name = isLittle ? "utf-16le" : "utf-16be"
      // A mark has precedence over what the head says.
      #expect(try injected(order + without, "Content-Type: text/html; charset=gbk", size: size) == order + with)
      #expect(try injected(without, "Content-Type: text/html; charset=\(name)", size: size) == with)
      let declared = bytes(Array("<?xml?>".utf16), isLittle: isLittle)
      #expect(try injected(declared + without, "Content-Type: text/html", size: size) == declared + with)
    }
  }

  private static let documents = [
    "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY h '<head>'>]><html xmlns='x'><head>^</head></html>",
    "<html>\n^<body/></html>", "<html>^<head/></html>", "<html>^</html>", "<html/>", "<svg><head></head></svg>",
    "<h:html><h:head/></h:html>", "<HTML><HEAD></HEAD></HTML>", "<!-- <html><head> --><html><head>^</head></html>",
  ]

  @Test(arguments: documents, [1, 2, 1_000])
  func inXMLItStandsInsideTheRoot(page: String, size: Int) throws {
    let parts = page.split(separator: "^", omittingEmptySubsequences: false)
    let element = "<script xmlns=\"http://www.w3.org/1999/xhtml\"><![CDATA[hook()]]></script>"
    #expect(
      try injected(Array(parts.joined().utf8), "Content-Type: application/xhtml+xml", size: size)
        == Array(parts.joined(separator: element).utf8))
  }

  private static let upload = "https://a.test/.well-known/pb/u"

  private static let policies: [(page: String, expected: String)] = [
    (
      "<head>^<meta http-equiv=Content-Security-Policy content=\"connect-src 'self'\"><p>",
      "<head>^<meta http-equiv=Content-Security-Policy content=\"connect-src &#39;self&#39; blob:\"><p>"
    ),
    (
      "<!doctype html>^<META CONTENT='connect-src &#x27;none&#x27;' HTTP-EQUIV='content-security-policy'><p>",
      "<!doctype html>^<META CONTENT='connect-src \(upload) blob:' HTTP-EQUIV='content-security-policy'><p>"
    ),
    (
      "<head>^<title><p></title><script>x</script><meta http-equiv=content-security-policy content=connect-src><p>",
      "<head>^<title><p></title><script>x</script><meta http-equiv=content-security-policy "
        + "content=\"connect-src \(upload) blob:\"><p>"
    ),
  ]

  @Test(arguments: policies, [1, 2, 7, 1_000])
  func policiesOfTheHeadAllowWhatTheScriptDoes(_ sample: (page: String, expected: String), size: Int) throws {
    let parts = sample.page.split(separator: "^", omittingEmptySubsequences: false)
    let expected = sample.expected.replacing("^", with: mark)
    #expect(
      try injected(Array(parts.joined().utf8), "Content-Type: text/html", size: size) == Array(expected.utf8))
    let wide = Array(parts.joined().utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(
      try injected(wide, "Content-Type: text/html; charset=utf-16le", size: size)
        == Array(expected.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  /// Behind the head a policy means nothing, and others need no change.
  @Test(arguments: [
    "<head>^</head><meta http-equiv=content-security-policy content=\"connect-src 'self'\">",
    "<head>^<p><meta http-equiv=content-security-policy content=\"connect-src 'self'\">",
    "<head>^<meta http-equiv=content-security-policy content=\"script-src 'none'\"><p>",
    "<head>^<meta http-equiv=refresh content=\"connect-src 'self'\"><p>",
    "<head>^<!-- <meta http-equiv=content-security-policy content=\"connect-src 'self'\"> --><p>",
  ])
  func otherTagsOfTheHeadStay(page: String) throws {
    let parts = page.split(separator: "^", omittingEmptySubsequences: false)
    for size in [1, 1_000] {
      #expect(
        try injected(Array(parts.joined().utf8), "Content-Type: text/html", size: size)
          == Array(parts.joined(separator: mark).utf8))
    }
  }

  @Test func whatStandsBeforeTheHeadDoesNotWait() throws {
    let head = ResponseHead(status: 200, fields: Samples.fields(["Content-Type: text/html"]))
    guard
      case .inject(let plan) = Samples.injection.verdict(on: head, framing: .chunked, sent: Samples.page)
    else {
      Issue.record("the page gets no script")
      return
    }
    let pipe = try InjectingBody(plan)
    let output = ByteQueue()
    func text(after piece: String) throws -> String {
      Array(piece.utf8).withUnsafeBytes { pipe.receive($0) }
      while pipe.hasMore { try pipe.produce(into: output) }
      defer { output.removeAll() }
      return String(decoding: output.bytes, as: UTF8.self)
    }
    #expect(try text(after: "<!doctype html><!-- a long") == "<!doctype html><!-- a long")
    #expect(try text(after: " comment --> <ht") == " comment --> ")
    #expect(try text(after: "ml lang=en><he") == "<html lang=en>")
    #expect(try text(after: "ad") == "")
    #expect(try text(after: ">") == "<head>" + mark)
    #expect(try text(after: "<p>text <ti") == "<p>text <ti")
  }

  @Test func aTagWithoutEndDoesNotWaitForEver() throws {
    let page = "<!doctype html>^<head " + String(repeating: "x", count: 70_000)
    let parts = page.split(separator: "^")
    #expect(
      try injected(Array(parts.joined().utf8), "Content-Type: text/html", size: 10_000)
        == Array(parts.joined(separator: mark).utf8))
  }

  // MARK: workers

  private static let workers = [
    "^importScripts('a')", "'use strict';^x()", "\"use strict\" ;\n^1", "'use strict'\n^x()",
    "'use strict'\n'use y'\n^x",
    "// c\n/* d **/ 'a' /* e\n */ ^b", "#!/usr/bin/env node\n^x", "^# x", "\u{FEFF}'use strict';^1", "\u{FEFF}^1",
    "^'a' + 1", "^'a'\n + 1", "^'a'.length", "^'a'\n.length", "^'a' // x\n(1)", "^'a', 1", "^'a' x", "^;'use strict'",
    "'a\\'b';^1", "^'a\n'", "^/re/.test(1)", "/* x */^/re/", "'a'^", "^", "// x\n^", "'a';'b'; ^{}", "^'a' /re/",
    "^`a`",
    "'a'\n// c\n^import 'x'", "'a'\n/* b */ ^$x",
  ]

  @Test(arguments: workers, [1, 3, 1_000])
  func inAWorkerItStandsBehindTheDirectives(text: String, size: Int) throws {
    let plan = InjectionPlan(
      script: Samples.scripts.workers, place: .worker, uploadURL: "https://a.test/u", decoding: nil, encoding: nil)
    let parts = text.split(separator: "^", omittingEmptySubsequences: false)
    #expect(
      try made(plan, Array(parts.joined().utf8), size: size) == Array(parts.joined(separator: ";work();").utf8))
  }

  @Test func behindACommentAtTheEndALineBegins() throws {
    let plan = InjectionPlan(
      script: Samples.scripts.workers, place: .worker, uploadURL: "https://a.test/u", decoding: nil, encoding: nil)
    #expect(try made(plan, Array("// x".utf8), size: 1) == Array("// x\n;work();".utf8))
  }
}
