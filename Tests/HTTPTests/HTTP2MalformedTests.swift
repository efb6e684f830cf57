import Bytes
import HTTP
import Testing

@Suite("Malformed HTTP/2 messages")
struct HTTP2MalformedTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fields: [(String, String)]

    init(_ name: String, _ fields: [(String, String)]) {
      testDescription = name
      self.fields = fields
    }

    init(_ name: String, adding field: (String, String)) {
      self.init(name, RawHTTP2Client.get + [field])
    }

    init(_ name: String, replacing field: (String, String)) {
      self.init(name, RawHTTP2Client.get.map { $0.0 == field.0 ? field : $0 })
    }
  }

  static let cases = [
    Case("line end in a value", adding: ("x-a", "b\r\nX-Injected: 1")),
    Case("line feed in a value", adding: ("x-a", "b\nc")),
    Case("carriage return in a value", adding: ("x-a", "b\rc")),
    Case("NUL in a value", adding: ("x-a", "a\0b")),
    Case("delete in a value", adding: ("x-a", "a\u{7F}b")),
    Case("blank before a value", adding: ("x-a", " b")),
    Case("blank behind a value", adding: ("x-a", "b\t")),
    Case("line end in a cookie", adding: ("cookie", "b\r\nX-Injected: 1")),
    Case("line end in a name", adding: ("x-a: 1\r\nx-b", "1")),
    Case("colon in a name", adding: ("x:a", "1")),
    Case("space in a name", adding: ("x a", "1")),
    Case("upper-case name", adding: ("X-Upper", "1")),
    Case("empty name", adding: ("", "1")),
    Case("transfer-encoding", adding: ("transfer-encoding", "chunked")),
    Case("connection", adding: ("connection", "close")),
    Case("keep-alive", adding: ("keep-alive", "5")),
    Case("proxy-connection", adding: ("proxy-connection", "keep-alive")),
    Case("upgrade", adding: ("upgrade", "websocket")),
    Case("te", adding: ("te", "gzip")),
    Case("te with more than trailers", adding: ("te", "trailers, gzip")),
    Case("length of a body that does not come", adding: ("content-length", "4")),
    Case("length that is no number", adding: ("content-length", "+0")),
    Case("two lengths", RawHTTP2Client.get + [("content-length", "0"), ("content-length", "0")]),
    Case("another host", adding: ("host", "b.test")),
    Case("no method", Array(RawHTTP2Client.get.dropFirst())),
    Case("no path", Array(RawHTTP2Client.get.dropLast())),
    Case("no scheme", RawHTTP2Client.get.filter { $0.0 != ":scheme" }),
    Case("no authority", RawHTTP2Client.get.filter { $0.0 != ":authority" }),
    Case("two methods", adding: (":method", "GET")),
    Case("unknown pseudo-field", adding: (":x", "1")),
    Case("status in a request", adding: (":status", "200")),
    Case("pseudo-field behind a field", [("x", "y")] + RawHTTP2Client.get),
    Case("method that is no token", replacing: (":method", "GE T")),
    Case("empty method", replacing: (":method", "")),
    Case("empty path", replacing: (":path", "")),
    Case("star without OPTIONS", replacing: (":path", "*")),
    Case("path without a slash", replacing: (":path", "a")),
    Case("line in a path", replacing: (":path", "/a b HTTP/1.1\r\nX: y")),
    Case("space in a path", replacing: (":path", "/a b")),
    Case("fragment in a path", replacing: (":path", "/a#b")),
    Case("user in the authority", replacing: (":authority", "u@a.test")),
    Case("path in the authority", replacing: (":authority", "a.test/x")),
    Case("empty authority", replacing: (":authority", "")),
    Case("line end in the authority", replacing: (":authority", "a.test\r\nX: y")),
    Case("bad scheme", replacing: (":scheme", "ht tp")),
    Case("protocol without CONNECT", adding: (":protocol", "websocket")),
    Case("CONNECT with a path", replacing: (":method", "CONNECT")),
    Case("method of absurd length", replacing: (":method", String(repeating: "A", count: 65))),
  ]

  @Test("requests", arguments: cases)
  func requests(case tried: Case) throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get)
    client.sendHeaders(3, tried.fields)
    #expect(client.resetCode(3) == .protocolError)
    #expect(client.server[3].request == nil && client.server[3].refusal?.status == 400 && client.server[3].end == nil)
    client.sendHeaders(5, RawHTTP2Client.get)
    #expect(client.server.order == [1, 5] && client.goawayCode == nil && client.server.session.openStreamCount == 2)
  }

  @Test("requests that look odd and are not")
  func odd() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, Case("", replacing: (":method", "PURGE")).fields)
    client.sendHeaders(
      3, RawHTTP2Client.get + [("host", "A.test"), ("te", "trailers"), ("x-empty", ""), ("x-tab", "a\tb")])
    client.sendHeaders(5, RawHTTP2Client.get.filter { $0.0 != ":authority" } + [("host", "a.test:443")])
    client.sendHeaders(7, [(":method", "CONNECT"), (":authority", "b.test:443")], ends: false)
    client.sendHeaders(
      9, [(":method", "OPTIONS"), (":scheme", "https"), (":authority", "a.test"), (":path", "*")])
    #expect(client.server.order == [1, 3, 5, 7, 9])
    #expect(client.server[3].request?.head.fields.values(.host) == ["a.test"])
    #expect(client.server[5].request?.authority == "a.test:443")
    #expect(client.server[7].request?.head.target.elementsEqual("b.test:443".utf8) == true)
    #expect(client.server[7].request?.framing == BodyFraming.none && client.server[7].request?.scheme == "")
  }

  @Test("bodies that do not fit their length", arguments: [3, 5])
  func lengths(count: Int) throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get + [("content-length", "4")], ends: false)
    #expect(client.server[1].request?.framing == .length(4))
    client.send(RawHTTP2Client.frame(0, 1, 1, [UInt8](repeating: 1, count: count)))
    #expect(client.resetCode(1) == .protocolError && !client.server[1].hasEnded)
    guard case .malformed? = client.server[1].end else {
      throw HTTPFault(kind: .malformed, status: 0, reason: "no end")
    }
  }

  @Test("trailers with what does not belong there", arguments: [":path", "X-Upper", "connection"])
  func trailers(name: String) throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get, ends: false)
    client.sendHeaders(1, [("a", "b"), (name, "c")])
    #expect(client.resetCode(1) == .protocolError && !client.server[1].hasEnded && client.server[1].trailers == nil)
  }

  @Test("a head that is too large is answered")
  func tooLarge() throws {
    let client = try RawHTTP2Client { $0.headByteCount = 1_000 }
    client.sendHeaders(1, RawHTTP2Client.get + [("x", String(repeating: "y", count: 900))], ends: false)
    #expect(client.server[1].refusal?.status == 431 && client.server[1].request == nil && client.resetCode(1) == nil)
    client.server.respond(1, 431, body: latin1("too large"))
    client.send(RawHTTP2Client.frame(0, 0, 1, [1]))
    #expect(client.frames.contains { $0.type == 0 && $0.payload == latin1("too large") })
    #expect(client.server[1].body.isEmpty && client.resetCode(1) == .noError)
    client.sendHeaders(3, RawHTTP2Client.get + (0..<30).map { ("x\($0)", "y") })
    #expect(client.server[3].refusal?.kind == .tooLarge)
  }

  @Test("responses", arguments: ["", "20", "2000", "101", "abc"])
  func statuses(status: String) throws {
    let client = try HTTP2Peer(.client)
    let stream = try client.request()
    client.flush()
    client.receive(
      RawHTTP2Client.frame(4) + RawHTTP2Client.frame(1, 5, stream, RawHTTP2Client.block([(":status", status)])))
    client.flush()
    guard case .malformed(let fault)? = client[stream].end else {
      throw HTTPFault(kind: .malformed, status: 0, reason: "no end")
    }
    #expect(fault.status == 502 && client[stream].response == nil && client.session.isIdle)
  }

  @Test("response bodies", arguments: [(HTTPMethod.head, true), (.get, false)])
  func responseBodies(method: HTTPMethod, isRefused: Bool) throws {
    let client = try HTTP2Peer(.client)
    let stream = try client.request(method)
    client.flush()
    client.receive(
      RawHTTP2Client.frame(4)
        + RawHTTP2Client.frame(1, 4, stream, RawHTTP2Client.block([(":status", "200"), ("content-length", "2")]))
        + RawHTTP2Client.frame(0, 1, stream, [1, 2]))
    client.flush()
    #expect(client[stream].hasEnded != isRefused && client[stream].body.isEmpty == isRefused)
  }
}
