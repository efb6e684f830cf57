import Bytes
import HTTP
import Testing

@Suite("Floods of HTTP/2 frames")
struct HTTP2FloodTests {
  private func expectCalm(_ client: RawHTTP2Client, _ word: String) {
    #expect(client.goawayCode == .enhanceYourCalm)
    #expect(client.server.faults.count == 1 && client.server.faults.first?.kind == .flood)
    #expect(client.server.faults.first?.reason.contains(word) == true)
    #expect(client.server.session.isClosed)
  }

  @Test("rapid resets")
  func resets() throws {
    let client = try RawHTTP2Client()
    for index in 0..<201 {
      #expect(client.server.faults.isEmpty)
      let stream = Int32(2 * index + 1)
      client.sendHeaders(stream, RawHTTP2Client.get)
      client.send(RawHTTP2Client.frame(3, 0, stream, [0, 0, 0, 8]))
    }
    expectCalm(client, "reset")
  }

  @Test("resets that the client provokes")
  func provokedResets() throws {
    let client = try RawHTTP2Client()
    for index in 0..<201 {
      client.sendHeaders(Int32(2 * index + 1), RawHTTP2Client.get + [("X", "y")])
    }
    expectCalm(client, "reset")
  }

  @Test("resets over a longer time are no flood")
  func slowResets() throws {
    let client = try RawHTTP2Client()
    for index in 0..<600 {
      client.server.now += 60_000_000
      let stream = Int32(2 * index + 1)
      client.sendHeaders(stream, RawHTTP2Client.get)
      client.send(RawHTTP2Client.frame(3, 0, stream, [0, 0, 0, 8]))
    }
    #expect(client.server.faults.isEmpty && client.server.session.isIdle)
  }

  @Test("SETTINGS")
  func settings() throws {
    let client = try RawHTTP2Client()
    for _ in 0..<100 { client.send(RawHTTP2Client.frame(4)) }
    expectCalm(client, "SETTINGS")
  }

  @Test("PING, in one piece")
  func pings() throws {
    let client = try RawHTTP2Client()
    client.send((0..<101).flatMap { _ in RawHTTP2Client.frame(6, 0, 0, [UInt8](repeating: 1, count: 8)) })
    expectCalm(client, "PING")
  }

  @Test("PING beside messages is no flood")
  func honestPings() throws {
    let client = try RawHTTP2Client()
    for index in 0..<500 {
      client.sendHeaders(Int32(2 * index + 1), RawHTTP2Client.get)
      client.server.respond(Int32(2 * index + 1), body: [1])
      client.send(RawHTTP2Client.frame(6, 0, 0, [UInt8](repeating: 1, count: 8)))
    }
    #expect(client.server.faults.isEmpty)
  }

  @Test("DATA without bytes", arguments: [[UInt8](), [3, 0, 0, 0]])
  func emptyData(payload: [UInt8]) throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get, ends: false)
    let frame = RawHTTP2Client.frame(0, payload.isEmpty ? 0 : 8, 1, payload)
    for _ in 0..<1_001 { client.send(frame) }
    expectCalm(client, "DATA")
  }

  @Test("CONTINUATION")
  func continuations() throws {
    let client = try RawHTTP2Client()
    client.send(RawHTTP2Client.frame(1, 1, 1, RawHTTP2Client.block(RawHTTP2Client.get)))
    for index in 0..<9 { client.send(RawHTTP2Client.frame(9, 0, 1, RawHTTP2Client.block([("x\(index)", "y")]))) }
    expectCalm(client, "CONTINUATION")
  }

  @Test("as many CONTINUATION frames as are allowed")
  func fewContinuations() throws {
    let client = try RawHTTP2Client()
    client.send(RawHTTP2Client.frame(1, 1, 1, RawHTTP2Client.block(RawHTTP2Client.get)))
    for index in 0..<8 {
      client.send(RawHTTP2Client.frame(9, index == 7 ? 4 : 0, 1, RawHTTP2Client.block([("x\(index)", "y")])))
    }
    #expect(client.server[1].request?.head.fields.count == 9)
  }

  @Test("frames without effect", arguments: [UInt8(2), 8])
  func idleFrames(type: UInt8) throws {
    let client = try RawHTTP2Client()
    let payload: [UInt8] = type == 2 ? [0, 0, 0, 0, 16] : [0, 0, 0, 1]
    for _ in 0..<1_001 { client.send(RawHTTP2Client.frame(type, 0, type == 2 ? 1 : 0, payload)) }
    expectCalm(client, "no effect")
  }

  @Test("heads on a stream that is over")
  func lateHeads() throws {
    let client = try RawHTTP2Client()
    client.sendHeaders(1, RawHTTP2Client.get)
    client.server.respond(1, 204)
    client.send([])
    for _ in 0..<1_010 { client.sendHeaders(1, RawHTTP2Client.get) }
    expectCalm(client, "no effect")
  }

  @Test("answers to no question")
  func acknowledgements() throws {
    let client = try RawHTTP2Client()
    for _ in 0..<1_001 { client.send(RawHTTP2Client.frame(6, 1, 0, [UInt8](repeating: 1, count: 8))) }
    expectCalm(client, "no effect")
  }

  @Test("interim responses without an end")
  func informational() throws {
    let client = try HTTP2Peer(.client) { $0.informationalCount = 3 }
    let stream = try client.request()
    client.flush()
    let early = RawHTTP2Client.frame(1, 4, stream, RawHTTP2Client.block([(":status", "103")]))
    client.receive(RawHTTP2Client.frame(4) + early + early + early)
    #expect(client[stream].informational.count == 3 && client[stream].end == nil)
    client.receive(early)
    client.flush()
    guard case .malformed(let fault)? = client[stream].end else {
      throw HTTPFault(kind: .malformed, status: 0, reason: "no end")
    }
    #expect(fault.status == 502 && client.faults.isEmpty)
  }

  @Test("windows that open by single bytes")
  func crumbs() throws {
    let client = try RawHTTP2Client { $0.emptyFrameCount = 50 }
    client.send(RawHTTP2Client.frame(4, 0, 0, [0, 4, 0, 0, 0, 1]))
    client.sendHeaders(1, RawHTTP2Client.get)
    client.server.respond(1, body: [UInt8](repeating: 7, count: 1_000))
    for _ in 0..<501 { client.send(RawHTTP2Client.frame(8, 0, 1, [0, 0, 0, 1])) }
    expectCalm(client, "few bytes")
  }

  @Test("a head that unpacks to very much more than it is")
  func bomb() throws {
    let client = try RawHTTP2Client { $0.headByteCount = 4_096 }
    // One field of 3,900 bytes goes into the table; each byte after it repeats it.
    let field = [UInt8(0x40), 1] + latin1("x") + [127, 0xBD, 0x1D] + [UInt8](repeating: 0x79, count: 3_900)
    let block = RawHTTP2Client.block(RawHTTP2Client.get) + field + [UInt8](repeating: 0xBE, count: 12_000)
    client.send(RawHTTP2Client.frame(1, 5, 1, block))
    expectCalm(client, "many times")
    #expect(client.server[1].request == nil)
  }
}
