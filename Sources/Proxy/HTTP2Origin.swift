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
  /// Those that cannot ask before the origin's settings have come.
  private var unsettled: [HTTP2OriginStream] = []
  private var idleTimer: Timer?
  /// When the origin was last heard of.
  private var heardAt: UInt64
  /// Runs while the origin is asked for a sign of life.
  private var proofTimer: Timer?

  /// A connection on which nothing was heard for so many nanoseconds is doubted: 10 s, or half of the time that it is kept.
  private let trustTime: UInt64
  /// How long a sign of life may take.
  private static let proofTime = Duration.seconds(1)
  private var isScheduled = false
  private var isOver = false
  /// Why the connection broke, where more is known than that it did.
  private(set) var collapse: Refusal?
  /// The origin said in some way that it serves only over HTTP/1.1.
  private(set) var demandsHTTP1 = false

  init(
    plan: OriginPlan, worker: Worker, transport: Transport, address: String, judge: OriginJudge, timing: DialTiming
  ) throws(HTTP2Fault) {
    self.plan = plan
    self.worker = worker
    self.transport = transport
    self.address = address
    self.judge = judge
    self.timing = timing
    heardAt = worker.loop.now
    let limit = min(Duration.seconds(10), plan.generation.configuration.upstream.idleTimeout / 2)
    trustTime = UInt64(
      clamping: limit.components.seconds * 1_000_000_000 + limit.components.attoseconds / 1_000_000_000)
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

  /// Whether the origin was silent for so long that it may be gone without a word, as when a NAT has forgotten the connection.
  var isDoubtful: Bool { worker.loop.now &- heardAt > trustTime }

  /// Asks for a sign of life, unless one is being waited for; `plan` is told when it comes.
  func askForProof() {
    guard proofTimer == nil else { return }
    let timer = Timer(loop: worker.loop) { [weak self] in self?.proofMissed() }
    proofTimer = timer
    timer.start(after: Self.proofTime)
    session.ping(heardAt)
    scheduleOutput()
  }

  /// One that carries nothing is given up; else its streams have their own times, and no other joins them.
  private func proofMissed() {
    proofTimer = nil
    guard streams.isEmpty else { return }
    end()
    transport.close()
  }

  private func heard() {
    heardAt = worker.loop.now
    guard let timer = proofTimer else { return }
    timer.invalidate()
    proofTimer = nil
    plan.proved(self)
  }

  /// A stream for one exchange.
  func open() -> HTTP2OriginStream {
    defer { servedCount += 1 }
    return HTTP2OriginStream(origin: self, isReused: servedCount > 0)
  }

  // MARK: streams

  func begin(_ stream: HTTP2OriginStream, _ request: ForwardedRequest) throws(HTTP2Fault) -> Int32 {
    idleTimer?.cancel()
    worker.becameBusy(self)
    let identifier = try session.submitRequest(
      request.head, target: request.path, scheme: request.scheme, authority: request.authority,
      connectProtocol: request.webSocket == nil ? nil : "websocket", framing: request.framing, via: request.via,
      dropping: request.dropping)
    streams[identifier] = stream
    scheduleOutput()
    return identifier
  }

  /// The stream asks once the origin's settings have come.
  func waitForSettings(_ stream: HTTP2OriginStream) {
    unsettled.append(stream)
  }

  func stopWaiting(_ stream: HTTP2OriginStream) {
    unsettled.removeAll { $0 === stream }
  }

  private func takeUnsettled() -> [HTTP2OriginStream] {
    defer { unsettled = [] }
    return unsettled
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
    let timer = idleTimer ?? Timer(loop: worker.loop) { [weak self] in self?.closeIfIdle() }
    idleTimer = timer
    timer.start(after: plan.generation.configuration.upstream.idleTimeout)
    worker.becameIdle(self)
  }

  /// Closes unless something runs on it: it was idle too long, or is one of too many.
  func closeIfIdle() {
    guard streams.isEmpty else { return }
    plan.forget(self)
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
    worker.becameBusy(self)
    proofTimer?.invalidate()
    plan.forget(self)
    transport.closeAfterFlush()
    session.abandon()
    for stream in takeUnsettled() { stream.closed(.unprocessed) }
  }
}

/// Origins that want to be asked over HTTP/1.1.
extension HTTP2Origin {
  /// Whether an answer may mean that the origin wants a certificate for which it cannot ask here.
  func wantsHTTP1(after status: Int) -> Bool {
    plan.wantsHTTP1(after: status, wasAsked: transport.session?.clientCertificateWasAsked == true)
  }

  private func requireHTTP1() {
    demandsHTTP1 = true
    plan.requireHTTP1()
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
    let hasHeard = !transport.received.isEmpty
    session.receive(from: transport.received, now: worker.loop.now)
    if hasHeard { heard() }
    scheduleOutput()
    if transport.hasEnded {
      if transport.session?.lateRequestWasSeen == true { requireHTTP1() }
      end()
    } else {
      transport.resumeReading()
    }
  }

  func transportDrained(_ transport: Transport) {
    scheduleOutput()
  }

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    if case .tls(let fault) = failure {
      collapse = ClientCertificateRefusal.refusal(
        for: fault, answer: transport.session?.clientCertificate, host: plan.key.host)
    }
    if transport.session?.lateRequestWasSeen == true { requireHTTP1() }
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
    if code == .http11Required { requireHTTP1() }
    plan.forget(self)
    if streams.isEmpty { becameIdle() }
  }

  func http2SettingsChanged(_ session: HTTP2Session) {
    for stream in takeUnsettled() { stream.settled() }
  }

  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault) {
    plan.forget(self)
    scheduleOutput()
  }
}
