import Bytes
import HTTP

/// HTTP/1 requests: what is accepted is read alike however it arrives, and is passed on as the same one request.
enum HTTP1RequestCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    let whole = try MessageReading<RequestHead>(bytes)
    for piece in [1, 7, bytes.count / 2 + 1] where piece > 1 || bytes.count < 512 {
      let cut = try MessageReading<RequestHead>(bytes, piece: piece, bite: piece)
      try claim(cut == whole, "in pieces of \(piece): \(cut), all in one: \(whole)")
    }
    for message in whole.messages where message.isComplete {
      try checkForwarded(message, upgrade: .removed)
      try checkForwarded(message, upgrade: .kept)
    }
  }

  static func checkForwarded(_ message: ReadMessage<RequestHead>, upgrade: UpgradeFields) throws(Complaint) {
    let head = message.head
    let target = try? head.requestTarget()
    if case .absolute(let absolute) = target {
      try claim(!absolute.pathAndQuery.isEmpty, "no path in \(head.target)")
    }
    let host = head.fields.contains(.host) ? nil : "a.test"
    let queue = ByteQueue()
    let framing = HTTP1Encoder.writeRequest(
      head, host: host, framing: message.framing, via: nil, upgrade: upgrade, into: queue)
    try claim(framing == message.framing, "the framing changed")
    if framing == .chunked {
      message.body.withUnsafeBytes { HTTP1Encoder.writeChunk($0, into: queue) }
      HTTP1Encoder.writeLastChunk(trailers: message.trailers, into: queue)
    } else {
      queue.append(message.body)
    }
    let written = Array(queue.bytes)
    let again = try MessageReading<RequestHead>(written)
    try claim(
      again.fault == nil && again.messages.count == 1 && again.rest == 0, "not one request: \(text(written)): \(again)")
    guard let copy = again.messages.first else { return }
    try claim(copy.head.method == head.method && copy.head.target == head.target, "another target: \(text(written))")
    try claim(copy.framing == message.framing && copy.body == message.body, "another body: \(text(written))")
    let hidden: Set = host == nil ? [] : ["host"]
    let (passed, wanted) = (EndToEndFields(copy.head.fields, but: hidden), EndToEndFields(head.fields, but: hidden))
    try claim(passed == wanted, "passed on [\(passed)] of [\(wanted)]")
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
