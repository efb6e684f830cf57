import Foundation
import Names
import Records
import Testing

@testable import Console

@Suite struct JSONObjectTextTests {
  private let object = JSONObjectText(Array(#"{"a":{"b":[1,{"c":"}"}],"d":"x\",y"},"id":"1é","n":1.50,"e":{}}"#.utf8))

  private func text(_ object: JSONObjectText) -> String { String(decoding: object.bytes, as: UTF8.self) }

  @Test func membersOfTheObjectItselfAreFound() {
    #expect(object.text("id") == "1é" && object.text("b") == nil && object.text("n") == nil && object.text("x") == nil)
  }

  @Test func membersAreAddedAndTheRestStaysAsItIs() {
    let added = object.adding(Array(#""z":1"#.utf8), to: "a").adding(Array(#""y":2"#.utf8), to: "e")
    #expect(text(added) == #"{"a":{"b":[1,{"c":"}"}],"d":"x\",y","z":1},"id":"1é","n":1.50,"e":{"y":2}}"#)
    #expect(text(object.adding([1], to: "id")) == text(object) && text(object.adding([1], to: "q")) == text(object))
  }

  @Test(arguments: ["", "{", "{\"a", "{\"a\":", "{\"a\":{", "[]", "x", "{\"a\":\"\\"])
  func textThatIsNoObjectIsLeftAlone(text: String) {
    let object = JSONObjectText(Array(text.utf8))
    #expect(object.text("a") == nil && object.adding([1], to: "a").bytes == Array(text.utf8))
  }
}

@Suite struct ExchangeDocumentTests {
  private func document(_ exchange: StoredExchange) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(ExchangeDocument(exchange).bytes)) as? [String: Any])
  }

  private func body(_ bytes: [UInt8], isTruncated: Bool = false) throws -> [String: Any] {
    let message = CapturedMessage(
      fields: [.init(name: "A", value: "1"), .init(name: "a", value: "2")], body: bytes, isTruncated: isTruncated)
    let request = try #require(try document(Kit.stored(1, request: message))["request"] as? [String: Any])
    #expect(request["headers"] as? [[String: String]] == [["name": "A", "value": "1"], ["name": "a", "value": "2"]])
    #expect(request["bytes"] as? Int == 0, "the members of the record are still there")
    return try #require(request["body"] as? [String: Any])
  }

  @Test func textIsText() throws {
    let body = try body(Array("héllo\n".utf8))
    #expect(body["text"] as? String == "héllo\n" && body["truncated"] as? Bool == false && body["base64"] == nil)
  }

  @Test(arguments: [[0], [0xFF], [0x41, 0xC3]])
  func otherBytesAreNot(bytes: [UInt8]) throws {
    let body = try body(bytes)
    #expect(body["text"] == nil && body["base64"] as? String == Data(bytes).base64EncodedString())
  }

  @Test func aCutThroughACharacterLeavesText() throws {
    let body = try body(Array("aé".utf8).dropLast(), isTruncated: true)
    #expect(body["text"] as? String == "a" && body["truncated"] as? Bool == true)
  }

  @Test func withoutMessagesItIsTheRecord() {
    let exchange = Kit.stored(1)
    #expect(ExchangeDocument(exchange).bytes == exchange.record)
  }
}

@Suite struct ReplayChangesTests {
  private let kept = CapturedMessage(
    fields: [.init(name: "Accept", value: "*/*"), .init(name: "X-A", value: "1")], body: Array("body".utf8))

  private func changes(_ text: String) throws -> ReplayChanges { try ReplayChanges(Array(text.utf8)) }

  @Test func withoutChangesItIsTheSameRequest() throws {
    let replay = try changes("").applied(to: Kit.stored(1, url: "https://a.test/x?y", request: kept))
    #expect(replay.method == "GET" && replay.url == "https://a.test/x?y" && replay.lane == "default")
    #expect(replay.fields == kept.fields && replay.body == kept.body && replay.client == "127.0.0.1:9")
  }

  @Test func changesTakeThePlaceOfWhatWasRecorded() throws {
    let text =
      #"{"method":"POST","url":"https://b.test/","headers":{"x-a":null,"ACCEPT":"text/plain","New":"2"},"body":{"base64":"AAE="}}"#
    let replay = try changes(text).applied(to: Kit.stored(1, request: kept))
    #expect(replay.method == "POST" && replay.url == "https://b.test/" && replay.body == [0, 1])
    #expect(replay.fields == [.init(name: "accept", value: "text/plain"), .init(name: "new", value: "2")])
  }

  @Test(arguments: [
    "x", "[]", #"{"x":1}"#, #"{"method":1}"#, #"{"headers":[]}"#, #"{"headers":{"a":1}}"#, #"{"body":"x"}"#,
    #"{"body":{"base64":"?"}}"#, #"{"body":{"text":"a","base64":"AA=="}}"#, #"{"url":""}"#,
  ])
  func whatIsNoChangeIsRefused(text: String) {
    #expect(#expect(throws: ControlFault.self) { try changes(text) }?.kind == .invalid)
  }

  @Test func aCutBodyIsNotRepeatedUnlessAnotherIsGiven() throws {
    var cut = kept
    cut.isTruncated = true
    let fault = #expect(throws: ControlFault.self) { try changes("").applied(to: Kit.stored(1, request: cut)) }
    #expect(fault?.kind == .rejected)
    #expect(try changes(#"{"body":{"text":"x"}}"#).applied(to: Kit.stored(1, request: cut)).body == [0x78])
    #expect(throws: ControlFault.self) { try changes("").applied(to: Kit.stored(1)) }
  }
}

@Suite struct WhitelistTests {
  private func origins(_ text: String) throws -> [String] { try Router.origins(Array(text.utf8)).map { "\($0)" } }

  @Test func originsAreNormalisedAndCountOnce() throws {
    let text = #"["https://A.test", "https://a.test:443/", "http://b.test:8080"]"#
    #expect(try origins(text) == ["https://a.test", "http://b.test:8080"])
    #expect(try origins("[]") == [])
  }

  @Test(arguments: [
    (#"["https://a.test", "a.test"]"#, "[1]"), (#"["https://a.test/path"]"#, "[0]"), ("[1]", "[0]"), ("{}", "array"),
    ("", "array"), (#"["ftp://a.test"]"#, "[0]"), (#"["https://user@a.test"]"#, "[0]"),
  ])
  func badOnesAreNamed(text: String, told: String) {
    let fault = #expect(throws: ControlFault.self) { try origins(text) }
    #expect(fault?.kind == .invalid && fault?.reason.contains(told) == true, "\(fault?.reason ?? "")")
  }
}

@Suite struct EventTextTests {
  @Test func anEventIsOneRecord() {
    let text = String(decoding: EventText.exchange(Array(#"{"event":"exchange","id":"0a"}"#.utf8)), as: UTF8.self)
    #expect(text == "event: exchange\nid: 0a\ndata: {\"event\":\"exchange\",\"id\":\"0a\"}\n\n")
  }

  @Test func losesAreTold() {
    #expect(String(decoding: EventText.lost(3), as: UTF8.self) == "event: lost\ndata: {\"count\":3}\n\n")
    #expect(EventText.heartbeat.first == UInt8(ascii: ":"))
  }
}

@Suite struct AnswerTests {
  @Test func everyAnswerIsProtected() {
    for answer in [Answer.json([]), .problem(404, "x"), .page(""), .redirect(to: "/")] {
      #expect(answer["Cache-Control"] == "no-store" && answer["X-Content-Type-Options"] == "nosniff")
      #expect(answer["Referrer-Policy"] == "same-origin" && answer["Date"] == "Sun, 01 Mar 2026 00:00:00 GMT")
      let policy = answer["Content-Security-Policy"] ?? ""
      #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
    }
  }

  @Test func loginPagesAreSelfContained() {
    for state in [LoginPage.State.stranger, .wrongToken, .waiting, .withoutPage(["/<nowhere>"])] {
      let page = LoginPage(state).text
      #expect(
        !page.contains("<script") && !page.contains("style=") && !page.contains("://") && !page.contains("<nowhere"))
    }
  }

  @Test func aProblemSaysWhatIsWrong() {
    #expect(Answer.problem(409, "so").text == #"{"title":"Conflict","status":409,"detail":"so"}"#)
  }
}
