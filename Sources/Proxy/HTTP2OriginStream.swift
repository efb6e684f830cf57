import Bytes
import Configuration
import EventLoop
import HTTP
import Policy
import Records
import TLS

/// One stream of an HTTP/2 connection to an origin: the origin's side of one exchange. Confined to its loop.
final class HTTP2OriginStream {
  let origin: HTTP2Origin
  let isReused: Bool
  private var identifier: Int32?
  private var exchange: Exchange?
  private var inbound = InboundBody()
  private var hasAnswered = false
  /// The response is complete; with `inbound` empty the exchange is told.
  private var hasEnded = false
  private var trailers: HeaderList?
  /// A request that waits for the origin's settings.
  private var unsent: ForwardedRequest?

  init(origin: HTTP2Origin, isReused: Bool) {
    self.origin = origin
    self.isReused = isReused
  }

  private var session: HTTP2Session { origin.session }

  var facts: ExchangeRecord.Origin {
    ExchangeRecord.Origin(
      address: origin.address, proxy: origin.plan.proxyText, isReused: isReused,
      tls: origin.transport.session?.negotiated.map(ExchangeRecord.TLS.init), pins: origin.judge.verdict?.pins ?? [],
      matchedPin: origin.judge.verdict?.matchedPin, identity: origin.transport.session?.sentIdentity?.name
    ).telling(of: origin.transport.session).judged(by: origin.judge.verdict)
  }

  // MARK: the request

  func lease(to exchange: Exchange) {
    self.exchange = exchange
  }

  func send(_ request: ForwardedRequest) {
    if request.webSocket != nil {
      guard session.hasPeerSettings else {
        unsent = request
        return origin.waitForSettings(self)
      }
      // Not inside the call that sends: the exchange is in the middle of it.
      guard session.allowsConnectProtocol else { return origin.worker.loop.performSoon { self.declineTunnel() } }
    }
    do throws(HTTP2Fault) {
      identifier = try origin.begin(self, request)
    } catch {
      // Not inside the call that sends: the exchange is in the middle of it.
      origin.worker.loop.performSoon {
        self.failed(.originSpokeNoHTTP(host: self.origin.plan.key.host, detail: error.reason), mayRetry: false)
      }
    }
  }

  /// The origin's settings are there.
  func settled() {
    guard let unsent else { return }
    self.unsent = nil
    send(unsent)
  }

  private func declineTunnel() {
    let running = exchange
    exchange = nil
    running?.originDeclinesTunnel()
  }

  var isCongested: Bool { identifier.map(session.isCongested) ?? false }

  func sendBody(_ bytes: UnsafeRawBufferPointer) {
    guard let identifier else { return }
    session.write(bytes, on: identifier)
    origin.scheduleOutput()
  }

  func sendEnd(trailers: HeaderList?) {
    guard let identifier else { return }
    session.end(identifier, trailers: trailers)
    origin.scheduleOutput()
  }

  func drained() {
    exchange?.originDrained()
  }

  /// The exchange is over before the stream is.
  func cancel() {
    exchange = nil
    if unsent != nil {
      unsent = nil
      origin.stopWaiting(self)
    }
    guard let identifier else { return }
    self.identifier = nil
    session.reset(identifier, .cancel)
    origin.forget(identifier)
  }

  // MARK: the answer

  func informed(_ head: ResponseHead) {
    exchange?.originInformed(head)
  }

  func answered(_ response: HTTP2Response) {
    if origin.wantsHTTP1(after: response.head.status), exchange?.mayMoveToHTTP1(after: response.head.status) == true {
      return moveToHTTP1()
    }
    hasAnswered = true
    exchange?.originAnswered(response.head, response.framing)
  }

  /// What the origin wants it can ask for over HTTP/1.1 only: the request goes there.
  private func moveToHTTP1() {
    let running = exchange
    cancel()
    running?.moveToHTTP1()
  }

  func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
    guard let exchange else { return }
    guard inbound.isEmpty, exchange.wantsResponse else { return inbound.keep(bytes) }
    exchange.originSent(bytes)
    inbound.passed(bytes.count)
    returnWindow()
  }

  func ended(_ trailers: HeaderList?) {
    hasEnded = true
    self.trailers = trailers
    if inbound.isEmpty { finish() }
  }

  /// The client takes bytes again.
  func resume() {
    guard let exchange else { return }
    while !inbound.isEmpty, exchange.wantsResponse { inbound.passOne { exchange.originSent($0) } }
    returnWindow()
    if inbound.isEmpty, hasEnded { finish() }
  }

  private func returnWindow() {
    guard exchange?.wantsResponse != false, let identifier else { return }
    let count = inbound.takeOwed()
    guard count > 0 else { return }
    session.consume(count, on: identifier)
    origin.scheduleOutput()
  }

  private func finish() {
    guard let exchange else { return }
    self.exchange = nil
    if let identifier, !exchange.hasSentRequest {
      // An early answer: the rest of the request is not wanted.
      self.identifier = nil
      session.reset(identifier, .noError)
      origin.forget(identifier)
    }
    exchange.originEnded(trailers: trailers)
  }

  /// The last word about the stream.
  func closed(_ end: HTTP2StreamEnd) {
    identifier = nil
    unsent = nil
    guard exchange != nil, !hasEnded else { return }
    let host = origin.plan.key.host
    if let collapse = origin.collapse, end.isLoss { return failed(collapse, mayRetry: false) }
    switch end {
    case .complete:
      failed(.originClosed(host: host), mayRetry: false)
    case .unprocessed:
      failed(.originClosed(host: host), mayRetry: true, isUnprocessed: true)
    case .reset(let code):
      if code == .http11Required { origin.plan.requireHTTP1() }
      let isUnprocessed = code == .refusedStream || code == .http11Required
      failed(
        .originReset(host: host, code: code.description), mayRetry: isUnprocessed, isUnprocessed: isUnprocessed,
        code: code.passedOn)
    case .malformed(let fault):
      failed(.originSpokeNoHTTP(host: host, detail: fault.reason), mayRetry: false)
    case .connectionLost:
      failed(
        ClientCertificateRefusal.closed(answer: origin.transport.session?.clientCertificate, host: host),
        mayRetry: (isReused || origin.demandsHTTP1) && !hasAnswered)
    }
  }

  private func failed(
    _ refusal: Refusal, mayRetry: Bool, isUnprocessed: Bool = false, code: HTTP2ErrorCode = .internalError
  ) {
    let running = exchange
    exchange = nil
    running?.originBroke(
      OriginFailure(refusal: refusal, ats: origin.judge.verdict?.ats, origin: facts),
      retry: isUnprocessed ? .always : mayRetry ? .ifIdempotent : .never, code: code)
  }
}
