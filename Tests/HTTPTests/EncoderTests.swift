import Bytes
import HTTP
import Testing

@Suite("Encoder")
struct EncoderTests {
  private func request(
    _ list: HeaderList, method: HTTPMethod = .get, target: String? = nil, host: String? = nil,
    framing: BodyFraming = .none,
    via: String? = nil, dropping: FieldNameSet = FieldNameSet(), upgrade: UpgradeFields = .removed
  ) -> String {
    let queue = ByteQueue()
    let head = RequestHead(method: method, target: "/t", fields: list)
    HTTP1Encoder.writeRequest(
      head, target: target.map { Array($0.utf8)[...] }, host: host, framing: framing, via: via, dropping: dropping,
      upgrade: upgrade,
      into: queue)
    return text(queue)
  }

  private func response(
    _ status: Int, _ list: HeaderList, framing: BodyFraming, to client: HTTPVersion = .http11,
    persistence: Persistence = .persists
  ) -> (String, BodyFraming) {
    let queue = ByteQueue()
    let written = HTTP1Encoder.writeResponse(
      ResponseHead(status: status, fields: list), framing: framing, to: client, via: "1.1 p", persistence: persistence,
      into: queue)
    return (text(queue), written)
  }

  @Test("fields that do not end here are kept as they are, Via comes last")
  func kept() {
    let list = fields(
      ("Host", "a.test"), ("X-AbC", "1"), ("x-dup", "one"), ("Via", "1.0 x"), ("X-DUP", "two"), ("x-Empty", ""))
    #expect(
      request(list, via: "1.1 pinwarden-1")
        == "GET /t HTTP/1.1\r\nHost: a.test\r\nX-AbC: 1\r\nx-dup: one\r\nVia: 1.0 x\r\nX-DUP: two\r\nx-Empty: \r\n"
        + "Via: 1.1 pinwarden-1\r\n\r\n")
  }

  @Test("fields of this hop are left out, with those that Connection names")
  func hopByHop() {
    let list = fields(
      ("Host", "a"), ("Connection", "keep-alive, X-Drop"), ("x-drop", "1"), ("Keep-Alive", "timeout=5"),
      ("Proxy-Connection", "x"),
      ("Proxy-Authorization", "Basic x"), ("TE", "gzip"), ("Upgrade", "h2c"), ("HTTP2-Settings", "x"),
      ("Connection", "cookie"),
      ("Cookie", "c"), ("X-Keep", "2"), ("X-Drop", "3"))
    #expect(request(list) == "GET /t HTTP/1.1\r\nHost: a\r\nX-Keep: 2\r\n\r\n")
  }

  @Test("Connection cannot take away what frames or routes a message")
  func protected() {
    let list = fields(
      ("Host", "a"), ("Connection", "host, content-length, transfer-encoding, via, content-type, , close"),
      ("Content-Length", "3"),
      ("Via", "1.1 x"), ("Content-Type", "text/plain"))
    #expect(
      request(list, method: .post, framing: .length(3))
        == "POST /t HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nVia: 1.1 x\r\nContent-Type: text/plain\r\n\r\n")
  }

  @Test("the framing fields are written from the framing, where the old ones stood")
  func framing() {
    let length = fields(("Host", "a"), ("content-length", "003"), ("A", "b"))
    let coding = fields(("Host", "a"), ("transfer-encoding", "Chunked"), ("A", "b"))
    #expect(request(length, framing: .length(3)) == "GET /t HTTP/1.1\r\nHost: a\r\ncontent-length: 3\r\nA: b\r\n\r\n")
    #expect(
      request(coding, framing: .chunked) == "GET /t HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\nA: b\r\n\r\n")
    #expect(
      request(length, framing: .chunked) == "GET /t HTTP/1.1\r\nHost: a\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(request(coding, framing: .length(0)) == "GET /t HTTP/1.1\r\nHost: a\r\nA: b\r\nContent-Length: 0\r\n\r\n")
    #expect(request(coding, framing: .none) == "GET /t HTTP/1.1\r\nHost: a\r\nA: b\r\n\r\n")
  }

  @Test("target and Host are replaced, configured names are dropped")
  func replacements() {
    let list = fields(("Accept", "*/*"), ("hOST", "b.test"), ("Key1", "AAAA"), ("imywebdxp", "1"), ("KEY2", "x"))
    #expect(
      request(list, target: "/p?q", host: "a.test", dropping: FieldNameSet(["Key1", "IMYWebDXP", "host"]))
        == "GET /p?q HTTP/1.1\r\nAccept: */*\r\nhOST: a.test\r\nKEY2: x\r\n\r\n")
    #expect(request(fields(("A", "b")), host: "a.test:81") == "GET /t HTTP/1.1\r\nHost: a.test:81\r\nA: b\r\n\r\n")
  }

  @Test("TE: trailers and a wanted upgrade get a Connection field of this hop")
  func connection() {
    let te = fields(("Host", "a"), ("TE", "gzip, Trailers"), ("A", "b"))
    #expect(
      request(te, via: "v") == "GET /t HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nA: b\r\nConnection: TE\r\nVia: v\r\n\r\n")
    let socket = fields(
      ("Host", "a"), ("Connection", "keep-alive, Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Key", "k"),
      ("TE", "trailers"))
    #expect(
      request(socket, upgrade: .kept)
        == "GET /t HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, TE\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\nTE: trailers\r\n\r\n"
    )
  }

  @Test("a response is framed for its client")
  func responses() {
    let chunked = fields(("Transfer-Encoding", "chunked"), ("A", "b"))
    #expect(
      response(200, fields(("A", "b")), framing: .untilClose) == (
        "HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\nVia: 1.1 p\r\n\r\n", .chunked
      ))
    #expect(
      response(200, chunked, framing: .chunked) == (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\nVia: 1.1 p\r\n\r\n", .chunked
      ))
    #expect(
      response(200, chunked, framing: .chunked, to: .http10) == (
        "HTTP/1.1 200 OK\r\nA: b\r\nVia: 1.1 p\r\n\r\n", .untilClose
      ))
    #expect(response(200, fields(("A", "b")), framing: .untilClose, to: .http10).1 == .untilClose)
    #expect(
      response(
        200, fields(("Connection", "X-Hop"), ("X-Hop", "1"), ("X-End", "2")), framing: .length(0), persistence: .closes
      ).0
        == "HTTP/1.1 200 OK\r\nConnection: close\r\nX-End: 2\r\nContent-Length: 0\r\nVia: 1.1 p\r\n\r\n")
  }

  @Test("the length of a HEAD or 304 stays, that of a 204 goes; 101 keeps its upgrade")
  func bodiless() {
    let length = fields(("Content-Length", "1488324"))
    #expect(
      response(200, length, framing: .none).0 == "HTTP/1.1 200 OK\r\nContent-Length: 1488324\r\nVia: 1.1 p\r\n\r\n")
    #expect(
      response(304, length, framing: .none).0
        == "HTTP/1.1 304 Not Modified\r\nContent-Length: 1488324\r\nVia: 1.1 p\r\n\r\n")
    #expect(response(204, length, framing: .none).0 == "HTTP/1.1 204 No Content\r\nVia: 1.1 p\r\n\r\n")
    #expect(
      response(200, fields(("Transfer-Encoding", "chunked")), framing: .none).0
        == "HTTP/1.1 200 OK\r\nVia: 1.1 p\r\n\r\n")
    #expect(
      response(101, fields(("Connection", "upgrade"), ("Upgrade", "websocket")), framing: .none, persistence: .closes).0
        == "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nVia: 1.1 p\r\n\r\n")
    #expect(
      response(599, HeaderList(), framing: .length(0)).0 == "HTTP/1.1 599 \r\nContent-Length: 0\r\nVia: 1.1 p\r\n\r\n")
  }

  @Test(
    "chunks",
    arguments: [(1, "1"), (9, "9"), (10, "a"), (15, "f"), (16, "10"), (255, "ff"), (4_096, "1000"), (65_535, "ffff")])
  func chunks(_ count: Int, size: String) {
    let queue = ByteQueue()
    let bytes = [UInt8](repeating: 120, count: count)
    bytes.withUnsafeBytes { HTTP1Encoder.writeChunk($0, into: queue) }
    #expect(text(queue) == "\(size)\r\n\(text(bytes))\r\n")
  }

  @Test("no bytes make no chunk, and trailers that belong into a head are dropped")
  func lastChunk() {
    let queue = ByteQueue()
    HTTP1Encoder.writeChunk(UnsafeRawBufferPointer(start: nil, count: 0), into: queue)
    #expect(queue.isEmpty)
    HTTP1Encoder.writeLastChunk(into: queue)
    HTTP1Encoder.writeLastChunk(
      trailers: fields(("X-Sum", "1"), ("Content-Length", "2"), ("host", "x"), ("ETag", "y")), into: queue)
    #expect(text(queue) == "0\r\n\r\n0\r\nX-Sum: 1\r\nETag: y\r\n\r\n")
  }

  @Test("what is written is read back the same")
  func roundTrip() {
    let list = fields(("Host", "a.test"), ("A", "b"), ("Transfer-Encoding", "chunked"), ("C", "d"))
    let queue = ByteQueue()
    HTTP1Encoder.writeRequest(
      RequestHead(method: .patch, target: "/x", fields: list), framing: .chunked, via: nil, into: queue)
    HTTP1Encoder.writeChunkHeader(3, into: queue)
    queue.append("abc")
    HTTP1Encoder.writeChunkEnd(into: queue)
    HTTP1Encoder.writeLastChunk(trailers: fields(("T", "1")), into: queue)
    let message = Transcript.requests([Array(queue.bytes)[...]]).messages.first
    #expect(message?.request == RequestHead(method: .patch, target: "/x", fields: list))
    #expect(text(message?.body ?? []) == "abc" && message?.trailers == fields(("T", "1")))
  }
}
