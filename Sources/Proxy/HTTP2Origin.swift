import Bytes
import Configuration
import EventLoop
import HTTP
import Policy
import Records
import TLS

/// An HTTP/2 connection to an origin that was judged and accepted, shared by the exchanges of one plan. Confined to its loop.
final class HTTP2Origin {
  let plan: OriginPlan
  let worker: Worker
  let transport: Transport
  let judge: OriginJudge
  let timing: DialTiming
  /// `ip:port`.
  let address: String
  let session: HTTP2Session
  private(set) var servedCount = 0
  private var streams: [Int32: HTTP2OriginStream] = [:]
  private var idleTimer: Timer?
  private var isScheduled = false
  private var isOver = false

  init(
    plan: OriginPlan, worker: Worker, transport: Transport, address: String, judge: OriginJudge, timing: DialTiming
  ) throws(HTTP2Fault) {
    self.plan = plan
    self.worker = worker
    self.transport = transport
    self.address = address
    self.judge = judge
    self.timing = timing
    session = try HTTP2Session(role: .client, settings: HTTP2Settings(plan.generation.configuration.limits))
    session.delegate = self
    transport.attach(to: self)
    scheduleOutput()
    armIdle()
  }

  /// Whether another exchange may begin on it.
  var acceptsStreams: Bool {
    !isOver && transport.isOpen && !transport.hasEnded && session.canOpenStream && plan.generation === worker.generation
  }

  /// A stream for one exchange.
  func open() -> HTTP2OriginStream {
    defer { servedCount += 1 }
    return HTTP2OriginStream(origin: self, isReused: servedCount > 0)
  }

  // MARK: streams

  func begin(_ stream: HTTP2OriginStream, _ request: ForwardedRequest) throws(HTTP2Fault) -> Int32 {
    idleTimer?.cancel()
    let identifier = try session.submitRequest(
      request.head, target: request.path, scheme: request.scheme, authority: request.authority,
      framing: request.framing, via: request.via, dropping: request.dropping)
    streams[identifier] = stream
    scheduleOutput()
    return identifier
  }

  func forget(_ identifier: Int32) {
    streams[identifier] = nil
    scheduleOutput()
    if streams.isEmpty { becameIdle() }
  }

  private func becameIdle() {
    if isOver { return }
    if plan.generation !== worker.generation || worker.isDraining || session.hasReceivedGoaway {
      session.close(.noError)
      scheduleOutput()
    } else {
      armIdle()
    }
  }

  private func armIdle() {
    let timer = idleTimer ?? Timer(loop: worker.loop) { [weak self] in self?.idleTooLong() }
    idleTimer = timer
    timer.start(after: plan.generation.configuration.upstream.idleTimeout)
  }

  private func idleTooLong() {
    guard streams.isEmpty else { return }
    session.close(.noError)
    scheduleOutput()
  }

  /// The plan is no longer in use: closes now if nothing runs, else when nothing runs any more.
  func retire() {
    if streams.isEmpty { becameIdle() }
  }

  // MARK: bytes

  func scheduleOutput() {
    guard !isScheduled, transport.isOpen else { return }
    isScheduled = true
    worker.loop.atEndOfTurn(self)
  }

  private func makeOutput() {
    // A congested transport tells when it takes bytes again.
    while session.wantsWrite, transport.isOpen, !transport.isCongested {
      let room = Transport.highMark - transport.outboundCount
      let before = transport.outboundCount
      session.flush(into: transport.outgoing, limit: room, now: worker.loop.now)
      guard transport.outboundCount > before else { break }
      transport.flushNow()
    }
    if session.isClosed, !session.wantsWrite { end() }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    idleTimer?.invalidate()
    plan.forget(self)
    transport.closeAfterFlush()
    session.abandon()
  }
}

extension HTTP2Origin: TurnTask {
  func runTurnTask() {
    isScheduled = false
    makeOutput()
  }
}

extension HTTP2Origin: TransportDelegate {
  func transportReceived(_ transport: Transport) {
    session.receive(from: transport.received, now: worker.loop.now)
    scheduleOutput()
    if transport.hasEnded { end() } else { transport.resumeReading() }
  }

  func transportDrained(_ transport: Transport) {
    scheduleOutput()
  }

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    end()
    transport.close()
  }
}

extension HTTP2Origin: HTTP2SessionDelegate {
  func http2(_ session: HTTP2Session, stream: Int32, informational head: ResponseHead) {
    streams[stream]?.informed(head)
  }

  func http2(_ session: HTTP2Session, stream: Int32, response: HTTP2Response) {
    streams[stream]?.answered(response)
  }

  func http2(_ session: HTTP2Session, stream: Int32, body: UnsafeRawBufferPointer) {
    streams[stream]?.bodyReceived(body)
  }

  func http2(_ session: HTTP2Session, stream: Int32, ended trailers: HeaderList?) {
    streams[stream]?.ended(trailers)
  }

  func http2(_ session: HTTP2Session, drained stream: Int32) {
    streams[stream]?.drained()
  }

  func http2(_ session: HTTP2Session, stream: Int32, closed end: HTTP2StreamEnd) {
    guard let closed = streams.removeValue(forKey: stream) else { return }
    closed.closed(end)
    if streams.isEmpty { becameIdle() }
  }

  func http2(_ session: HTTP2Session, goaway code: HTTP2ErrorCode, lastStream: Int32) {
    plan.forget(self)
    if streams.isEmpty { becameIdle() }
  }

  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault) {
    plan.forget(self)
    scheduleOutput()
  }
}
