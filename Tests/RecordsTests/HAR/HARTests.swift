import Bytes
import Foundation
import Policy
import Testing

@testable import Records

@Suite struct HARTests {
  /// Exchanges in memory.
  private struct Archive: ExchangeArchive {
    let exchanges: [StoredExchange]

    func page(_ query: ExchangeQuery) throws -> ExchangePage { ExchangePage(exchanges: exchanges, next: nil) }
    func exchange(_ identifier: UInt64) throws -> StoredExchange? { nil }
    func each(_ query: ExchangeQuery, _ body: (StoredExchange) throws -> Void) throws { try exchanges.forEach(body) }
  }

  private func stored(
    _ record: ExchangeRecord, request: CapturedMessage? = nil, response: CapturedMessage? = nil
  ) -> StoredExchange {
    let out = ByteQueue()
    RecordText(format: .json).appendObject(record, to: out)
    return StoredExchange(
      identifier: record.identifier, record: Array(out.bytes), request: request, response: response)
  }

  private func document(_ exchanges: StoredExchange...) throws -> String {
    var text: [UInt8] = []
    let count = try HARWriter(creatorVersion: "1.2.3").write(Archive(exchanges: exchanges), ExchangeQuery()) {
      text += Array($0)
    }
    #expect(count == exchanges.count)
    return String(decoding: text, as: UTF8.self)
  }

  private func entries(_ exchanges: StoredExchange...) throws -> [[String: Any]] {
    let text = try exchanges.count == 1 ? document(exchanges[0]) : document(exchanges[0], exchanges[1])
    let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let log = try #require(root["log"] as? [String: Any])
    return try #require(log["entries"] as? [[String: Any]])
  }

  /// The one entry's message.
  private func message(_ side: String, _ exchange: StoredExchange) throws -> [String: Any] {
    try #require(try entries(exchange)[0][side] as? [String: Any])
  }

  // MARK: shape

  @Test func `nothing recorded is a document all the same`() throws {
    let root = try #require(try JSONSerialization.jsonObject(with: Data(try document().utf8)) as? [String: Any])
    let log = try #require(root["log"] as? [String: Any])
    #expect(log["version"] as? String == "1.2" && (log["entries"] as? [Any])?.isEmpty == true)
    #expect(log["creator"] as? [String: String] == ["name": "pinwarden", "version": "1.2.3"])
  }

  @Test func `every member that HAR demands is there`() throws {
    var failed = MadeExchange.record(2, url: "https://dead.test/", status: nil, action: .deny, error: "\u{7}\"no")
    failed.url = RecordURL(text: "no url\u{0}")
    for entry in try entries(stored(MadeExchange.record(1)), stored(failed)) {
      #expect(Set(entry.keys).isSuperset(of: ["startedDateTime", "time", "request", "response", "cache", "timings"]))
      let request = try #require(entry["request"] as? [String: Any])
      #expect(
        Set(request.keys).isSuperset(of: [
          "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
        ]))
      let response = try #require(entry["response"] as? [String: Any])
      #expect(
        Set(response.keys).isSuperset(of: [
          "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
          "bodySize",
        ]))
      let content = try #require(response["content"] as? [String: Any])
      #expect(content["size"] is Int && content["mimeType"] is String)
      let timings = try #require(entry["timings"] as? [String: Double])
      #expect(Set(timings.keys) == ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"])
    }
  }

  @Test func `the document comes in pieces, however large it is`() throws {
    let exchange = stored(MadeExchange.record(1))
    let archive = Archive(exchanges: Array(repeating: exchange, count: 2_000))
    var (pieces, largest) = (0, 0)
    try HARWriter(creatorVersion: "1").write(archive, ExchangeQuery()) { piece in
      pieces += 1
      largest = max(largest, piece.count)
    }
    #expect(pieces > 10 && largest < 100_000)
  }

  @Test func `whoever takes the bytes can end it`() throws {
    struct Full: Error {}
    let archive = Archive(exchanges: [stored(MadeExchange.record(1))])
    #expect(throws: Full.self) {
      try HARWriter(creatorVersion: "1").write(archive, ExchangeQuery()) { _ in throw Full() }
    }
  }

  @Test func `records that are none are left out`() throws {
    let junk = StoredExchange(identifier: 1, record: Array("{}".utf8), request: nil, response: nil)
    var text: [UInt8] = []
    let archive = Archive(exchanges: [junk, stored(MadeExchange.record(1)), junk])
    let count = try HARWriter(creatorVersion: "1").write(archive, ExchangeQuery()) { text += Array($0) }
    #expect(count == 1)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text)) }
  }

  // MARK: content

  @Test func `what is known of the exchange is told`() throws {
    var record = MadeExchange.record(1, url: "https://a.test/one?x=1&y", client: "[::1]:7")
    record.clientProtocol = "h2"
    record.origin = ExchangeRecord.Origin(
      address: "[::2]:443", isReused: true, tls: nil, pins: [], matchedPin: nil, identity: nil)
    record.request.byteCount = 9
    record.response.byteCount = 5
    let entry = try entries(stored(record))[0]
    #expect(entry["startedDateTime"] as? String == "1970-01-01T00:16:40.001Z")
    #expect(entry["serverIPAddress"] as? String == "::2" && entry["connection"] as? String == "7")
    #expect(entry["_id"] as? String == record.identifierText && entry["_client"] as? String == "[::1]:7")
    #expect((entry["_decision"] as? [String: Any])?["action"] as? String == "intercept")
    let request = try #require(entry["request"] as? [String: Any])
    #expect(request["method"] as? String == "GET" && request["url"] as? String == "https://a.test/one?x=1&y")
    #expect(request["httpVersion"] as? String == "HTTP/2" && request["bodySize"] as? Int == 9)
    #expect(
      request["queryString"] as? [[String: String]] == [["name": "x", "value": "1"], ["name": "y", "value": ""]])
    #expect(request["postData"] == nil)
    let response = try #require(entry["response"] as? [String: Any])
    #expect(response["status"] as? Int == 200 && response["bodySize"] as? Int == 5)
    #expect(entry["_error"] == nil && entry["comment"] == nil && response["_error"] == nil)
  }

  @Test func `a denied exchange keeps its status, a failed one has none, and both their reason`() throws {
    let denied = MadeExchange.record(1, status: 403, action: .deny, error: "refused by \"ATS\"")
    let failed = MadeExchange.record(2, status: nil, error: "cut")
    for (entry, status) in zip(try entries(stored(denied), stored(failed)), [403, 0]) {
      let response = try #require(entry["response"] as? [String: Any])
      #expect(response["status"] as? Int == status)
      let reason = status == 403 ? "refused by \"ATS\"" : "cut"
      #expect(response["_error"] as? String == "-1202 ServerCertificateUntrusted: \(reason)")
      #expect(entry["comment"] as? String == response["_error"] as? String)
      let error = try #require(entry["_error"] as? [String: Any])
      #expect(error["code"] as? Int == -1202 && error["detail"] as? String == reason)
    }
  }

  @Test func `fields stand as they were, and the redirect apart`() throws {
    let message = CapturedMessage(fields: [
      .init(name: "Location", value: "/there"), .init(name: "Set-Cookie", value: "a"),
      .init(name: "set-cookie", value: "b"),
    ])
    let response = try response(message)
    #expect(response["redirectURL"] as? String == "/there" && (response["cookies"] as? [Any])?.isEmpty == true)
    #expect(
      response["headers"] as? [[String: String]] == message.fields.map { ["name": $0.name, "value": $0.value] })
  }

  private func response(_ message: CapturedMessage) throws -> [String: Any] {
    try self.message("response", stored(MadeExchange.record(1), response: message))
  }

  // MARK: bodies

  private func content(
    _ body: [UInt8], type: String?, coding: String? = nil, isTruncated: Bool = false
  ) throws -> [String: Any] {
    var fields: [CapturedMessage.Field] = []
    if let type { fields.append(.init(name: "content-type", value: type)) }
    if let coding { fields.append(.init(name: "Content-Encoding", value: coding)) }
    let response = try response(CapturedMessage(fields: fields, body: body, isTruncated: isTruncated))
    return try #require(response["content"] as? [String: Any])
  }

  @Test(arguments: [
    ("plain", "text/plain"), ("é😀", "text/html; charset=utf-8"), ("{}", "application/json"),
    ("x", "text/html;Charset=\"UTF-8\""),
  ])
  func `text is text`(text: String, type: String) throws {
    let content = try content(Array(text.utf8), type: type)
    #expect(content["text"] as? String == text && content["encoding"] == nil && content["comment"] == nil)
    #expect(content["mimeType"] as? String == type)
  }

  @Test(
    arguments: [
      ([0, 1, 0xFF], "text/plain", nil), ([0x61, 0], "text/plain", nil), ([0xE9], "text/html; charset=iso-8859-1", nil),
      ([0x61], "text/html; charset=utf-16", nil), ([0x61], "text/plain", "gzip"), ([0xC3], "text/plain", nil),
    ] as [([UInt8], String, String?)])
  func `what is no text comes out byte for byte`(body: [UInt8], type: String, coding: String?) throws {
    let content = try content(body, type: type, coding: coding)
    #expect(content["encoding"] as? String == "base64")
    #expect(Data(base64Encoded: content["text"] as? String ?? "") == Data(body))
    #expect((content["comment"] as? String)?.contains("gzip") ?? false == (coding != nil))
  }

  @Test(
    arguments: [
      ([0x61, 0xC3], "a"), ([0x61, 0xE2, 0x82], "a"), ([0x61, 0xF0, 0x9F, 0x98], "a"), ([0x61, 0xC3, 0xA9], "aé"),
      ([0xC3], ""), ([0x61, 0x62], "ab"),
    ] as [([UInt8], String)])
  func `a body that was cut inside a character is still text`(body: [UInt8], text: String) throws {
    let content = try content(body, type: nil, isTruncated: true)
    #expect(content["text"] as? String == text && content["mimeType"] as? String == "x-unknown")
    #expect((content["comment"] as? String)?.hasPrefix("the first \(body.count) of") == true)
  }

  @Test func `a request body is there, as text or as bytes`() throws {
    let type = CapturedMessage.Field(name: "Content-Type", value: "application/x-www-form-urlencoded")
    let text = try message(
      "request", stored(MadeExchange.record(1), request: CapturedMessage(fields: [type], body: Array("a=b".utf8))))
    let form = try #require(text["postData"] as? [String: Any])
    #expect(form["text"] as? String == "a=b" && form["mimeType"] as? String == type.value && form["encoding"] == nil)
    let binary = try message(
      "request", stored(MadeExchange.record(1), request: CapturedMessage(fields: [], body: [0, 1, 0xFF])))
    let data = try #require(binary["postData"] as? [String: Any])
    #expect(data["text"] as? String == "AAH/" && data["encoding"] as? String == "base64")
  }

  // MARK: times

  @Test func `phases add up to the time, and nothing is negative but what is not known`() throws {
    let choices: [UInt64?] = [nil, 0, 1_500, 2_000_000, 7_000_000_000]
    for queued in choices {
      for dns in choices {
        for tls in choices {
          for firstByte in choices {
            var record = MadeExchange.record(1)
            record.timing.queued = queued
            record.timing.dns = dns
            record.timing.connect = dns
            record.timing.tls = tls
            record.timing.firstByte = firstByte
            record.timing.total = 3_000_000_000
            let entry = try #require(HAREntry(stored(record)))
            let out = ByteQueue()
            entry.write(to: out)
            let root = try #require(try JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any])
            var times = try #require(root["timings"] as? [String: Any])
            times["comment"] = nil
            let numbers = try times.mapValues { try #require($0 as? Double) }
            #expect(numbers.allSatisfy { $0.value >= 0 || $0.value == -1 })
            #expect(["send", "wait", "receive"].allSatisfy { (numbers[$0] ?? -1) >= 0 })
            #expect((numbers["ssl"] ?? 0) <= (numbers["connect"] ?? 0))
            let sum = numbers.filter { $0.key != "ssl" && $0.value > 0 }.reduce(0) { $0 + $1.value }
            #expect(abs(sum - (root["time"] as? Double ?? -1)) < 0.01)
            #expect(abs(sum - 3_000) < 0.01, "all of the exchange's time is in some phase")
          }
        }
      }
    }
  }

  private func timings(
    queued: Double? = nil, dns: Double? = nil, connect: Double? = nil, tls: Double? = nil, firstByte: Double? = nil,
    total: Double
  ) -> HARTimings {
    HARTimings(
      RecordFacts.Timing(queued: queued, dns: dns, connect: connect, tls: tls, firstByte: firstByte, total: total))
  }

  @Test func `a new connection's phases are told apart`() {
    let timings = timings(queued: 10, dns: 1, connect: 2, tls: 3, firstByte: 4, total: 20)
    #expect(timings.blocked == 4_000 && timings.dns == 1_000 && timings.connect == 5_000 && timings.tls == 3_000)
    #expect(timings.wait == 4_000 && timings.receive == 6_000 && !timings.isConnectedAhead)
  }

  @Test func `a reused connection has none`() {
    let timings = timings(queued: 0.1, firstByte: 4, total: 5.1)
    #expect(timings.blocked == 100 && timings.dns == nil && timings.connect == nil && timings.tls == nil)
    #expect(timings.wait == 4_000 && timings.receive == 1_000)
  }

  @Test func `a connection begun before the request is not its own`() {
    let timings = timings(queued: 2, dns: 1, connect: 2, tls: 3, firstByte: 4, total: 7)
    #expect(timings.isConnectedAhead && timings.blocked == 2_000 && timings.connect == nil && timings.tls == nil)
    #expect(timings.total == 7_000)
  }

  @Test func `nonsense is no time`() {
    #expect(timings(queued: -1, firstByte: -.infinity, total: .nan).total == 0)
    #expect(HARTimings(nil).total == 0)
  }

  // MARK: queries

  @Test(arguments: [
    ("https://a.test/", []), ("https://a.test/?", []), ("/?a=1&b=2#c=3", ["a=1", "b=2"]), ("/?a", ["a="]),
    ("/?=b", ["=b"]), ("/?a=b=c", ["a=b=c"]), ("/?a=%41%2B+%c3%A9", ["a=A+ é"]), ("/?a=%FF", ["a=%FF"]),
    ("/?a=%4", ["a=%4"]), ("/?a=%+1", ["a=% 1"]), ("/?a&&b", ["a=", "b="]), ("/#?a", []),
  ])
  func `parameters are read in order`(url: String, parameters: [String]) {
    #expect(HARQuery.parameters(url).map { "\($0.name)=\($0.value)" } == parameters)
  }
}
