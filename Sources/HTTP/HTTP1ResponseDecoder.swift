import Bytes

/// Reads the responses of one origin connection, one after the other, from the front of its queue.
///
/// Owned by the connection; bytes and contract as with `HTTP1RequestDecoder`. What a response means depends on the request, so
/// `expect` must be called for each; bytes that nobody asked for are a fault. All faults have the status 502.
public struct HTTP1ResponseDecoder: Sendable {
  public enum Event: Sendable, Equatable {
    /// Nothing can be said before more bytes are in the queue.
    case needMore
    /// An interim response (1xx but 101); the final one is still to come.
    case informational(ResponseHead)
    /// The final head. Behind one with `isUpgrade`, and behind the success of a CONNECT, `end` follows and what is left in the
    /// queue is no HTTP.
    case head(ResponseHead, BodyFraming)
    /// So many bytes at the front of the queue belong to the body. The caller takes some or all of them off and calls
    /// `consumed`; until then the answer stays the same, or grows.
    case body(Int)
    /// The trailer section behind a chunked body; comes once, mostly empty, before `end`.
    case trailers(HeaderList)
    /// The message is complete.
    case end
    /// Only from `inputEnded`: the origin ended the connection while nothing was expected of it.
    case closed
  }

  private enum Stage {
    case head
    case body
    case failed(HTTPFault)
  }

  private struct StatusLine {
    var version: HTTPVersion
    var status: Int
    var reason: Range<Int>
  }

  private let limits: HTTP1Limits
  private var stage = Stage.head
  private var expected: HTTPMethod?
  private var hasInformed = false
  private var section = FieldSection()
  private var line: StatusLine?
  private var body: BodyDecoder

  public init(limits: HTTP1Limits = HTTP1Limits()) {
    self.limits = limits
    body = BodyDecoder(.none, limits: limits)
  }

  /// A request with this method is being sent; its response is the next one. One request at a time.
  public mutating func expect(_ method: HTTPMethod) {
    expected = method
    hasInformed = false
  }

  /// Whether nothing is expected: the connection can be lent out again.
  public var isBetweenMessages: Bool {
    if case .head = stage { expected == nil } else { false }
  }

  /// Whether a byte of the expected response has come (a request may not be repeated after that).
  public var hasBegun: Bool {
    if case .head = stage { hasInformed || section.scanned > 0 } else { true }
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
      stage = .failed(error.inResponse)
      throw error.inResponse
    }
  }

  /// The caller took `count` of the body bytes that the last event offered off the queue.
  public mutating func consumed(_ count: Int) {
    body.consumed(count)
  }

  /// The origin will send no more. To be asked after `next` has answered `needMore`; completes a body that ends with the
  /// connection.
  public mutating func inputEnded(_ input: ByteQueue) throws(HTTPFault) -> Event {
    do throws(HTTPFault) {
      switch stage {
      case .head where expected == nil && input.isEmpty: return .closed
      case .head where section.scanned == 0 && input.isEmpty:
        throw .incomplete("The connection ended without a response.")
      case .head: throw .incomplete("The connection ended inside the head of the response.")
      case .body: return finishIfEnded(try body.inputEnded(input))
      case .failed(let fault): throw fault
      }
    } catch {
      stage = .failed(error.inResponse)
      throw error.inResponse
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
    guard !input.isEmpty else { return .needMore }
    guard let method = expected else { throw .malformed("The origin sent bytes that no request asked for.") }
    let front = input.bytes
    let bytes = front.bytes
    if line == nil { try Self.checkBeginning(bytes) }
    while let line = try section.nextLine(bytes, limit: limits.headByteCount) {
      guard let first = self.line else {
        self.line = try Self.statusLine(bytes, line)
        continue
      }
      guard line.isEmpty else {
        try section.addField(bytes, line, limit: limits.fieldCount)
        continue
      }
      return try finishHead(bytes, first, method, input)
    }
    return .needMore
  }

  private mutating func finishHead(
    _ bytes: RawSpan, _ line: StatusLine, _ method: HTTPMethod, _ input: ByteQueue
  ) throws(HTTPFault) -> Event {
    let count = section.scanned
    var fields = section.finish(bytes)
    let reason = fields.storage[line.reason]
    let framing = try ResponseFraming.settle(&fields, status: line.status, version: line.version, method: method)
    let head = ResponseHead(status: line.status, reason: reason, version: line.version, fields: fields)
    input.consume(count)
    self.line = nil
    guard !head.isInformational else {
      hasInformed = true
      return .informational(head)
    }
    expected = nil
    body = BodyDecoder(framing, limits: limits)
    stage = .body
    return .head(head, framing)
  }

  /// Tells what is no HTTP before a line end comes, if it ever does.
  private static func checkBeginning(_ bytes: RawSpan) throws(HTTPFault) {
    let name: StaticString = "HTTP/"
    let isHTTP = name.withUTF8Buffer { name in
      (0..<min(name.count, bytes.byteCount)).allSatisfy { bytes.byte($0) == name[$0] }
    }
    guard isHTTP else { throw .malformed("The origin does not speak HTTP.") }
  }

  /// `version SP status SP [reason]`; the second space may be missing where there is no reason (RFC 9112 4).
  private static func statusLine(_ bytes: RawSpan, _ line: Range<Int>) throws(HTTPFault) -> StatusLine {
    let start = line.lowerBound
    guard line.count >= 12, bytes.byte(start + 8) == ByteClass.space else {
      throw .malformed("The response does not begin with a protocol version and a status.")
    }
    let version = try HTTPVersion(bytes, start..<start + 8)
    var status = 0
    for index in start + 9..<start + 12 {
      let byte = bytes.byte(index)
      guard ByteClass.isDigit(byte) else { throw .malformed("The status is no number of three digits.") }
      status = status * 10 + Int(byte & 0x0F)
    }
    guard status >= 100, line.count == 12 || bytes.byte(start + 12) == ByteClass.space else {
      throw .malformed("The status is no number of three digits.")
    }
    let reason = min(start + 13, line.upperBound)..<line.upperBound
    guard bytes.isText(reason) else { throw .malformed("The reason phrase holds a control byte.") }
    return StatusLine(version: version, status: status, reason: reason)
  }
}
