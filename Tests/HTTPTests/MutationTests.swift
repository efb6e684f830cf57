import Bytes
import HTTP
import Testing

/// Messages with random damage, from a fixed seed: whatever is accepted must survive being passed on.
@Suite("Damaged messages")
struct MutationTests {
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let pieces = [
    "\r\n", "\n", "\r", " ", "\t", ":", ",", ";", "\0", "\u{80}", "0", "chunked", "Content-Length: 1\r\n",
    "Transfer-Encoding: chunked\r\n",
    "HTTP/1.1", "Connection: close, te, x\r\n", "TE: trailers\r\n", "Host: b\r\n", "Upgrade: x\r\n", "/", "a",
  ]

  private func damaged(_ text: String, _ dice: inout Dice) -> [UInt8] {
    var bytes = latin1(text)
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &dice)
      switch Int.random(in: 0..<3, using: &dice) {
      case 0:
        bytes.insert(contentsOf: latin1(Self.pieces.randomElement(using: &dice) ?? ""), at: min(place, bytes.count))
      case 1 where place < bytes.count: bytes.remove(at: place)
      default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &dice))
      }
    }
    return bytes
  }

  private func cut(_ bytes: [UInt8], _ dice: inout Dice) -> [ArraySlice<UInt8>] {
    let place = Int.random(in: 0...bytes.count, using: &dice)
    return [bytes[..<place], bytes[place...]]
  }

  @Test("requests")
  func requests() throws {
    var dice = Dice(state: 20_261_130)
    let vectors =
      try MessageVector.load(kind: "request").map(\.rawWithHost) + [
        "POST /a?b HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nTransfer-Encoding: chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n0\r\nT: 1\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\nConnection: upgrade, x\r\nUpgrade: websocket\r\nX: 1\r\n\r\n",
      ]
    var acceptedCount = 0
    for round in 0..<2_000 {
      let bytes = damaged(vectors[round % vectors.count], &dice)
      let whole = Transcript.requests([bytes[...]])
      let parts = Transcript.requests(cut(bytes, &dice), bite: 3)
      #expect(whole.messages == parts.messages && whole.fault == parts.fault)
      for message in whole.messages where message.isComplete && message.request?.fields.contains(.host) == true {
        acceptedCount += 1
        checkForwarded(message)
      }
    }
    #expect(acceptedCount > 100)
  }

  private func checkForwarded(_ message: Message) {
    guard let head = message.request else { return }
    _ = try? head.requestTarget()
    let queue = ByteQueue()
    let framing = HTTP1Encoder.writeRequest(head, framing: message.framing, via: "1.1 x", upgrade: .kept, into: queue)
    if framing == .chunked {
      message.body.withUnsafeBytes { HTTP1Encoder.writeChunk($0, into: queue) }
      HTTP1Encoder.writeLastChunk(trailers: message.trailers, into: queue)
    } else {
      queue.append(message.body)
    }
    let again = Transcript.requests([Array(queue.bytes)[...]])
    #expect(again.fault == nil && again.messages.count == 1)
    #expect(again.messages.first?.framing == message.framing && again.messages.first?.body == message.body)
    #expect(again.messages.first?.request?.target == head.target)
  }

  @Test("responses")
  func responses() throws {
    var dice = Dice(state: 7)
    let vectors = try MessageVector.load(kind: "response").map(\.raw)
    for round in 0..<2_000 {
      let bytes = damaged(vectors[round % vectors.count], &dice)
      let whole = Transcript.responses([bytes[...]], to: [.get, .get])
      let parts = Transcript.responses(cut(bytes, &dice), to: [.get, .get], bite: 3)
      #expect(whole.messages == parts.messages && whole.fault == parts.fault)
      for message in whole.messages {
        guard let head = message.response else { continue }
        let queue = ByteQueue()
        let framing = HTTP1Encoder.writeResponse(
          head, framing: message.framing, to: .http11, via: nil, persistence: .closes, into: queue)
        #expect(framing != .untilClose)
        let again = Transcript.responses([Array(queue.bytes)[...]], to: [.get])
        #expect(again.messages.first?.response?.status == head.status)
      }
    }
  }
}
