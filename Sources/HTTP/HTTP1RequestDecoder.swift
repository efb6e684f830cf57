import Bytes

/// Reads the requests of one connection, one after the other, from the front of its queue.
///
/// Owned by the connection. It does not keep bytes: what it has not taken off the queue must stay there, in place, until it asks
/// for it again, and nobody but it takes bytes off, except body bytes as told by `Event.body`. Where RFC 9112 leaves a choice
/// between repairing and refusing, it refuses: each leniency is a request that two recipients read differently.
public struct HTTP1RequestDecoder: Sendable {
  public enum Event: Sendable, Equatable {
    /// Nothing can be said before more bytes are in the queue.
    case needMore
    /// A head, which is off the queue now.
    case head(RequestHead, BodyFraming)
    /// So many bytes at the front of the queue belong to the body. The caller takes some or all of them off and calls
    /// `consumed`; until then the answer stays the same, or grows.
    case body(Int)
    /// The trailer section behind a chunked body; comes once, mostly empty, before `end`.
    case trailers(HeaderList)
    /// The message is complete; what follows is the next one.
    case end
    /// Only from `inputEnded`: the peer ended the connection between two messages.
    case closed
  }

  private enum Stage {
    case head
    case body
    case failed(HTTPFault)
  }

  private struct RequestLine {
    var method: HTTPMethod
    var target: Range<Int>
    var version: HTTPVersion
  }

  private let limits: HTTP1Limits
  private var stage = Stage.head
  private var section = FieldSection()
  private var line: RequestLine?
  private var emptyLineCount = 0
  private var body: BodyDecoder

  public init(limits: HTTP1Limits = HTTP1Limits()) {
    self.limits = limits
    body = BodyDecoder(.none, limits: limits)
  }

  /// Whether no byte of a request has been seen since the last one ended.
  public var isBetweenMessages: Bool {
    if case .head = stage { section.scanned == 0 } else { false }
  }

  /// The next event. A fault is final: asked again, the decoder throws it again.
  public mutating func next(_ input: ByteQueue) throws(HTTPFault) -> Event {
    do throws(HTTPFault) {
      switch stage {
      case .head: return try readHead(input)
      case .body: return finishIfEnded(try body.next(input))
      case .failed(let fault): throw fault
      }
    } catch {
      stage = .failed(error)
      throw error
    }
  }

  /// The caller took `count` of the body bytes that the last event offered off the queue.
  public mutating func consumed(_ count: Int) {
    body.consumed(count)
  }

  /// The peer will send no more. To be asked after `next` has answered `needMore`.
  public mutating func inputEnded(_ input: ByteQueue) throws(HTTPFault) -> Event {
    do throws(HTTPFault) {
      switch stage {
      case .head where section.scanned == 0 && input.isEmpty: return .closed
      case .head: throw .incomplete("The connection ended inside the head of a request.")
      case .body: return finishIfEnded(try body.inputEnded(input))
      case .failed(let fault): throw fault
      }
    } catch {
      stage = .failed(error)
      throw error
    }
  }

  private mutating func finishIfEnded(_ event: BodyDecoder.Event) -> Event {
    switch event {
    case .needMore: return .needMore
    case .body(let count): return .body(count)
    case .trailers(let fields): return .trailers(fields)
    case .end:
      stage = .head
      return .end
    }
  }

  private mutating func readHead(_ input: ByteQueue) throws(HTTPFault) -> Event {
    while true {
      try checkFirstByte(input)
      let front = input.bytes
      let bytes = front.bytes
      guard let line = try section.nextLine(bytes, limit: limits.headByteCount) else { return .needMore }
      if !line.isEmpty {
        try readLine(bytes, line)
      } else if let first = self.line {
        return try finishHead(bytes, first, input)
      } else {
        try skipEmptyLine(input)
      }
    }
  }

  /// Tells what is no HTTP before a line end comes, if it ever does.
  private func checkFirstByte(_ input: ByteQueue) throws(HTTPFault) {
    guard line == nil, let first = input.byte(at: 0), !ByteClass.isToken(first), first != ByteClass.carriageReturn
    else {
      return
    }
    throw .malformed(first == 0x16 ? "The client speaks TLS where plain HTTP is expected." : "This is not HTTP.")
  }

  private mutating func readLine(_ bytes: RawSpan, _ line: Range<Int>) throws(HTTPFault) {
    if self.line == nil {
      self.line = try Self.requestLine(bytes, line)
    } else {
      try section.addField(bytes, line, limit: limits.fieldCount)
    }
  }

  /// RFC 9112 2.2 asks to ignore an empty line before a request; a few are a peer's habit, more are none.
  private mutating func skipEmptyLine(_ input: ByteQueue) throws(HTTPFault) {
    emptyLineCount += 1
    guard emptyLineCount <= 4 else { throw .malformed("Too many empty lines stand before the request.") }
    section.skipEmptyLine()
    input.consume(2)
  }

  private mutating func finishHead(
    _ bytes: RawSpan, _ line: RequestLine, _ input: ByteQueue
  ) throws(HTTPFault) -> Event {
    let framing = try RequestFraming.framing(bytes, section, method: line.method, version: line.version)
    let count = section.scanned
    let fields = section.finish(bytes)
    let head = RequestHead(
      method: line.method, target: fields.storage[line.target], version: line.version, fields: fields)
    input.consume(count)
    self.line = nil
    emptyLineCount = 0
    body = BodyDecoder(framing, limits: limits)
    stage = .body
    return .head(head, framing)
  }

  /// `method SP target SP version` with exactly these two spaces (RFC 9112 3).
  private static func requestLine(_ bytes: RawSpan, _ line: Range<Int>) throws(HTTPFault) -> RequestLine {
    var end = bytes.endOfToken(line)
    let method = line.lowerBound..<end
    guard !method.isEmpty, end < line.upperBound, bytes.byte(end) == ByteClass.space else {
      throw .malformed("The request does not begin with a method and a space.")
    }
    guard method.count <= 64 else {
      throw HTTPFault(kind: .unsupported, status: 501, reason: "The method is longer than any known one.")
    }
    let start = end + 1
    end = start
    while end < line.upperBound, ByteClass.isVisible(bytes.byte(end)) { end += 1 }
    guard end > start, end < line.upperBound, bytes.byte(end) == ByteClass.space else {
      throw .malformed("The request line holds no target that is followed by a space and a version.")
    }
    let version = try HTTPVersion(bytes, end + 1..<line.upperBound)
    return RequestLine(method: HTTPMethod(bytes, method), target: start..<end, version: version)
  }
}
