import Bytes
import HTTP
import Testing

/// Bytes from a fixed seed: nothing crashes, and what is told stays in order.
@Suite("Random HTTP/2 bytes")
struct HTTP2RandomTests {
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  /// A server that answers by the dice, in every way that there is.
  private func answer(_ peer: HTTP2Peer, _ stream: Int32, _ choice: Int) {
    switch choice {
    case 0: peer.respond(stream, body: [1, 2, 3], trailers: fields(("a", "b")))
    case 1: peer.respond(stream, 204)
    case 2: peer.session.reset(stream, .cancel)
    case 3: peer.session.discardRequest(stream)
    case 4: peer.session.inform(ResponseHead(status: 103, fields: HeaderList()), via: nil, on: stream)
    case 5: peer.session.drain()
    default: break
    }
  }

  private func check(_ peer: HTTP2Peer) {
    for (_, heard) in peer.heard {
      #expect(heard.request == nil || heard.refusal == nil)
      guard let request = heard.request else { continue }
      let queue = ByteQueue()
      let framing = HTTP1Encoder.writeRequest(request.head, framing: request.framing, via: nil, into: queue)
      guard request.head.method != .connect else { continue }
      var decoder = HTTP1RequestDecoder(limits: HTTP1Limits(headByteCount: 1 << 20))
      guard case .head(let again, framing)? = try? decoder.next(queue) else {
        Issue.record("not writable: \(request)")
        continue
      }
      #expect(again.method == request.head.method && again.target == request.head.target)
    }
  }

  @Test("frames of random types and contents")
  func frames() throws {
    var dice = Dice(state: 42)
    for _ in 0..<150 {
      let client = try RawHTTP2Client()
      client.server.onRequest = { peer, stream, _ in self.answer(peer, stream, Int(stream) % 7) }
      for _ in 0..<30 {
        let count = Int.random(in: 0...40, using: &dice)
        let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
        client.send(
          RawHTTP2Client.frame(
            UInt8.random(in: 0...12, using: &dice), UInt8.random(in: 0...63, using: &dice),
            Int32.random(in: 0...9, using: &dice), payload))
      }
      check(client.server)
      client.server.session.abandon()
    }
  }

  private func plainTalk(_ dice: inout Dice) -> [UInt8] {
    var bytes = latin1("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + RawHTTP2Client.frame(4)
    for index in 0..<6 {
      let stream = Int32(2 * index + 1)
      let isPost = Bool.random(using: &dice)
      let fields = RawHTTP2Client.get + [("cookie", "a=1"), ("x-\(index)", "y"), ("te", "trailers")]
      bytes += RawHTTP2Client.frame(1, isPost ? 4 : 5, stream, RawHTTP2Client.block(fields))
      guard isPost else { continue }
      bytes += RawHTTP2Client.frame(0, 0, stream, [1, 2, 3])
      bytes += RawHTTP2Client.frame(1, 5, stream, RawHTTP2Client.block([("x-t", "1")]))
    }
    return bytes + RawHTTP2Client.frame(8, 0, 0, [0, 0, 1, 0]) + RawHTTP2Client.frame(3, 0, 5, [0, 0, 0, 8])
  }

  private func damage(_ bytes: inout [UInt8], _ dice: inout Dice) {
    for _ in 0..<Int.random(in: 0...4, using: &dice) {
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
      case 1: bytes.remove(at: place)
      default: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
      }
    }
  }

  @Test("damaged requests, whole and in pieces")
  func damagedRequests() throws {
    var dice = Dice(state: 7)
    var acceptedCount = 0
    for round in 0..<300 {
      var bytes = plainTalk(&dice)
      damage(&bytes, &dice)
      let whole = try HTTP2Peer(.server)
      let pieces = try HTTP2Peer(.server)
      for peer in [whole, pieces] {
        peer.onRequest = { peer, stream, _ in self.answer(peer, stream, (Int(stream) + round) % 5) }
      }
      whole.receive(bytes)
      whole.flush()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...30, using: &dice)
        pieces.receive(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      pieces.flush()
      check(whole)
      #expect(whole.order == pieces.order)
      acceptedCount += whole.order.count
    }
    #expect(acceptedCount > 300)
  }

  @Test("damaged responses")
  func damagedResponses() throws {
    var dice = Dice(state: 99)
    for _ in 0..<300 {
      let client = try HTTP2Peer(.client)
      let streams = try (0..<4).map { try client.request($0 == 1 ? .head : .post, "/", body: $0 == 2 ? [1, 2] : nil) }
      client.flush()
      var bytes = RawHTTP2Client.frame(4, 0, 0, [0, 3, 0, 0, 0, 10])
      for stream in streams {
        bytes += RawHTTP2Client.frame(1, 4, stream, RawHTTP2Client.block([(":status", "103")]))
        bytes += RawHTTP2Client.frame(
          1, 4, stream, RawHTTP2Client.block([(":status", "200"), ("content-length", "3")]))
        bytes += RawHTTP2Client.frame(0, 0, stream, [1, 2, 3])
        bytes += RawHTTP2Client.frame(1, 5, stream, RawHTTP2Client.block([("x-t", "1")]))
      }
      bytes += RawHTTP2Client.frame(7, 0, 0, [0, 0, 0, 3, 0, 0, 0, 0])
      damage(&bytes, &dice)
      client.receive(bytes)
      client.flush()
      client.session.abandon()
      for stream in streams { #expect(client[stream].end != nil) }
    }
  }

  @Test("a server's bytes to a client and back are no messages")
  func reflected() throws {
    for role in [HTTP2Session.Role.client, .server] {
      let peer = try HTTP2Peer(role)
      peer.flush()
      let bytes = Array(peer.out.bytes)
      peer.receive(bytes)
      peer.flush()
      #expect(peer.heard.isEmpty)
    }
  }
}
