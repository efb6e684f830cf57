import Bytes

/// Finds the body of one message at the front of a queue, by its framing.
struct BodyDecoder {
  enum Event: Equatable {
    case needMore
    case body(Int)
    case trailers(HeaderList)
    case end
  }

  private enum Stage {
    case counted(UInt64)
    case chunkLine
    case chunk(UInt64)
    case chunkEnd
    case trailers
    case untilClose
    case finished
  }

  private let limits: HTTP1Limits
  private var stage: Stage
  private var section = FieldSection()
  /// Bytes of an incomplete chunk line that hold no line feed.
  private var scanned = 0
  private var extensionByteCount = 0

  init(_ framing: BodyFraming, limits: HTTP1Limits) {
    self.limits = limits
    switch framing {
    case .none, .length(0): stage = .finished
    case .length(let count): stage = .counted(count)
    case .chunked: stage = .chunkLine
    case .untilClose: stage = .untilClose
    }
  }

  mutating func next(_ input: ByteQueue) throws(HTTPFault) -> Event {
    while true {
      switch stage {
      case .counted(let remaining), .chunk(let remaining): return Self.piece(input, atMost: remaining)
      case .untilClose: return Self.piece(input, atMost: .max)
      case .chunkLine: guard try readChunkLine(input) else { return .needMore }
      case .chunkEnd: guard try readChunkEnd(input) else { return .needMore }
      case .trailers: return try readTrailers(input)
      case .finished: return .end
      }
    }
  }

  /// The caller took `count` of the body bytes that were offered off the queue.
  mutating func consumed(_ count: Int) {
    let count = UInt64(max(0, count))
    switch stage {
    case .counted(let remaining): stage = count < remaining ? .counted(remaining - count) : .finished
    case .chunk(let remaining): stage = count < remaining ? .chunk(remaining - count) : .chunkEnd
    case .chunkLine, .chunkEnd, .trailers, .untilClose, .finished: break
    }
  }

  /// The peer will send no more; `input` holds what is left.
  func inputEnded(_ input: ByteQueue) throws(HTTPFault) -> Event {
    switch stage {
    case .finished: return .end
    case .untilClose: return input.isEmpty ? .end : .body(input.count)
    case .counted(let remaining):
      throw .incomplete("The connection ended \(remaining) bytes before the end of the body.")
    case .chunkLine, .chunk, .chunkEnd, .trailers:
      throw .incomplete("The connection ended before the last chunk of the body.")
    }
  }

  private static func piece(_ input: ByteQueue, atMost remaining: UInt64) -> Event {
    input.isEmpty ? .needMore : .body(Int(clamping: min(UInt64(input.count), remaining)))
  }

  private mutating func readChunkLine(_ input: ByteQueue) throws(HTTPFault) -> Bool {
    let front = input.bytes
    let bytes = front.bytes
    guard let end = bytes.lineFeed(from: scanned) else {
      scanned = bytes.byteCount
      guard scanned <= limits.chunkLineByteCount else { throw .malformed("The line before a chunk is too long.") }
      return false
    }
    guard end < limits.chunkLineByteCount else { throw .malformed("The line before a chunk is too long.") }
    guard end > 0, bytes.byte(end - 1) == ByteClass.carriageReturn else {
      throw .malformed("The line before a chunk ends with a bare line feed.")
    }
    let line = try ChunkLine(bytes, 0..<end - 1)
    extensionByteCount += line.extensionByteCount
    guard extensionByteCount <= limits.chunkExtensionByteCount else {
      throw .malformed("The body carries too many chunk extensions.")
    }
    scanned = 0
    input.consume(end + 1)
    stage = line.size == 0 ? .trailers : .chunk(line.size)
    return true
  }

  private mutating func readChunkEnd(_ input: ByteQueue) throws(HTTPFault) -> Bool {
    guard let first = input.byte(at: 0) else { return false }
    let second = input.byte(at: 1)
    guard first == ByteClass.carriageReturn, second == nil || second == ByteClass.lineFeed else {
      throw .malformed("A chunk is longer than its size.")
    }
    guard second != nil else { return false }
    input.consume(2)
    stage = .chunkLine
    return true
  }

  private mutating func readTrailers(_ input: ByteQueue) throws(HTTPFault) -> Event {
    let front = input.bytes
    let bytes = front.bytes
    while let line = try section.nextLine(bytes, limit: limits.trailerByteCount) {
      guard line.isEmpty else {
        try section.addField(bytes, line, limit: limits.fieldCount)
        continue
      }
      let count = section.scanned
      let trailers = section.finish(bytes)
      input.consume(count)
      stage = .finished
      return .trailers(trailers)
    }
    return .needMore
  }
}
