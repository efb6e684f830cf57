import Bytes
import HTTP
import Testing

@Suite("Response decoder")
struct ResponseDecoderTests {
  private func read(_ raw: String, to method: HTTPMethod = .get) -> Transcript {
    let bytes = latin1(raw)
    let whole = Transcript.responses([bytes[...]], to: [method])
    for pieces in cuts(bytes) {
      let cut = Transcript.responses(pieces, to: [method])
      #expect(cut.fault == whole.fault && cut.messages == whole.messages)
    }
    return whole
  }

  @Test(
    "what is no response is a 502",
    arguments: [
      "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 099 X\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n",
      "HTTP/1.1 200OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.1 200 O\u{01}\r\n\r\n",
      "HTTP/1.1\r\n\r\n",
      "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nNo colon\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", "HTTP/1.1 200 OK\r\n", "",
    ])
  func faults(_ raw: String) {
    #expect(read(raw).fault?.status == 502)
  }

  @Test("a transfer coding beats a length, which is not passed on; equal lengths become one")
  func lengths() {
    let both = read(
      "HTTP/1.1 200 OK\r\nContent-Length: 999\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
    #expect(both.fault == nil && both.messages.first?.framing == .chunked)
    #expect(both.messages.first?.response?.fields == fields(("Transfer-Encoding", "chunked"), ("A", "b")))
    let equal = read("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nA: b\r\ncontent-length: 2\r\n\r\nhi")
    #expect(equal.messages.first?.framing == .length(2) && text(equal.messages.first?.body ?? []) == "hi")
    #expect(equal.messages.first?.response?.fields == fields(("Content-Length", "2"), ("A", "b")))
  }

  @Test("a body without a length ends with the connection")
  func untilClose() {
    let transcript = read("HTTP/1.1 200\r\n\r\nall of it")
    #expect(transcript.fault == nil && transcript.messages.first?.framing == .untilClose)
    #expect(transcript.messages.first?.isComplete == true && text(transcript.messages.first?.body ?? []) == "all of it")
    #expect(transcript.messages.first?.response?.persists(framing: .untilClose) == false)
  }

  @Test(
    "HEAD, 1xx, 204 and 304 have no body",
    arguments: [
      ("200 OK", HTTPMethod.head, "Content-Length: 9\r\n"), ("200 OK", .head, "Transfer-Encoding: chunked\r\n"),
      ("204 No Content", .get, "Content-Length: 9\r\n"), ("304 Not Modified", .get, "Content-Length: 9\r\n"),
      ("200 OK", .connect, "Transfer-Encoding: chunked\r\n"),
      ("101 Switching Protocols", .get, "Content-Length: 9\r\n"),
    ])
  func bodiless(_ status: String, method: HTTPMethod, lines: String) {
    let transcript = read("HTTP/1.1 \(status)\r\n\(lines)\r\n", to: method)
    #expect(transcript.fault == nil && transcript.isClosed)
    #expect(transcript.messages.first?.framing == BodyFraming.none && transcript.messages.first?.isComplete == true)
  }

  @Test("interim responses come before the final one, 101 is final")
  func informational() {
    let transcript = read(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(transcript.messages.compactMap { $0.response?.status } == [100, 103, 200] && transcript.fault == nil)
    let bytes = latin1("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{81}\u{00}")
    let upgrade = Transcript.responses([bytes[...]], to: [.get]) { $0.response?.isUpgrade == true }
    #expect(upgrade.rest == [0x81, 0] && upgrade.fault == nil)
  }

  @Test("bytes that nobody asked for are a fault, an end then is none")
  func unasked() throws {
    let queue = ByteQueue()
    var decoder = HTTP1ResponseDecoder()
    #expect(try decoder.inputEnded(queue) == .closed)
    #expect(try decoder.next(queue) == .needMore)
    queue.append("HTTP/1.1 408 Timeout\r\n\r\n")
    #expect(throws: HTTPFault.self) { try decoder.next(queue) }
  }

  @Test("a response has begun with its first byte, interim or not")
  func begun() throws {
    let queue = ByteQueue()
    var decoder = HTTP1ResponseDecoder()
    decoder.expect(.get)
    #expect(!decoder.hasBegun && !decoder.isBetweenMessages)
    queue.append("HTTP/1.1 103 X\r\n\r\n")
    _ = try decoder.next(queue)
    #expect(decoder.hasBegun)
    queue.append("HTTP/1.1 204 X\r\n\r\n")
    _ = try decoder.next(queue)
    #expect(try decoder.next(queue) == .end && decoder.isBetweenMessages)
    decoder.expect(.get)
    #expect(!decoder.hasBegun)
  }

  @Test("persistence follows version and Connection")
  func persistence() {
    func persists(_ version: HTTPVersion, _ option: String?) -> Bool {
      let list = option.map { fields(("connection", $0)) } ?? HeaderList()
      return ResponseHead(status: 200, reason: [], version: version, fields: list).persists(framing: .length(1))
    }
    #expect(persists(.http11, nil) && !persists(.http11, "x, Close") && persists(.http11, "closed"))
    #expect(!persists(.http10, nil) && persists(.http10, "Keep-Alive") && !persists(.http10, "keep-alive, close"))
  }
}
