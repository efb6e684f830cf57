import Bytes
import HTTP

/// One end of a connection in memory: keeps what its session tells, and answers as it is told to.
final class HTTP2Peer: HTTP2SessionDelegate {
  /// What was told about one stream.
  struct Heard: Equatable {
    var request: HTTP2Request?
    var refusal: HTTPFault?
    var informational: [ResponseHead] = []
    var response: HTTP2Response?
    var body: [UInt8] = []
    var trailers: HeaderList?
    var hasEnded = false
    var end: HTTP2StreamEnd?
  }

  let session: HTTP2Session
  let out = ByteQueue()
  private(set) var heard: [Int32: Heard] = [:]
  private(set) var order: [Int32] = []
  private(set) var goaways: [(HTTP2ErrorCode, Int32)] = []
  private(set) var pongs: [UInt64] = []
  private(set) var faults: [HTTP2Fault] = []
  private(set) var drained: [Int32] = []
  /// Whether bytes of bodies are given back at once.
  var consumes = true
  var onRequest: (HTTP2Peer, Int32, HTTP2Request) -> Void = { _, _, _ in }
  var onEnd: (HTTP2Peer, Int32) -> Void = { _, _ in }
  var onDrained: (HTTP2Peer, Int32) -> Void = { _, _ in }
  var now: UInt64 = 0

  init(_ role: HTTP2Session.Role, _ change: (inout HTTP2Settings) -> Void = { _ in }) throws {
    var settings = HTTP2Settings()
    change(&settings)
    session = try HTTP2Session(role: role, settings: settings)
    session.delegate = self
  }

  deinit {
    session.delegate = nil
  }

  subscript(stream: Int32) -> Heard { heard[stream] ?? Heard() }

  func flush(limit: Int = 1 << 20) {
    while session.wantsWrite, out.count < limit { session.flush(into: out, limit: limit, now: now) }
  }

  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { session.receive($0, now: now) }
  }

  func respond(
    _ stream: Int32, _ status: Int = 200, _ fields: HeaderList = HeaderList(), body: [UInt8] = [],
    trailers: HeaderList? = nil
  ) {
    let isEmpty = body.isEmpty && trailers == nil
    session.respond(
      ResponseHead(status: status, fields: fields), framing: isEmpty ? .length(0) : .chunked, via: nil, on: stream)
    body.withUnsafeBytes { session.write($0, on: stream) }
    session.end(stream, trailers: trailers)
  }

  func request(
    _ method: HTTPMethod = .get, _ path: String = "/", _ fields: HeaderList = HeaderList(), body: [UInt8]? = nil,
    trailers: HeaderList? = nil
  ) throws -> Int32 {
    let stream = try session.submitRequest(
      RequestHead(method: method, target: path, fields: fields), scheme: "https", authority: "a.test",
      framing: body == nil && trailers == nil ? .none : .chunked, via: nil)
    body?.withUnsafeBytes { session.write($0, on: stream) }
    session.end(stream, trailers: trailers)
    return stream
  }

  func http2(_ session: HTTP2Session, stream: Int32, request: HTTP2Request) {
    order.append(stream)
    heard[stream, default: Heard()].request = request
    onRequest(self, stream, request)
  }

  func http2(_ session: HTTP2Session, stream: Int32, refused fault: HTTPFault) {
    heard[stream, default: Heard()].refusal = fault
  }

  func http2(_ session: HTTP2Session, stream: Int32, informational head: ResponseHead) {
    heard[stream, default: Heard()].informational.append(head)
  }

  func http2(_ session: HTTP2Session, stream: Int32, response: HTTP2Response) {
    heard[stream, default: Heard()].response = response
  }

  func http2(_ session: HTTP2Session, stream: Int32, body: UnsafeRawBufferPointer) {
    heard[stream, default: Heard()].body += body
    if consumes { session.consume(body.count, on: stream) }
  }

  func http2(_ session: HTTP2Session, stream: Int32, ended trailers: HeaderList?) {
    heard[stream, default: Heard()].trailers = trailers
    heard[stream, default: Heard()].hasEnded = true
    onEnd(self, stream)
  }

  func http2(_ session: HTTP2Session, drained stream: Int32) {
    drained.append(stream)
    onDrained(self, stream)
  }

  func http2(_ session: HTTP2Session, stream: Int32, closed end: HTTP2StreamEnd) {
    heard[stream, default: Heard()].end = end
  }

  func http2(_ session: HTTP2Session, goaway code: HTTP2ErrorCode, lastStream: Int32) {
    goaways.append((code, lastStream))
  }

  func http2(_ session: HTTP2Session, ponged payload: UInt64) {
    pongs.append(payload)
  }

  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault) {
    faults.append(fault)
  }
}

/// Two ends of a connection, joined without I/O.
struct HTTP2Link {
  let client: HTTP2Peer
  let server: HTTP2Peer

  init(client: (inout HTTP2Settings) -> Void = { _ in }, server: (inout HTTP2Settings) -> Void = { _ in }) throws {
    self.client = try HTTP2Peer(.client, client)
    self.server = try HTTP2Peer(.server, server)
  }

  /// Carries bytes both ways, in pieces of `piece`, until both ends have nothing more to say.
  func run(piece: Int = .max, rounds: Int = 100_000) {
    for _ in 0..<rounds {
      client.flush()
      server.flush()
      guard !client.out.isEmpty || !server.out.isEmpty else { return }
      carry(client, server, piece)
      carry(server, client, piece)
    }
  }

  private func carry(_ from: HTTP2Peer, _ to: HTTP2Peer, _ piece: Int) {
    let bytes = Array(from.out.bytes)
    from.out.removeAll()
    var rest = bytes[...]
    while !rest.isEmpty {
      to.receive(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
    }
  }
}

/// A client made of bytes: it says what no library would, and reads the frames of its server.
final class RawHTTP2Client {
  struct Frame {
    var type: UInt8
    var flags: UInt8
    var stream: Int32
    var payload: [UInt8]
  }

  let server: HTTP2Peer
  private(set) var frames: [Frame] = []
  private var input: [UInt8] = []

  init(_ change: (inout HTTP2Settings) -> Void = { _ in }) throws {
    server = try HTTP2Peer(.server, change)
    send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4))
  }

  static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: Int32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    let count = payload.count
    let id = UInt32(bitPattern: stream)
    return [
      UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
      type,
      flags, UInt8(truncatingIfNeeded: id >> 24), UInt8(truncatingIfNeeded: id >> 16),
      UInt8(truncatingIfNeeded: id >> 8),
      UInt8(truncatingIfNeeded: id),
    ] + payload
  }

  /// Literal fields without indexing.
  static func block(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { [0x00] + string($0.0) + string($0.1) }
  }

  private static func string(_ text: String) -> [UInt8] {
    let bytes = latin1(text)
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var rest = bytes.count - 127
    var prefix: [UInt8] = [127]
    while rest >= 128 {
      prefix.append(UInt8(rest % 128 + 128))
      rest /= 128
    }
    return prefix + [UInt8(rest)] + bytes
  }

  static let get = [(":method", "GET"), (":scheme", "https"), (":authority", "a.test"), (":path", "/")]

  func send(_ bytes: [UInt8]) {
    server.receive(bytes)
    server.flush()
    input += server.out.bytes
    server.out.removeAll()
    while input.count >= 9 {
      let count = Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
      guard input.count >= 9 + count else { return }
      let stream = input[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      frames.append(
        Frame(type: input[3], flags: input[4], stream: Int32(bitPattern: stream), payload: Array(input[9..<9 + count])))
      input.removeFirst(9 + count)
    }
  }

  func sendHeaders(_ stream: Int32, _ fields: [(String, String)], ends: Bool = true) {
    send(Self.frame(1, ends ? 5 : 4, stream, Self.block(fields)))
  }

  /// The code by which the server reset the stream.
  func resetCode(_ stream: Int32) -> HTTP2ErrorCode? {
    frames.last { $0.type == 3 && $0.stream == stream }.map { Self.code($0.payload) }
  }

  /// The code of the server's last GOAWAY.
  var goawayCode: HTTP2ErrorCode? {
    frames.last { $0.type == 7 }.map { Self.code(Array($0.payload.dropFirst(4))) }
  }

  private static func code(_ payload: [UInt8]) -> HTTP2ErrorCode {
    HTTP2ErrorCode(rawValue: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }
}
