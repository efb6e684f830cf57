import Bytes
import HTTP
import Testing

@Suite("HTTP/2 exchanges")
struct HTTP2ExchangeTests {
  private func block(_ count: Int, _ seed: Int = 1) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31 &+ seed) ^ ($0 >> 8)) }
  }

  @Test(
    "a request and its response, in pieces of every size", arguments: [1, 2, 3, 5, 8, 9, 10, 13, 64, 1_000, Int.max])
  func pieces(piece: Int) throws {
    let link = try HTTP2Link()
    link.server.onEnd = { peer, stream in
      peer.respond(
        stream, 200, fields(("X-Echo", "é"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")), body: peer[stream].body,
        trailers: fields(("grpc-status", "0")))
    }
    let body = block(3_000)
    let stream = try link.client.request(
      .post, "/p?q", fields(("Content-Type", "text/plain")), body: body, trailers: fields(("X-Sum", "42")))
    link.run(piece: piece)
    let asked = link.server[stream]
    #expect(asked.request?.head.method == .post && asked.request?.head.target.elementsEqual("/p?q".utf8) == true)
    #expect(asked.request?.head.fields == fields(("host", "a.test"), ("content-type", "text/plain")))
    #expect(asked.request?.scheme == "https" && asked.request?.authority == "a.test")
    #expect(asked.request?.framing == .chunked && asked.request?.isComplete == false)
    #expect(asked.body == body && asked.trailers == fields(("x-sum", "42")) && asked.hasEnded)
    #expect(asked.end == .complete)
    let answer = link.client[stream]
    #expect(answer.response?.head.status == 200 && answer.response?.framing == .chunked)
    #expect(answer.response?.head.fields == fields(("x-echo", "é"), ("set-cookie", "a=1"), ("set-cookie", "b=2")))
    #expect(answer.body == body && answer.trailers == fields(("grpc-status", "0")) && answer.end == .complete)
    #expect(link.client.session.isIdle && link.server.session.isIdle)
  }

  @Test("framings", arguments: [BodyFraming.none, .length(0), .length(5), .chunked, .untilClose])
  func framings(framing: BodyFraming) throws {
    let link = try HTTP2Link()
    link.server.onRequest = { peer, stream, _ in
      peer.session.respond(
        ResponseHead(status: 200, fields: fields(("Content-Length", "5"), ("Transfer-Encoding", "chunked"))),
        framing: framing, via: "1.1 x", on: stream)
      latin1("hello").withUnsafeBytes { peer.session.write($0, on: stream) }
      peer.session.end(stream)
    }
    let stream = try link.client.request(framing == .none ? .head : .get)
    link.run()
    let answer = link.client[stream]
    #expect(answer.end == .complete)
    switch framing {
    case .none:
      #expect(answer.response?.framing == BodyFraming.none && answer.body.isEmpty)
      #expect(answer.response?.head.fields == fields(("content-length", "5"), ("via", "1.1 x")))
    case .length(let count):
      #expect(answer.response?.framing == .length(count) && answer.body.count == Int(count))
    case .chunked, .untilClose:
      #expect(answer.response?.framing == .chunked && answer.body == latin1("hello"))
      #expect(answer.response?.head.fields == fields(("via", "1.1 x")))
    }
  }

  @Test("a body where there can be none is not sent", arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304)])
  func noBody(method: HTTPMethod, status: Int) throws {
    let link = try HTTP2Link()
    link.server.onRequest = { peer, stream, _ in
      peer.session.respond(
        ResponseHead(status: status, fields: HeaderList()), framing: .length(5), via: nil, on: stream)
      latin1("hello").withUnsafeBytes { peer.session.write($0, on: stream) }
      peer.session.end(stream)
    }
    let stream = try link.client.request(method)
    link.run()
    #expect(link.client[stream].end == .complete && link.client[stream].body.isEmpty)
    #expect(
      link.client[stream].response?.head.fields == (status == 204 ? HeaderList() : fields(("content-length", "5"))))
  }

  @Test("a response that is trailers only")
  func trailersOnly() throws {
    let link = try HTTP2Link()
    link.server.onRequest = { peer, stream, _ in peer.respond(stream, 200, fields(("grpc-status", "5"))) }
    let stream = try link.client.request(.post, "/svc/M", body: latin1("x"))
    link.run()
    let answer = link.client[stream]
    #expect(answer.response?.isComplete == true && answer.response?.framing == .length(0))
    #expect(answer.response?.head.fields.first(named: "grpc-status") == "5" && answer.trailers == nil)
  }

  @Test("trailers behind bytes that have gone already make no frame without bytes")
  func lateTrailers() throws {
    let client = try RawHTTP2Client()
    client.server.onRequest = { peer, stream, _ in
      peer.session.respond(ResponseHead(status: 200, fields: HeaderList()), framing: .chunked, via: nil, on: stream)
      latin1("abc").withUnsafeBytes { peer.session.write($0, on: stream) }
    }
    client.sendHeaders(1, RawHTTP2Client.get)
    client.server.session.end(
      1, trailers: fields(("X-T", "1"), ("Content-Length", "3"), ("Transfer-Encoding", "chunked")))
    client.send([])
    #expect(client.frames.filter { $0.stream == 1 }.map(\.type) == [1, 0, 1])
    #expect(client.frames.last?.flags == 5)
    #expect(client.server[1].end == .complete)
  }

  @Test("interim responses")
  func informational() throws {
    let link = try HTTP2Link()
    link.server.onRequest = { peer, stream, _ in
      for status in [100, 103, 101, 200] {
        peer.session.inform(
          ResponseHead(status: status, fields: fields(("Link", "</a>"), ("Connection", "close"))), via: nil, on: stream)
      }
      peer.respond(stream, 204)
      peer.session.inform(ResponseHead(status: 103, fields: HeaderList()), via: nil, on: stream)
    }
    let stream = try link.client.request()
    link.run()
    #expect(link.client[stream].informational.map(\.status) == [100, 103])
    #expect(link.client[stream].informational.last?.fields == fields(("link", "</a>")))
    #expect(link.client[stream].response?.head.status == 204)
    #expect(link.client[stream].response?.framing == BodyFraming.none && link.client[stream].end == .complete)
  }

  @Test("what HTTP/2 forbids is not sent, what is secret is")
  func forbiddenFields() throws {
    let link = try HTTP2Link()
    let stream = try link.client.request(
      .get, "/",
      fields(
        ("Host", "other"), ("Connection", "x-hop, keep-alive"), ("X-Hop", "1"), ("Keep-Alive", "5"), ("Upgrade", "h2c"),
        ("HTTP2-Settings", "AAA"), ("Proxy-Authorization", "Basic x"), ("TE", "gzip, trailers"), ("X-CamelCase", "1"),
        ("Content-Length", "0"), ("Cookie", "a=1; b=2"), ("Authorization", "Basic y")))
    link.run()
    #expect(
      link.server[stream].request?.head.fields
        == fields(
          ("host", "a.test"), ("x-camelcase", "1"), ("authorization", "Basic y"), ("te", "trailers"),
          ("cookie", "a=1; b=2")))
    #expect(link.server[stream].request?.framing == BodyFraming.none && link.server[stream].request?.isComplete == true)
  }

  @Test("several cookies become one field")
  func cookies() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get + [("cookie", "a=1"), ("x", "y"), ("cookie", "b=2"), ("cookie", "c=3")])
    #expect(client.server[1].request?.head.fields.values(.cookie) == ["a=1; b=2; c=3"])
  }

  @Test("extended CONNECT is a tunnel both ways")
  func extendedConnect() throws {
    let link = try HTTP2Link()
    link.run()
    #expect(link.client.session.allowsConnectProtocol && !link.server.session.allowsConnectProtocol)
    link.server.onRequest = { peer, stream, request in
      peer.session.respond(
        ResponseHead(status: 200, fields: fields(("Sec-WebSocket-Accept", "x"), ("Sec-WebSocket-Protocol", "chat"))),
        framing: .none, via: nil, on: stream)
      latin1("hello").withUnsafeBytes { peer.session.write($0, on: stream) }
    }
    link.server.onEnd = { peer, stream in peer.session.end(stream) }
    let stream = try link.client.session.submitRequest(
      RequestHead(
        method: .get, target: "/chat", fields: fields(("Sec-WebSocket-Key", "k"), ("Sec-WebSocket-Version", "13"))),
      scheme: "https", authority: "a.test", connectProtocol: "websocket", framing: .none, via: nil)
    link.run()
    let asked = link.server[stream].request
    #expect(
      asked?.head.method == .connect && asked?.connectProtocol == "websocket" && asked?.framing == BodyFraming.none)
    #expect(asked?.head.target.elementsEqual("/chat".utf8) == true && asked?.isComplete == false)
    #expect(asked?.head.fields == fields(("host", "a.test"), ("sec-websocket-version", "13")))
    #expect(link.client[stream].response?.framing == .untilClose && link.client[stream].body == latin1("hello"))
    #expect(link.client[stream].response?.head.fields == fields(("sec-websocket-protocol", "chat")))
    latin1("there").withUnsafeBytes { link.client.session.write($0, on: stream) }
    link.run()
    #expect(link.server[stream].body == latin1("there") && link.server[stream].end == nil)
    link.client.session.end(stream)
    link.run()
    #expect(link.server[stream].end == .complete && link.client[stream].end == .complete)
  }

  @Test("extended CONNECT that the server does not offer")
  func noExtendedConnect() throws {
    let link = try HTTP2Link(server: { $0.offersConnectProtocol = false })
    link.run()
    #expect(throws: HTTP2Fault.self) {
      try link.client.session.submitRequest(
        RequestHead(method: .get, target: "/", fields: HeaderList()), scheme: "https", authority: "a.test",
        connectProtocol: "websocket", framing: .none, via: nil)
    }
    let raw = try RawHTTP2Client { $0.offersConnectProtocol = false }
    raw.sendHeaders(
      1,
      [
        (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https"), (":path", "/"),
        (":authority", "a.test"),
      ], ends: false)
    #expect(raw.resetCode(1) == .protocolError && raw.server[1].request == nil)
  }

  @Test("targets that would leave their place are not sent", arguments: ["", "/a b", "/a\r\nx: y", "/\0"])
  func badTargets(target: String) throws {
    let link = try HTTP2Link()
    #expect(throws: HTTP2Fault.self) { try link.client.request(.get, target) }
    #expect(link.client.session.isIdle)
  }

  @Test("many streams at once do not mix, and take turns")
  func manyStreams() throws {
    let link = try HTTP2Link()
    link.server.onRequest = { peer, stream, _ in peer.respond(stream, body: block(100_000 + Int(stream), Int(stream))) }
    let streams = try (0..<20).map { try link.client.request(.get, "/\($0)") }
    link.run(piece: 10_000)
    for stream in streams {
      #expect(link.client[stream].body == block(100_000 + Int(stream), Int(stream)))
    }
  }

  @Test("a full answer of one stream does not starve another")
  func turns() throws {
    let client = try RawHTTP2Client()
    client.send(RawHTTP2Client.frame(8, 0, 0, [0x7F, 0, 0, 0]))
    client.sendHeaders(1, RawHTTP2Client.get)
    client.sendHeaders(3, RawHTTP2Client.get)
    client.server.respond(1, body: block(60_000))
    client.server.respond(3, body: block(60_000))
    client.send([])
    let order = client.frames.filter { $0.type == 0 && !$0.payload.isEmpty }.map(\.stream)
    #expect(order.prefix(4) == [1, 3, 1, 3])
  }

  @Test("everything that is accepted can be written as HTTP/1.1")
  func writable() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get + [("x-a", "1"), ("te", "trailers"), ("content-length", "0")])
    let request = try #require(client.server[1].request)
    let queue = ByteQueue()
    HTTP1Encoder.writeRequest(request.head, framing: request.framing, via: nil, into: queue)
    #expect(
      text(queue)
        == "GET / HTTP/1.1\r\nhost: a.test\r\nx-a: 1\r\nte: trailers\r\ncontent-length: 0\r\nConnection: TE\r\n\r\n")
  }
}
