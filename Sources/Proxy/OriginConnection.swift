import Bytes
import Configuration
import EventLoop
import HTTP
import Policy
import Records
import TLS

/// An HTTP/1 connection to an origin that was judged and accepted. Lent to one exchange at a time; between two it waits with its
/// plan. Confined to its loop.
final class OriginConnection {
  private enum State {
    case fresh
    case idle
    case leased(Exchange)
    case over
  }

  let plan: OriginPlan
  let transport: Transport
  private let judge: OriginJudge
  /// How long it took to come about; told by the first exchange only.
  let timing: DialTiming
  /// `ip:port`.
  let address: String
  /// Set when the other side is a proxy that gets requests with absolute targets.
  private let forwarding: ProxyForwarding?
  private(set) var servedCount = 0
  private let worker: Worker
  private var state = State.fresh
  private var decoder: HTTP1ResponseDecoder
  private var persists = false
  private var trailers: HeaderList?
  private var isPumping = false
  /// Behind a 101 that the exchange itself carries on: bytes are no HTTP any more.
  private var isTunnel = false
  private var idleTimer: Timer?
  /// The neighbours in the loop's list of idle connections; nil while it is not idle. Broken by whoever ends the idleness.
  var idleLinks: IdleLinks?

  struct IdleLinks {
    var older: OriginConnection?
    var newer: OriginConnection?
  }

  init(
    plan: OriginPlan, worker: Worker, transport: Transport, address: String, judge: OriginJudge, timing: DialTiming,
    forwarding: ProxyForwarding? = nil
  ) {
    self.plan = plan
    self.worker = worker
    self.transport = transport
    self.address = address
    self.forwarding = forwarding
    self.judge = judge
    self.timing = timing
    let limits = plan.generation.configuration.limits
    decoder = HTTP1ResponseDecoder(limits: HTTP1Limits(headByteCount: max(limits.head, 64 << 10)))
    transport.attach(to: self)
  }

  /// nil for plain HTTP.
  var verdict: TrustVerdict? { judge.verdict }

  /// Whether another exchange went over it before; only then may a failed one be repeated.
  var isReused: Bool { servedCount > 0 }

  /// Whether it can be lent out now, as far as is known without asking the kernel.
  var isReusable: Bool {
    guard case .idle = state else { return false }
    return transport.isOpen && !transport.hasEnded && transport.received.isEmpty
  }

  /// Asks the kernel whether the origin has closed it meanwhile; for requests that cannot be repeated.
  var isStillOpen: Bool {
    transport.socket.peekState() != .closed
  }

  // MARK: lending

  func lease(to exchange: Exchange, method: HTTPMethod) {
    leaveIdle()
    state = .leased(exchange)
    persists = false
    trailers = nil
    decoder.expect(method)
  }

  /// Waits for the next exchange with its plan, or closes when its plan is no longer in use.
  func becomeIdle() {
    guard plan.generation === worker.generation, !worker.isDraining, transport.isOpen, !transport.hasEnded,
      transport.received.isEmpty
    else { return close() }
    state = .idle
    transport.releaseMemory()
    plan.putIdle(self)
    let timer = idleTimer ?? Timer(loop: worker.loop) { [weak self] in self?.idleTooLong() }
    idleTimer = timer
    timer.start(after: plan.generation.configuration.upstream.idleTimeout)
    worker.idle.append(self)
    worker.counters.originBecameIdle(.http1)
    if let excess = worker.idle.excess {
      excess.plan.forget(excess)
      excess.close()
    }
    transport.resumeReading()
  }

  private func leaveIdle() {
    idleTimer?.cancel()
    guard idleLinks != nil else { return }
    worker.idle.remove(self)
    worker.counters.originLeftIdle(.http1)
  }

  private func idleTooLong() {
    guard case .idle = state else { return }
    plan.forget(self)
    close()
  }

  /// The bytes belong to a relay from now on.
  func handOver() -> Transport {
    state = .over
    leaveIdle()
    return transport
  }

  func close() {
    state = .over
    leaveIdle()
    idleTimer = nil
    transport.close()
  }

  // MARK: the request

  func send(_ request: ForwardedRequest) {
    HTTP1Encoder.writeRequest(
      request.head, target: forwarding?.target(request.path) ?? request.path, host: request.host,
      framing: request.framing, via: request.via, proxyAuthorization: forwarding?.proxy.authorization,
      dropping: request.dropping,
      upgrade: request.head.asksForWebSocket(framing: request.framing) ? .kept : .removed, into: transport.outgoing)
    transport.scheduleFlush()
  }

  func sendBody(_ bytes: UnsafeRawBufferPointer, framing: BodyFraming) {
    if framing == .chunked {
      HTTP1Encoder.writeChunk(bytes, into: transport.outgoing)
    } else {
      transport.outgoing.append(bytes)
    }
    transport.scheduleFlush()
  }

  func sendEnd(trailers: HeaderList?, framing: BodyFraming) {
    if isTunnel { return transport.endOutput() }
    guard framing == .chunked else { return }
    HTTP1Encoder.writeLastChunk(trailers: trailers, into: transport.outgoing)
    transport.scheduleFlush()
  }

  // MARK: facts for the record

  var facts: ExchangeRecord.Origin {
    ExchangeRecord.Origin(
      address: address, proxy: plan.proxyText, isReused: isReused,
      tls: transport.session?.negotiated.map(ExchangeRecord.TLS.init),
      pins: verdict?.pins ?? [], matchedPin: verdict?.matchedPin, identity: transport.session?.sentIdentity?.name
    ).telling(of: transport.session).judged(by: verdict)
  }

  // MARK: reading

  /// The client takes bytes again.
  func resume() {
    pump()
  }

  private func pump() {
    guard !isPumping else { return }
    isPumping = true
    while case .leased(let exchange) = state, step(exchange) {}
    isPumping = false
  }

  private func step(_ exchange: Exchange) -> Bool {
    guard exchange.wantsResponse else { return false }
    if isTunnel { return stepTunnel(exchange) }
    let hadBegun = decoder.hasBegun
    do throws(HTTPFault) {
      var event = try decoder.next(transport.received)
      if event == .needMore {
        guard transport.hasEnded else {
          transport.resumeReading()
          return false
        }
        event = try decoder.inputEnded(transport.received)
        if transport.isTruncated, event != .closed {
          throw HTTPFault(kind: .incomplete, status: 502, reason: "The origin's TLS stream was cut.")
        }
      }
      return handle(event, exchange)
    } catch {
      broken(exchange, error, hadBegun: hadBegun)
      return false
    }
  }

  private func handle(_ event: HTTP1ResponseDecoder.Event, _ exchange: Exchange) -> Bool {
    switch event {
    case .needMore, .closed:
      return false
    case .informational(let head):
      exchange.originInformed(head)
    case .head(let head, let framing):
      if let forwarding, head.status == 407 {
        // It is not the device that the proxy asks.
        let reason = String(decoding: head.reason, as: UTF8.self)
        let refusal = Refusal.upstreamProxyRefuses(
          forwarding.proxy, host: plan.key.host, status: head.status, reason: reason)
        failed(exchange, refusal, isRetryable: false)
        return false
      }
      if let objection = exchange.objection(to: head) {
        failed(exchange, .originSpokeNoHTTP(host: plan.key.host, detail: objection), isRetryable: false)
        return false
      }
      if !plan.identities.isEmpty {
        plan.answeredOverHTTP1(head.status, wasAsked: transport.session?.clientCertificateWasAsked == true)
        exchange.noteLateIdentity(facts)
      }
      isTunnel = head.isUpgrade && exchange.isBridged
      persists = head.persists(framing: framing)
      exchange.originAnswered(head, framing)
    case .body(let count):
      exchange.originSent(UnsafeRawBufferPointer(rebasing: transport.received.bytes[..<count]))
      transport.received.consume(count)
      decoder.consumed(count)
    case .trailers(let fields):
      trailers = fields
    case .end:
      ended(exchange)
      return false
    }
    return true
  }

  /// Bytes of a WebSocket, whose client does not speak HTTP/1.1.
  private func stepTunnel(_ exchange: Exchange) -> Bool {
    if !transport.received.isEmpty {
      exchange.originSent(transport.received.bytes)
      transport.received.removeAll()
    }
    guard transport.hasEnded else {
      transport.resumeReading()
      return false
    }
    state = .over
    transport.closeAfterFlush()
    exchange.originEnded(trailers: nil)
    return false
  }

  /// The response is complete: the connection is free before its exchange is told, so that the next request finds it.
  private func ended(_ exchange: Exchange) {
    servedCount += 1
    let goesOn = persists && exchange.hasSentRequest
    state = .fresh
    if exchange.isUpgrading {
      return exchange.originUpgraded()
    }
    if goesOn { becomeIdle() } else { close() }
    exchange.originEnded(trailers: trailers)
  }

  private func broken(_ exchange: Exchange, _ fault: HTTPFault, hadBegun: Bool) {
    let refusal: Refusal =
      fault.kind == .incomplete
      ? ClientCertificateRefusal.closed(answer: transport.session?.clientCertificate, host: plan.key.host)
      : .originSpokeNoHTTP(host: plan.key.host, detail: fault.reason)
    failed(exchange, refusal, isRetryable: fault.kind == .incomplete && !hadBegun)
  }

  private func failed(_ exchange: Exchange, _ refusal: Refusal, isRetryable: Bool) {
    let mayRetry = isRetryable && isReused
    // What the session knows goes with it.
    let facts = facts
    close()
    exchange.originBroke(
      OriginFailure(refusal: refusal, ats: verdict?.ats, origin: facts), retry: mayRetry ? .ifIdempotent : .never,
      code: .internalError)
  }
}

extension OriginConnection: TransportDelegate {
  func transportReceived(_ transport: Transport) {
    switch state {
    case .leased: pump()
    case .idle:
      // Either the origin closes an idle connection, or it says what nobody asked for: of no more use.
      guard transport.hasEnded || !transport.received.isEmpty else { return }
      plan.forget(self)
      close()
    case .fresh, .over: break
    }
  }

  func transportDrained(_ transport: Transport) {
    if case .leased(let exchange) = state { exchange.originDrained() }
  }

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    switch state {
    case .leased(let exchange):
      if case .tls(let fault) = failure,
        let refusal = ClientCertificateRefusal.refusal(
          for: fault, answer: transport.session?.clientCertificate, host: plan.key.host)
      {
        return failed(exchange, refusal, isRetryable: false)
      }
      failed(
        exchange, ClientCertificateRefusal.closed(answer: transport.session?.clientCertificate, host: plan.key.host),
        isRetryable: !decoder.hasBegun)
    case .idle:
      plan.forget(self)
      close()
    case .fresh, .over: close()
    }
  }
}

extension ExchangeRecord.TLS {
  init(_ facts: TLSFacts) {
    self.init(version: facts.version, cipher: facts.cipher, alpn: facts.alpn, isResumed: facts.resumed)
  }
}
