import Codings
import HTTP
import Testing

@testable import BodyHook

@Suite struct InjectionRequestTests {
  @Test(arguments: [
    (["Sec-Fetch-Dest: document"], InjectionKind.document), (["sec-fetch-dest: iframe"], .document),
    (["Sec-Fetch-Dest: frame"], .document), (["Sec-Fetch-Dest: empty", "Accept: text/html"], nil),
    (["Sec-Fetch-Dest: image"], nil), (["Sec-Fetch-Dest: worker"], .worker),
    (["Sec-Fetch-Dest: sharedworker"], .worker),
    (["Sec-Fetch-Dest: serviceworker"], .worker), (["Service-Worker: script", "Accept: */*"], .worker),
    (["Accept: text/html,application/xhtml+xml"], .document), (["Accept: */*"], nil), ([], nil),
    (["Accept: text/html", "X-Requested-With: XMLHttpRequest"], nil),
    (["Sec-Fetch-Dest: document", "X-Requested-With: com.example"], .document),
  ])
  func aRequestTellsWhatItIsFor(lines: [String], kind: InjectionKind?) {
    #expect(InjectionKind(RequestHead(method: .get, target: "/", fields: Samples.fields(lines))) == kind)
    #expect(InjectionKind(RequestHead(method: .head, target: "/", fields: Samples.fields(lines))) == nil)
  }

  private func adapted(_ lines: [String]) -> String {
    let head = RequestHead(method: .get, target: "/", fields: Samples.fields(lines))
    let request = InjectionRequest(head, scripts: Samples.scripts, origin: "https://a.test")
    return request.adapt(head).fields.description
  }

  @Test(arguments: [
    ("W/\"pbab000000.x\"", "\"x\""), ("W/\"pbab000000w.x\"", "W/\"x\""), ("\"pbab000000.a,b\", \"y\"", "\"a,b\""),
    ("W/\"pbcd000000.x\"", nil), ("\"x\"", nil), ("*", nil), ("W/\"pb.x\", W/\"pbab000000.y\"", "\"y\""),
  ])
  func onlyOurOwnTagsAreAskedFor(value: String, expected: String?) {
    let rest = "Sec-Fetch-Dest: document"
    let result = adapted([rest, "If-None-Match: \(value)"])
    #expect(result == (expected.map { "\(rest)\nIf-None-Match: \($0)" } ?? rest))
  }

  @Test func otherRequestsKeepTheirConditionsButForOurTags() {
    let rest = "Sec-Fetch-Dest: empty\nRange: bytes=0-1"
    #expect(
      adapted(["Sec-Fetch-Dest: empty", "If-None-Match: \"x\", W/\"pbab000000.y\"", "Range: bytes=0-1"])
        == "Sec-Fetch-Dest: empty\nIf-None-Match: \"x\"\nRange: bytes=0-1")
    #expect(
      adapted(["Sec-Fetch-Dest: empty", "If-None-Match: W/\"pbab000000.y\"", "Range: bytes=0-1"]) == rest)
  }

  @Test func aPageIsAskedForWholeAndReadable() {
    #expect(
      adapted([
        "Sec-Fetch-Dest: document", "If-Modified-Since: x", "Range: bytes=1-", "If-Range: \"x\"",
        "Accept-Encoding: gzip;q=1.0, dcb, br, zstd, *;q=0.5",
      ]) == "Sec-Fetch-Dest: document\nAccept-Encoding: gzip;q=1.0, br, zstd")
    #expect(
      adapted(["Sec-Fetch-Dest: document", "Accept-Encoding: dcz"])
        == "Sec-Fetch-Dest: document\nAccept-Encoding: identity")
  }

  // MARK: answers

  private func outcome(_ lines: [String], status: Int = 200, framing: BodyFraming = .chunked) -> String {
    let head = ResponseHead(status: status, fields: Samples.fields(lines))
    switch Samples.injection.verdict(on: head, framing: framing, sent: Samples.page) {
    case .inject(let plan): return "inject \(plan.decoding?.rawValue ?? "-") \(plan.encoding?.rawValue ?? "-")"
    case .confirm: return "confirm"
    case .pass: return "pass"
    case .skip: return "skip"
    }
  }

  @Test(arguments: [
    (["Content-Type: text/html"], 200, "inject - -"), (["Content-Type: TEXT/HTML; charset=gbk"], 404, "inject - -"),
    (["Content-Type: application/xhtml+xml"], 500, "inject - -"), (["Content-Type: text/html"], 302, "pass"),
    (["Content-Type: text/html"], 206, "pass"),
    (["Content-Type: text/html", "Content-Range: bytes 0-1/2"], 200, "pass"),
    (["Content-Type: application/json"], 200, "pass"), ([], 200, "pass"),
    (["Content-Type: text/html", "Content-Disposition: Attachment; filename=x"], 200, "pass"),
    (["Content-Type: text/html", "Content-Disposition: inline"], 200, "inject - -"),
    (["Content-Type: text/html", "Cache-Control: max-age=1, no-transform"], 200, "skip"),
    (["Content-Type: text/html", "Content-Encoding: br"], 200, "inject br gzip"),
    (["Content-Type: text/html", "Content-Encoding: identity"], 200, "inject - -"),
    (["Content-Type: text/html", "Content-Encoding: compress"], 200, "skip"),
    (["Content-Type: text/html", "Content-Encoding: gzip, br"], 200, "skip"),
    (["Content-Type: text/html", "Content-Security-Policy: sandbox allow-forms"], 200, "skip"),
    (["Content-Type: text/html", "Content-Security-Policy: sandbox allow-scripts"], 200, "inject - -"),
    (["Content-Type: text/html; charset=hz-gb-2312"], 200, "skip"), (["Content-Type: text/html"], 304, "pass"),
  ])
  func onlyPagesGetTheScript(lines: [String], status: Int, expected: String) {
    #expect(outcome(lines, status: status) == expected)
  }

  @Test(arguments: [BodyFraming.none, .length(0)])
  func whereThereIsNoBodyThereIsNoScript(framing: BodyFraming) {
    #expect(outcome(["Content-Type: text/html"], framing: framing) == "pass")
  }

  @Test func aFetchGetsWhatTheOriginSent() {
    let head = Samples.request("Sec-Fetch-Dest: empty")
    let request = InjectionRequest(head, scripts: Samples.scripts, origin: "https://a.test")
    let answer = Samples.response("Content-Type: text/html")
    guard case .pass = request.verdict(on: answer, framing: .chunked, sent: head) else {
      Issue.record("a fetch got the script")
      return
    }
  }

  @Test func theHeadIsAdapted() {
    let head = Samples.response(
      "Content-Type: text/html", "Content-Length: 5", "ETag: \"x\"", "Last-Modified: y", "Accept-Ranges: bytes",
      "Content-MD5: z", "Digest: d", "Repr-Digest: r", "Content-Encoding: br", "X-Own: 1",
      "Content-Security-Policy: script-src 'self'", "content-security-policy-report-only: script-src a, script-src b",
      "Set-Cookie: a=b", "Set-Cookie: c=d")
    guard case .inject(let plan) = Samples.injection.verdict(on: head, framing: .length(5), sent: Samples.page) else {
      Issue.record("the page gets no script")
      return
    }
    let hash = "'sha256-qwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"
    #expect(
      Samples.injection.adapt(head, plan).fields.description == """
        Content-Type: text/html
        ETag: W/"pbab000000.x"
        Content-Encoding: gzip
        X-Own: 1
        Content-Security-Policy: script-src 'self' \(hash)
        content-security-policy-report-only: script-src a \(hash), script-src b \(hash)
        Set-Cookie: a=b
        Set-Cookie: c=d
        Vary: Sec-Fetch-Dest
        """)
  }

  /// RFC 9111, section 3.2: the fields of a 304 replace those that a client has.
  @Test func aConfirmationIsAdaptedToo() {
    let head = Samples.request("Sec-Fetch-Dest: document", "If-None-Match: W/\"pbab000000.x\"")
    let answer = Samples.response("ETag: \"x\"", "Content-Security-Policy: connect-src 'self'", status: 304)
    guard
      case .confirm = Samples.injection.verdict(on: answer, framing: .none, sent: Samples.injection.adapt(head))
    else {
      Issue.record("nothing is confirmed")
      return
    }
    #expect(
      Samples.injection.adapt(confirming: answer).fields.description == """
        ETag: W/"pbab000000.x"
        Content-Security-Policy: connect-src 'self' blob:
        Vary: Sec-Fetch-Dest
        """)
  }

  @Test(arguments: ["unquoted", "\"", "W/x", ""])
  func aMalformedTagIsNotPassedOn(tag: String) {
    #expect(AdaptedTag(version: "00000000", original: tag).text == nil)
  }

  @Test(arguments: ["</SCRIPT>", "<!--", "]]>", "ä"])
  func aScriptThatCouldEndItsElementIsRefused(text: String) {
    #expect(InjectedScript(bytes: Array(text.utf8), digest: [UInt8](repeating: 0, count: 32)) == nil)
  }
}
