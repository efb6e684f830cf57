import Bytes
import HTTP
import Testing

@Suite("Ends of HTTP/2 streams and connections")
struct HTTP2EndTests {
  @Test("resets of the client and of the server")
  func resets() throws {
    let link = try HTTP2Link()
    let one = try link.client.request(.post, "/", body: nil, trailers: nil)
    let two = try link.client.request()
    link.run()
    link.client.session.reset(one, .cancel)
    link.server.session.reset(two, .http11Required)
    link.run()
    #expect(link.server[one].end == .reset(.cancel) && link.client[two].end == .reset(.http11Required))
    #expect(link.client[one].end == nil && link.server[two].end == nil)
    // What no longer exists can be talked about all the same.
    link.client.session.end(one)
    link.client.session.consume(5, on: one)
    link.server.respond(two, body: [1])
    link.server.session.reset(99, .cancel)
    link.run()
    #expect(link.client.faults.isEmpty && link.server.faults.isEmpty)
  }

  @Test("a request that is cancelled before it is sent")
  func cancelledEarly() throws {
    let link = try HTTP2Link()
    let stream = try link.client.request()
    link.client.session.reset(stream, .cancel)
    let other = try link.client.request()
    link.run()
    #expect(link.server[stream].request == nil && link.server[other].request != nil)
    #expect(link.client.session.openStreamCount == 1)
  }

  @Test("a server drains: what is on its way is taken, then no more")
  func serverDrains() throws {
    let link = try HTTP2Link()
    let first = try link.client.request()
    link.run()
    link.server.session.drain()
    link.server.flush()
    let late = try link.client.request()
    link.run()
    #expect(link.server[late].request != nil)
    #expect(link.client.goaways.map(\.0) == [.noError, .noError])
    #expect(link.client.goaways.last?.1 == late && !link.client.session.canOpenStream)
    #expect(throws: HTTP2Fault.self) { try link.client.request() }
    #expect(!link.server.session.isDrained)
    link.server.respond(first)
    link.server.respond(late, body: latin1("x"))
    link.run()
    #expect(link.server.session.isDrained && link.client[late].end == .complete)
    #expect(link.server.session.isClosed && link.client.session.isClosed)
  }

  @Test("streams behind the last one of a GOAWAY were not processed")
  func unprocessed() throws {
    let link = try HTTP2Link()
    let first = try link.client.request()
    link.run()
    link.server.session.finishDrain()
    let late = try link.client.request()
    link.run()
    #expect(link.client[late].end == .unprocessed && link.server[late].request == nil)
    link.server.respond(first)
    link.run()
    #expect(link.client[first].end == .complete)
  }

  @Test("a client drains")
  func clientDrains() throws {
    let link = try HTTP2Link()
    let stream = try link.client.request()
    link.run()
    link.client.session.drain()
    link.run()
    #expect(link.server.goaways.map(\.0) == [.noError] && !link.client.session.canOpenStream)
    link.server.respond(stream)
    link.run()
    #expect(link.client[stream].end == .complete && link.client.session.isDrained && link.client.session.isClosed)
  }

  @Test("closing tells the peer and loses the streams")
  func close() throws {
    let link = try HTTP2Link()
    let stream = try link.client.request()
    link.run()
    link.server.session.close(.internalError)
    link.run()
    #expect(link.server[stream].end == .connectionLost(nil) && link.server.faults.isEmpty)
    #expect(link.client.goaways.map(\.0) == [.internalError] && link.server.session.isClosed)
    link.client.session.abandon()
    #expect(link.client[stream].end == .connectionLost(nil))
    link.client.receive([1, 2, 3])
    link.client.flush()
    #expect(link.client.session.isClosed && link.client.session.delegate == nil && !link.client.session.canOpenStream)
  }

  @Test("a session may be abandoned from within an event")
  func abandonInside() throws {
    let link = try HTTP2Link()
    link.server.onRequest = { peer, _, _ in peer.session.abandon() }
    let stream = try link.client.request(.post, "/", body: [1, 2, 3])
    link.run()
    #expect(link.server[stream].end == .connectionLost(nil) && link.server[stream].body.isEmpty)
    #expect(link.server.session.delegate == nil)
  }

  @Test("streams that a client has passed over stay closed", arguments: [Int32(1), 3, 7])
  func passedOver(late: Int32) throws {
    let client = try RawHTTP2Client()
    for stream in [Int32(5), 9, 11] { client.sendHeaders(stream, RawHTTP2Client.get) }
    #expect(client.server.order == [5, 9, 11] && client.goawayCode == nil)
    client.sendHeaders(late, RawHTTP2Client.get)
    #expect(client.goawayCode == .protocolError && client.server.faults.map(\.kind) == [.violation])
  }

  @Test("trailers that cross a reset are no fault")
  func crossingTrailers() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get, ends: false)
    client.server.session.reset(1, .cancel)
    client.sendHeaders(3, RawHTTP2Client.get)
    client.sendHeaders(1, [("x-t", "1")])
    #expect(client.server.order == [1, 3] && client.server.faults.isEmpty)
  }

  @Test("a priority of no stream")
  func priorityOfNothing() throws {
    let client = try RawHTTP2Client()
    client.send(RawHTTP2Client.frame(2, 0, 0, [0, 0, 0, 0, 1]))
    #expect(client.goawayCode == .protocolError && client.server.faults.map(\.kind) == [.violation])
  }

  @Test("a stream that was reset is not mentioned, though more of it is known already")
  func silentReset() throws {
    let server = try HTTP2Peer(.server)
    server.onRequest = { peer, stream, _ in peer.session.reset(stream, .cancel) }
    server.receive(
      latin1("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + RawHTTP2Client.frame(4)
        + RawHTTP2Client.frame(1, 4, 1, RawHTTP2Client.block(RawHTTP2Client.get))
        + RawHTTP2Client.frame(0, 0, 1, [1]) + RawHTTP2Client.frame(3, 0, 1, [0, 0, 0, 8]))
    #expect(server.order == [1] && server[1].body.isEmpty && server[1].end == nil)
  }

  @Test("signs of life")
  func pings() throws {
    let link = try HTTP2Link()
    link.client.session.ping(0x0102_0304_0506_0708)
    link.run()
    #expect(link.client.pongs == [0x0102_0304_0506_0708])
  }

  @Test("the peer's limit of streams is known and makes requests wait")
  func streamLimit() throws {
    let link = try HTTP2Link(server: { $0.streamCount = 2 })
    #expect(link.client.session.peerStreamLimit == 100 && !link.client.session.hasPeerSettings)
    link.run()
    #expect(link.client.session.peerStreamLimit == 2 && link.client.session.hasPeerSettings)
    let streams = try (0..<3).map { _ in try link.client.request() }
    #expect(!link.client.session.canOpenStream)
    link.run()
    #expect(link.server.order == Array(streams.prefix(2)))
    link.server.respond(streams[0])
    link.run()
    #expect(link.server.order == streams)
    link.client.session.reset(streams[2], .cancel)
    link.run()
    #expect(link.client.session.openStreamCount == 1)
  }

  @Test(
    "an HTTP/1 client, and bytes that are nothing",
    arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}"])
  func noPreface(bytes: String) throws {
    let server = try HTTP2Peer(.server)
    server.receive(latin1(bytes))
    #expect(server.faults.map(\.kind) == [.violation] && server.faults.first?.code == .protocolError)
    server.flush()
    #expect(server.session.isClosed)
  }

  @Test("a peer that breaks the connection loses its streams")
  func violation() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get)
    client.send(RawHTTP2Client.frame(0, 0, 0, [1]))
    #expect(client.goawayCode == .protocolError)
    let fault = client.server.faults.first
    #expect(fault?.kind == .violation && client.server[1].end == .connectionLost(fault))
  }
}
