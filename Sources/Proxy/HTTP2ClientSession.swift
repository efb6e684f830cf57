import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy

/// HTTP/2 towards a client, inside its tunnel: many exchanges at a time, each with its own decision.
///
/// Owned by its connection, confined to its loop. Output is made at the end of a turn, as much as the transport takes; the window of a
/// stream opens only as its body goes on to the origin.
final class HTTP2ClientSession {
  let connection: ClientConnection
  let tunnel: TunnelTarget
  let session: HTTP2Session
  private var streams: [Int32: HTTP2ClientStream] = [:]
  private var isScheduled = false
  private var isEnding = false

  init(connection: ClientConnection, tunnel: TunnelTarget) throws(HTTP2Fault) {
    self.connection = connection
    self.tunnel = tunnel
    session = try HTTP2Session(role: .server, settings: HTTP2Settings(connection.generation.configuration.limits))
    session.delegate = self
  }

  private var transport: Transport { connection.transport }

  // MARK: bytes

  /// Takes what the transport received.
  func advance() {
    session.receive(from: transport.received, now: connection.worker.loop.now)
    scheduleOutput()
    guard !session.isClosed else { return }
    if transport.hasEnded { clientFailed() } else { transport.resumeReading() }
  }

  /// Has what the session wants to say sent at the end of this turn.
  func scheduleOutput() {
    guard !isScheduled, transport.isOpen else { return }
    isScheduled = true
    connection.worker.loop.atEndOfTurn(self)
  }

  private func makeOutput() {
    let now = connection.worker.loop.now
    // A congested transport tells when it takes bytes again.
    while session.wantsWrite, transport.isOpen, !transport.isCongested {
      let room = Transport.highMark - transport.outboundCount
      let before = transport.outboundCount
      session.flush(into: transport.outgoing, limit: room, now: now)
      guard transport.outboundCount > before else { break }
      transport.flushNow()
    }
    if session.isClosed || isEnding && session.isIdle && !session.wantsWrite { finish() }
  }

  /// The transport takes bytes again.
  func drained() {
    scheduleOutput()
  }

  // MARK: ending

  /// The client is gone.
  func clientFailed() {
    end()
    connection.close()
  }

  private func finish() {
    end()
    connection.linger()
  }

  private func end() {
    session.abandon()
    streams = [:]
  }

  /// Running exchanges may finish; no new ones begin.
  func drain() {
    isEnding = true
    if streams.isEmpty { session.close(.noError) } else { session.drain() }
    scheduleOutput()
  }

  func abort() {
    for stream in Array(streams.values) { stream.abort() }
    streams = [:]
    session.abandon()
  }

  /// No stream was open for `limits.keepAlive`.
  func idleTimedOut() {
    guard streams.isEmpty else { return }
    drain()
  }

  func streamEnded(_ stream: HTTP2ClientStream) {
    streams[stream.identifier] = nil
    if streams.isEmpty { connection.arm(.keepAlive) }
    scheduleOutput()
  }
}

extension HTTP2ClientSession: TurnTask {
  func runTurnTask() {
    isScheduled = false
    makeOutput()
  }
}

extension HTTP2ClientSession: HTTP2SessionDelegate {
  func http2(_ session: HTTP2Session, stream: Int32, request: HTTP2Request) {
    connection.disarm()
    let made = HTTP2ClientStream(owner: self, identifier: stream, isComplete: request.isComplete)
    streams[stream] = made
    made.begin(request)
  }

  func http2(_ session: HTTP2Session, stream: Int32, refused fault: HTTPFault) {
    let made = HTTP2ClientStream(owner: self, identifier: stream, isComplete: false)
    made.refused(fault)
  }

  func http2(_ session: HTTP2Session, stream: Int32, body: UnsafeRawBufferPointer) {
    streams[stream]?.bodyReceived(body)
  }

  func http2(_ session: HTTP2Session, stream: Int32, ended trailers: HeaderList?) {
    streams[stream]?.requestEnded(trailers)
  }

  func http2(_ session: HTTP2Session, drained stream: Int32) {
    streams[stream]?.drained()
  }

  func http2(_ session: HTTP2Session, stream: Int32, closed end: HTTP2StreamEnd) {
    guard let closed = streams.removeValue(forKey: stream) else { return }
    closed.closed(end)
    if streams.isEmpty { connection.arm(.keepAlive) }
  }

  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault) {
    connection.worker.shared.http2Failed(fault, client: connection.clientText, target: "\(tunnel.target)")
    scheduleOutput()
  }
}

extension HTTP2Settings {
  /// What `limits` says of both ends.
  init(_ limits: Limits) {
    self.init()
    streamCount = limits.http2.streams
    resetCount = limits.http2.resets
    settingsCount = limits.http2.settings
    pingCount = limits.http2.pings
    emptyFrameCount = limits.http2.emptyFrames
    continuationCount = limits.http2.continuations
    headByteCount = limits.head
  }
}
