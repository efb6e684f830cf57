import Bytes
import HTTP

/// HTTP/1 responses, whose first byte says what they answer: read alike however they arrive, and passed on as the same ones.
enum HTTP1ResponseCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    var dice = Dice(bytes.prefix(1))
    let method = dice.element(of: [HTTPMethod.get, .head, .connect, .post])
    let bytes = Array(bytes.dropFirst())
    let whole = try MessageReading<ResponseHead>(bytes, to: [method, .get])
    for piece in [1, 7, bytes.count / 2 + 1] where piece > 1 || bytes.count < 512 {
      let cut = try MessageReading<ResponseHead>(bytes, to: [method, .get], piece: piece, bite: piece)
      try claim(cut == whole, "in pieces of \(piece): \(cut), all in one: \(whole)")
    }
    for (index, message) in whole.messages.enumerated() where message.isComplete {
      let isAnswerToFirst = whole.messages[..<index].allSatisfy { $0.head.isInformational }
      for client in [HTTPVersion.http11, .http10] where client == .http11 || !message.head.isInformational {
        try checkForwarded(message, to: isAnswerToFirst ? method : .get, client: client)
      }
    }
  }

  static func checkForwarded(
    _ message: ReadMessage<ResponseHead>, to method: HTTPMethod, client: HTTPVersion
  ) throws(Complaint) {
    let head = message.head
    let queue = ByteQueue()
    let framing = HTTP1Encoder.writeResponse(
      head, framing: message.framing, to: client, via: nil, persistence: head.isInformational ? .persists : .closes,
      into: queue)
    if framing == .chunked {
      message.body.withUnsafeBytes { HTTP1Encoder.writeChunk($0, into: queue) }
      HTTP1Encoder.writeLastChunk(trailers: message.trailers, into: queue)
    } else {
      queue.append(message.body)
    }
    try claim(client == .http11 || framing != .chunked, "chunks for an HTTP/1.0 client")
    // An interim response alone would be cut off.
    if head.isInformational { queue.append("HTTP/1.1 204 \r\n\r\n") }
    let written = Array(queue.bytes)
    let again = try MessageReading<ResponseHead>(written, to: [method])
    try claim(again.fault == nil && again.rest == 0, "damaged: \(text(written)): \(again)")
    try claim(
      again.messages.count == (head.isInformational ? 2 : 1), "\(again.messages.count) responses: \(text(written))")
    guard let copy = again.messages.first else { return }
    try claim(
      copy.head.status == head.status && copy.head.reason == head.reason, "another status: \(text(written))")
    try claim(copy.framing == framing && copy.body == message.body, "another body: \(text(written))")
    let (passed, wanted) = (EndToEndFields(copy.head.fields), EndToEndFields(head.fields))
    try claim(passed == wanted, "passed on [\(passed)] of [\(wanted)]")
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
