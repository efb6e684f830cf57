import Bytes
import EventLoop
import HTTP

/// HTTP/2 over a connection of a test: keeps what its session tells. Confined to the loop of its wire, which owns it.
final class HTTP2Wire: HTTP2SessionDelegate {
  /// What was told about one stream.
  struct Heard: Sendable {
    var request: HTTP2Request?
    var informational: [ResponseHead] = []
    var response: HTTP2Response?
    var body: [UInt8] = []
    var trailers: HeaderList?
    var hasEnded = false
    var end: HTTP2StreamEnd?
  }

  let session: HTTP2Session
  private unowned let wire: Wire
  private(set) var heard: [Int32: Heard] = [:]
  /// Requests that came, in order.
  private(set) var requests: [Int32] = []
  private(set) var goaways: [HTTP2ErrorCode] = []
  private(set) var pingCount = 0
  /// Whether bytes of bodies are given back at once.
  var consumes = true

  init(_ wire: Wire, _ role: HTTP2Session.Role, _ settings: HTTP2Settings) throws(HTTP2Fault) {
    self.wire = wire
    session = try HTTP2Session(role: role, settings: settings)
    session.delegate = self
    wire.http2 = self
    received()
  }

  subscript(stream: Int32) -> Heard { heard[stream] ?? Heard() }

  /// Takes what has come, and sends what is to be said. Ends the connection when both have said that it ends.
  func received() {
    session.receive(from: wire.received, now: wire.socket.loop.now)
    flush()
    if session.isClosed { wire.finish() }
  }

  func flush() {
    let out = ByteQueue()
    while session.wantsWrite {
      session.flush(into: out, limit: 1 << 20, now: wire.socket.loop.now)
      guard !out.isEmpty else { return }
      wire.send(Array(out.bytes))
      out.removeAll()
    }
  }

  /// Gives back what was received and not consumed.
  func consumeAll() {
    consumes = true
    for (stream, heard) in heard { session.consume(heard.body.count, on: stream) }
    flush()
  }

  func http2(_ session: HTTP2Session, stream: Int32, request: HTTP2Request) {
    requests.append(stream)
    heard[stream, default: Heard()].request = request
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
  }

  func http2(_ session: HTTP2Session, drained stream: Int32) {}

  func http2(_ session: HTTP2Session, stream: Int32, closed end: HTTP2StreamEnd) {
    heard[stream, default: Heard()].end = end
  }

  func http2(_ session: HTTP2Session, goaway code: HTTP2ErrorCode, lastStream: Int32) {
    goaways.append(code)
  }

  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault) {}
}
