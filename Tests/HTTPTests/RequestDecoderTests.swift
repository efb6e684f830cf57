import Bytes
import HTTP
import Testing

@Suite("Request decoder")
struct RequestDecoderTests {
  /// What becomes of a request with these field lines behind a good Host.
  private func read(_ lines: String, line: String = "POST /x HTTP/1.1", body: String = "") -> Transcript {
    let bytes = latin1("\(line)\r\nHost: a.test\r\n\(lines)\r\n\(body)")
    let whole = Transcript.requests([bytes[...]])
    for pieces in cuts(bytes) {
      let cut = Transcript.requests(pieces)
      #expect(cut.fault == whole.fault && cut.messages == whole.messages)
    }
    return whole
  }

  @Test(
    "ambiguous framing is refused",
    arguments: [
      ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400), ("Content-Length: 4\r\nContent-Length: 5\r\n", 400),
      ("Content-Length: 4\r\nContent-Length: 4\r\n", 400), ("Content-Length: 4, 4\r\n", 400),
      ("Content-Length: +4\r\n", 400),
      ("Content-Length: -0\r\n", 400), ("Content-Length: 0x4\r\n", 400), ("Content-Length:\r\n", 400),
      ("Content-Length: 18446744073709551616\r\n", 400), ("Content-Length: 4\u{0B}\r\n", 400),
      ("Transfer-Encoding: xchunked\r\n", 400), ("Transfer-Encoding: chunked, identity\r\n", 400),
      ("Transfer-Encoding: chunked, chunked\r\n", 501), ("Transfer-Encoding: gzip, chunked\r\n", 501),
      ("Transfer-Encoding: identity\r\n", 400), ("Transfer-Encoding:\r\n", 400),
      ("Transfer-Encoding: \"chunked\"\r\n", 400),
      ("Transfer-Encoding: chunked;q=1\r\n", 400), ("Transfer-Encoding: ,chunked\r\n", 501),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400), ("Transfer-Encoding : chunked\r\n", 400),
    ])
  func framing(_ lines: String, status: Int) {
    let transcript = read(lines)
    #expect(transcript.fault?.status == status)
    #expect(transcript.messages.isEmpty)
  }

  @Test(
    "what is no field line is refused",
    arguments: [
      "Bad Name: x\r\n", ": x\r\n", "Name\r\n", " Name: x\r\n", "X: a\r\n b\r\n", "X: a\r\n\tb: c\r\n", "X: a\0b\r\n",
      "X: a\u{7F}\r\n", "X: a\rb\r\n", "X: a\nY: b\r\n", "X: a\r\r\n", "X\u{80}: a\r\n", "X\t: a\r\n", "X@: a\r\n",
      "X: 1234567890\u{1F}\r\n",
    ])
  func fieldLines(_ lines: String) {
    let transcript = read(lines)
    #expect(transcript.fault?.status == 400 && transcript.messages.isEmpty)
  }

  @Test(
    "the request line is held to its form",
    arguments: [
      ("GET\r\n", 400), ("GET /\r\n", 400), ("GET  / HTTP/1.1\r\n", 400), ("GET /  HTTP/1.1\r\n", 400),
      ("GET / HTTP/1.1 \r\n", 400),
      ("GET /a b HTTP/1.1\r\n", 400), ("GET /\t HTTP/1.1\r\n", 400), ("G@T / HTTP/1.1\r\n", 400),
      (" GET / HTTP/1.1\r\n", 400),
      ("GET / HTTP/9.9\r\n", 505), ("GET / HTTP/1.2\r\n", 505), ("PRI * HTTP/2.0\r\n", 505),
      ("GET / http/1.1\r\n", 400),
      ("GET / HTTP/1.10\r\n", 400), ("GET / HTTP/11\r\n", 400), ("GET / HTTP/1.1\n", 400),
      ("\nGET / HTTP/1.1\r\n", 400),
      ("GET /\u{7F} HTTP/1.1\r\n", 400), ("GET /\0 HTTP/1.1\r\n", 400), ("\u{16}\u{03}\u{01}\u{02}\0garbage\r\n", 400),
      ("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n", 400), ("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", 400),
      (String(repeating: "A", count: 65) + " / HTTP/1.1\r\n", 501),
    ])
  func requestLines(_ line: String, status: Int) {
    let bytes = latin1(line + "Host: a.test\r\n\r\n")
    for pieces in cuts(bytes) {
      let transcript = Transcript.requests(pieces)
      #expect(transcript.fault?.status == status && transcript.messages.isEmpty)
    }
  }

  @Test("what cannot become HTTP is refused before a line ends")
  func early() {
    let queue = ByteQueue()
    var decoder = HTTP1RequestDecoder()
    queue.append([0x16, 3, 1])
    #expect(throws: HTTPFault.self) { try decoder.next(queue) }
    queue.append("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(throws: HTTPFault.self, "a fault is final") { try decoder.next(queue) }
  }

  @Test(
    "Host is there once and a host",
    arguments: [
      ("", false), ("Host: a.test\r\nHost: a.test\r\n", false), ("Host:\r\n", false), ("Host: a b\r\n", false),
      ("Host: u@a\r\n", false),
      ("Host: a/b\r\n", false), ("Host: a,b\r\n", false), ("Host: a:x\r\n", false), ("Host: a:123456\r\n", false),
      ("Host: [::1\r\n", false),
      ("Host: [::1]x\r\n", false), ("Host: :80\r\n", false), ("Host: []\r\n", false), ("Host: b\u{E9}\r\n", false),
      ("Host: a_b.test:443\r\n", true), ("hOST: [::1]:8080\r\n", true), ("Host: a.test:\r\n", true),
      ("Host: 127.0.0.1\r\n", true),
    ])
  func host(_ lines: String, isGood: Bool) {
    let transcript = Transcript.requests([latin1("GET / HTTP/1.1\r\n\(lines)\r\n")[...]])
    #expect((transcript.fault == nil) == isGood)
    if !isGood { #expect(transcript.fault?.status == 400) }
  }

  @Test("HTTP/1.0 may lack a Host, not have a transfer coding")
  func http10() {
    let plain = Transcript.requests([latin1("GET / HTTP/1.0\r\n\r\n")[...]])
    #expect(plain.fault == nil && plain.messages.first?.request?.persists == false)
    #expect(read("Transfer-Encoding: chunked\r\n", line: "POST / HTTP/1.0").fault?.status == 400)
  }

  @Test("requests follow each other on one queue; spelling, order and duplicates are kept")
  func pipelining() {
    let bytes = latin1(
      "\r\nPOST /a HTTP/1.1\r\nHost: a.test\r\nx-DUP: one\r\nX-Empty:\r\nX-Dup:\t two  \r\nContent-Length: 003\r\n\r\nabc"
        + "PUT /b HTTP/1.1\r\nHOST: a.test\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "3;a;b=c;d=\"e;\\\" f\"\r\nabc\r\n000A\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n"
        + "GET http://a.test/c?d HTTP/1.1\r\nHost: a.test\r\n\r\n")
    for pieces in cuts(bytes) {
      let transcript = Transcript.requests(pieces, bite: 2)
      #expect(transcript.fault == nil && transcript.isClosed && transcript.rest.isEmpty)
      #expect(transcript.messages.map { text($0.body) } == ["abc", "abc0123456789", ""])
      #expect(transcript.messages.map(\.framing) == [.length(3), .chunked, .none])
      #expect(transcript.messages.map { $0.trailers?.first(named: "x-sum") } == [nil, "1", nil])
      #expect(
        transcript.messages.first?.request?.fields
          == fields(("Host", "a.test"), ("x-DUP", "one"), ("X-Empty", ""), ("X-Dup", "two"), ("Content-Length", "003")))
    }
  }

  @Test(
    "bad chunks are refused",
    arguments: [
      "+3\r\nabc\r\n0\r\n\r\n", " 3\r\nabc\r\n0\r\n\r\n", "3 \r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n",
      "\r\nabc\r\n0\r\n\r\n",
      "10000000000000000\r\nabc\r\n0\r\n\r\n", "00000000000000003\r\nabc\r\n0\r\n\r\n", "3\nabc\r\n0\r\n\r\n",
      "3\r\nabcd\r\n0\r\n\r\n",
      "3\r\nabc\n0\r\n\r\n", "3\r\nabc0\r\n\r\n", "3;\r\nabc\r\n0\r\n\r\n", "3;a=\r\nabc\r\n0\r\n\r\n",
      "3;a=\"b\r\nabc\r\n0\r\n\r\n",
      "3;a\rb\r\nabc\r\n0\r\n\r\n", "3;a=\"\u{01}\"\r\nabc\r\n0\r\n\r\n", "3;a b\r\nabc\r\n0\r\n\r\n",
      "3,\r\nabc\r\n0\r\n\r\n",
      "0\r\nX Y: 1\r\n\r\n", "0\r\nX: 1\r\n y\r\n\r\n", "0\r\nX: 1\n\r\n", "0\r\n\n", "0\r\n: x\r\n\r\n",
    ])
  func chunks(_ body: String) {
    let transcript = read("Transfer-Encoding: chunked\r\n", body: body)
    #expect(transcript.fault?.status == 400 && transcript.fault?.kind == .malformed)
    #expect(transcript.messages.first?.isComplete == false)
  }

  @Test("an end inside a message is told apart from one between messages")
  func ends() {
    let whole = latin1("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")
    for count in 1..<whole.count {
      #expect(Transcript.requests([whole[..<count]]).fault?.kind == .incomplete)
    }
    #expect(Transcript.requests([whole[...]]).isClosed)
    #expect(Transcript.requests([]).isClosed)
    let chunked = latin1("3\r\nabc\r\n0\r\n\r\n")
    for count in 0..<chunked.count {
      let transcript = read("Transfer-Encoding: chunked\r\n", body: text(chunked[..<count]))
      #expect(transcript.fault?.kind == .incomplete && transcript.messages.first?.isComplete == false)
    }
  }

  @Test("limits hold however the bytes come")
  func limits() {
    let limits = HTTP1Limits(
      headByteCount: 100, fieldCount: 3, trailerByteCount: 20, chunkLineByteCount: 10, chunkExtensionByteCount: 8)
    let start = "POST / HTTP/1.1\r\nHost: a\r\n"
    func outcome(_ text: String) -> Set<Int> {
      Set(cuts(latin1(text)).map { Transcript.requests($0, limits: limits).fault?.status ?? 0 })
    }
    let room = 100 - start.utf8.count - "X: \r\n\r\n".utf8.count
    #expect(outcome("\(start)X: \(String(repeating: "x", count: room))\r\n\r\n") == [0])
    #expect(outcome("\(start)X: \(String(repeating: "x", count: room + 1))\r\n\r\n") == [431])
    #expect(outcome("\(start)X: \(String(repeating: "x", count: 1_000))") == [431])
    #expect(outcome("\(start)A: 1\r\nB: 2\r\n\r\n") == [0])
    #expect(outcome("\(start)A: 1\r\nB: 2\r\nC: 3\r\n\r\n") == [431])
    let chunked = "\(start)Transfer-Encoding: chunked\r\n\r\n"
    #expect(outcome("\(chunked)1;aa\r\nx\r\n0\r\n\r\n") == [0])
    #expect(outcome("\(chunked)1;aaaaaaaaa\r\nx\r\n0\r\n\r\n") == [400])
    #expect(outcome("\(chunked)1;aa\r\nx\r\n1;aa\r\nx\r\n1;aa\r\nx\r\n0\r\n\r\n") == [400])
    #expect(outcome("\(chunked)0\r\nX: \(String(repeating: "x", count: 30))\r\n\r\n") == [431])
  }

  @Test("CONNECT has no body; what follows its head stays in the queue")
  func connect() {
    let bytes = latin1("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n\u{16}\u{03}")
    let transcript = Transcript.requests([bytes[...]]) { _ in true }
    #expect(
      transcript.messages.first?.request?.method == .connect && transcript.messages.first?.framing == BodyFraming.none)
    #expect(transcript.rest == [0x16, 3])
    #expect(read("Content-Length: 1\r\n", line: "CONNECT a.test:443 HTTP/1.1").fault?.status == 400)
    #expect(
      read("Content-Length: 0\r\n", line: "CONNECT a.test:443 HTTP/1.1").messages.first?.framing == BodyFraming.none)
  }

  @Test("a body piece is offered until it is taken")
  func pieces() throws {
    let queue = ByteQueue()
    var decoder = HTTP1RequestDecoder()
    #expect(decoder.isBetweenMessages)
    queue.append("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
    guard case .head(_, .length(5)) = try decoder.next(queue) else {
      Issue.record("no head")
      return
    }
    #expect(try decoder.next(queue) == .body(2))
    #expect(try decoder.next(queue) == .body(2))
    queue.append("cdeGET")
    #expect(try decoder.next(queue) == .body(5))
    queue.consume(4)
    decoder.consumed(4)
    #expect(try decoder.next(queue) == .body(1))
    queue.consume(1)
    decoder.consumed(1)
    #expect(!decoder.isBetweenMessages)
    #expect(try decoder.next(queue) == .end)
    #expect(decoder.isBetweenMessages)
    #expect(try decoder.next(queue) == .needMore)
    #expect(!decoder.isBetweenMessages)
  }
}
