import Bytes
import HTTP
import Testing

@Suite("HTTP/2 flow control")
struct HTTP2FlowTests {
  private let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ ($0 >> 9)) }

  @Test("windows of any size", arguments: [1, 100, 16_383, 65_535, 65_536, 0x7FFF_FFFF])
  func windows(window: Int) throws {
    let body = window == 1 ? Array(body.prefix(500)) : body
    let link = try HTTP2Link(client: { $0.streamWindow = window }, server: { $0.streamWindow = window })
    link.run()
    link.server.onEnd = { peer, stream in peer.respond(stream, body: peer[stream].body) }
    let stream = try link.client.request(.post, "/", body: body)
    link.run()
    #expect(link.server[stream].body == body && link.client[stream].body == body)
    #expect(link.client[stream].end == .complete && link.client.faults.isEmpty && link.server.faults.isEmpty)
  }

  @Test("windows return only for what was consumed, and a stream that stalls leaves its neighbours alone")
  func stall() throws {
    let link = try HTTP2Link(client: { $0.streamWindow = 65_535 })
    link.run()
    link.client.consumes = false
    link.server.onRequest = { [body] peer, stream, _ in peer.respond(stream, body: body) }
    let stalled = try (0..<3).map { _ in try link.client.request() }
    link.run()
    for stream in stalled {
      #expect(link.client[stream].body.count == 65_535)
      #expect(link.server.session.waitingByteCount(stream) == body.count - 65_535)
    }
    link.client.consumes = true
    let other = try link.client.request()
    link.run()
    #expect(link.client[other].end == .complete && link.client[other].body == body)
    for stream in stalled { link.client.session.consume(65_535, on: stream) }
    link.run()
    for stream in stalled { #expect(link.client[stream].body == body) }
  }

  @Test("bytes that a reset stream did not give back are given back to the connection")
  func resetReturnsWindow() throws {
    let link = try HTTP2Link(client: {
      $0.streamWindow = 65_535
      $0.connectionWindow = 65_535
    })
    link.run()
    link.client.consumes = false
    link.server.onRequest = { [body] peer, stream, _ in peer.respond(stream, body: body) }
    for _ in 0..<5 {
      let stream = try link.client.request()
      link.run()
      #expect(link.client[stream].body.count == 65_535)
      link.client.session.reset(stream, .cancel)
      link.run()
      #expect(link.server[stream].end == .reset(.cancel) && link.client[stream].end == nil)
    }
    #expect(link.client.session.isIdle && link.server.session.isIdle)
  }

  @Test("a congested stream says when it takes bytes again")
  func congestion() throws {
    let link = try HTTP2Link(client: { $0.streamWindow = 65_535 }, server: { $0.streamHighMark = 100_000 })
    link.run()
    link.client.consumes = false
    link.server.onRequest = { [body] peer, stream, _ in
      peer.session.respond(ResponseHead(status: 200, fields: HeaderList()), framing: .chunked, via: nil, on: stream)
      body.withUnsafeBytes { peer.session.write($0, on: stream) }
    }
    let stream = try link.client.request()
    link.run()
    #expect(link.server.session.isCongested(stream) && link.server.drained.isEmpty)
    link.client.session.consume(65_535, on: stream)
    link.run()
    link.client.session.consume(65_535, on: stream)
    link.run()
    #expect(!link.server.session.isCongested(stream) && link.server.drained == [stream])
  }

  @Test("the limit of a flush is kept but for one frame")
  func flushLimit() throws {
    let client = try HTTP2Peer(.client)
    _ = try client.request(.post, "/", body: body)
    client.session.flush(into: client.out, limit: 20_000, now: 0)
    #expect(client.out.count >= 20_000 && client.out.count < 20_000 + 16_384 + 9 && client.session.wantsWrite)
  }

  @Test("a request that nobody wants ends after the answer")
  func discard() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, [(":method", "POST")] + RawHTTP2Client.get.dropFirst(), ends: false)
    client.server.session.discardRequest(1)
    client.server.respond(1, 413, body: latin1("no"))
    client.send(RawHTTP2Client.frame(0, 0, 1, [1, 2, 3]))
    #expect(client.server[1].body.isEmpty && client.resetCode(1) == .noError)
    let types = client.frames.filter { $0.stream == 1 && $0.type != 8 }.map(\.type)
    #expect(types == [1, 0, 3])
    #expect(client.server[1].end == .complete)
  }
}
