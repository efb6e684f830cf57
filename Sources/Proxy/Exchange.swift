import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// One request with its answer: from the decision to the record that ends it. Confined to the loop of its connection.
///
/// Bodies pass through it in pieces that live only during a call: from the client's queue straight into the origin's and back.
/// Every exchange ends in exactly one record.
final class Exchange {
  private enum Phase {
    /// Decided; a connection to the origin is on its way.
    case waiting(OriginAttempt)
    /// The request goes to the origin, its answer comes back.
    case running(OriginStream)
    case over
    case new
  }

  let stream: ClientStream
  let head: RequestHead
  let scheme: Scheme
  let target: HostPort
  private let framing: BodyFraming
  private let webSocket: WebSocketOpening?
  private let path: ArraySlice<UInt8>
  private let context: Context
  private let connection: ClientConnection
  private let worker: Worker
  private var phase = Phase.new
  private var plan: OriginPlan?

  /// The head of the answer went to the client: from now on a failure cuts it.
  private var hasAnswered = false
  /// The whole request was handed to the origin connection.
  private(set) var hasSentRequest = false
  private(set) var isUpgrading = false
  /// A WebSocket is open whose bytes pass through here: its two legs do not both speak HTTP/1.1.
  private var isTunnelOpen = false
  private var hasRetried = false
  private var cutCode = HTTP2ErrorCode.internalError
  /// What was sent of the body, as long as the request may be repeated.
  private var spool: [UInt8]?
  private var trailers: HeaderList?
  private var digest: SHA256Stream?

  private let began: UInt64
  private let startedAt: Int64
  private var leasedAt: UInt64?
  private var timing = ExchangeRecord.Timing()
  private var request = ExchangeRecord.Request()
  private var response = ExchangeRecord.Response()
  private var status: Int?
  private var origin: ExchangeRecord.Origin?
  private var ats: ATSVerdict?
  private var failure: ExchangeRecord.Failure?
  private var refusedBy: Refusal?

  /// A longer body is not kept for repeating the request.
  private static let spoolLimit = 64 << 10

  init(
    stream: ClientStream, head: RequestHead, framing: BodyFraming, scheme: Scheme, target: HostPort,
    path: ArraySlice<UInt8>, webSocket: WebSocketOpening? = nil
  ) {
    self.stream = stream
    self.head = head
    self.framing = framing
    self.scheme = scheme
    self.target = target
    self.path = path
    self.webSocket = webSocket ?? (head.asksForWebSocket(framing: framing) ? .upgrade : nil)
    connection = stream.connection
    worker = connection.worker
    context = connection.context(userAgent: head.fields.firstBytes(.userAgent))
    began = worker.loop.now
    startedAt = worker.loop.wallClock
    request.framing = requestFramingName
    if framing == .length(0), [.post, .put, .patch].contains(head.method), head.fields.contains(.contentType) {
      request.isSuspectedStripped = true
    }
    if framing != .none, connection.generation.configuration.bodies.receipts { digest = SHA256Stream() }
  }

  // MARK: the decision

  /// Decides, and either answers or sets out for the origin.
  func begin() {
    if target.host.text == InternalHost.name {
      if case .extendedConnect = webSocket { return refuse(.protocolNotServed("websocket")) }
      return answerFromSite()
    }
    let plan = connection.plan(
      scheme: scheme, target: target, context: context, dialled: connection.tunnel?.dialled)
    self.plan = plan
    if hasPassedThisInstance { return refuse(.loop(.via, host: target.host)) }
    let decision = plan.decision
    if !decision.observedViolations.isEmpty {
      ats = ATSVerdict(outcome: .fail, violations: decision.observedViolations)
    }
    switch decision.action {
    case .deny:
      refuse(decision.refusal ?? .internalError(detail: "The decision gave no reason."))
    case .bypass where isBypassedMeanwhile:
      refuse(.misdirected(tunnel: target))
    default:
      if request.isSuspectedStripped { warnOfStrippedBody() }
      lease(plan)
    }
  }

  /// A reload made the host of this tunnel a bypassed one; only a new tunnel can be blind.
  private var isBypassedMeanwhile: Bool {
    scheme.isSecure && connection.tunnel != nil && plan?.decision.action == .bypass
  }

  /// Whether a Via field names this instance (RFC 9110, section 7.6.3).
  private var hasPassedThisInstance: Bool {
    head.fields.contains(.via)
      && head.fields.values(.via).contains { $0.contains(worker.shared.pseudonym) }
  }

  private func warnOfStrippedBody() {
    worker.shared.warnOnce(
      LogEvent(
        .warning, "bodies-stripped",
        [
          ("host", .text(target.host.text)),
          (
            "detail",
            .text(
              "requests arrive with a Content-Type and no body: something on the device takes bodies away before the proxy"
            )
          ),
        ]), about: target.host.text)
  }

  private func answerFromSite() {
    let answer = worker.shared.site.answer(
      path: String(decoding: path, as: UTF8.self), proxy: connection.transport.socket.local.map { "\($0)" } ?? "")
    var fields = HeaderList()
    fields.append(name: "Content-Type", value: answer.contentType)
    fields.append(name: "Cache-Control", value: "no-store")
    if let name = answer.fileName {
      fields.append(name: "Content-Disposition", value: "attachment; filename=\"\(name)\"")
    }
    let body = ByteQueue()
    body.append(answer.body)
    status = answer.status
    hasAnswered = true
    response.byteCount = body.count
    response.framing = "length"
    stream.writeOwn(
      OwnAnswer(head: ResponseHead(status: answer.status, fields: fields), body: body), request: head,
      closes: !stream.hasReadRequest)
    finish()
    stream.exchangeEnded(keepsOpen: stream.hasReadRequest)
  }

  // MARK: the connection to the origin

  private func lease(_ plan: OriginPlan, fresh: Bool = false) {
    let layer = plan.layer(for: webSocket)
    if layer == .full, let shared = plan.sharedOrigin() { return originReady(.http2(shared.open())) }
    if !fresh, let idle = takeIdle(plan) { return originReady(.http1(idle)) }
    if !fresh, let failure = connection.takePreparedFailure(of: plan) { return originFailed(failure) }
    let attempt = plan.attemptToJoin(layer) ?? OriginAttempt(plan: plan, worker: worker, layer: layer)
    phase = .waiting(attempt)
    attempt.claim(self)
    attempt.start()
  }

  /// An idle connection. A request that could not be repeated asks the kernel first whether the origin has gone.
  private func takeIdle(_ plan: OriginPlan) -> OriginConnection? {
    while let idle = plan.takeIdle() {
      if head.method.isIdempotent || idle.isStillOpen { return idle }
      idle.close()
    }
    return nil
  }

  // MARK: the request

  /// Whether body bytes of the client can be taken now.
  var acceptsBody: Bool {
    guard case .running(let origin) = phase, !isBridged || isTunnelOpen else { return false }
    return !origin.isCongested
  }

  private func send(to origin: OriginStream) {
    var head = head
    if case .extendedConnect(let key) = webSocket, case .http1 = origin {
      head = WebSocketOpening.upgradeRequest(for: head, key: key)
    }
    origin.send(
      ForwardedRequest(
        head: head, scheme: scheme.rawValue, authority: authority, path: path, host: hostOverride, framing: framing,
        via: connection.requestVia, dropping: connection.generation.strippedFields, webSocket: webSocket))
    if isBridged { return stream.arm(.response) }
    if let spool, !spool.isEmpty { spool.withUnsafeBytes { origin.sendBody($0, framing: framing) } }
    // A client that announces a body and sends none must not hold the origin for ever.
    if stream.hasReadRequest { finishRequest(origin) } else { stream.arm(.request) }
  }

  /// Host is the target's, as RFC 9112, section 3.2.2, demands of a proxy; kept as it is spelt if it means the same.
  private var hostOverride: String? {
    if stream.keepsHost, head.fields.contains(.host) { return nil }
    return head.fields.first(.host) == authority ? nil : authority
  }

  /// Whether the legs differ in how they open a WebSocket, or both speak HTTP/2: then its bytes pass through here.
  var isBridged: Bool {
    switch (webSocket, phase) {
    case (nil, _), (.upgrade, .running(.http1)): false
    default: true
    }
  }

  /// What is wrong with the head of an HTTP/1.1 origin; a clause.
  func objection(to head: ResponseHead) -> String? {
    guard let webSocket else {
      // What follows would pass unread, so nobody may switch alone (RFC 9110, section 15.2.2).
      return head.isUpgrade ? "it switched protocols without being asked to" : nil
    }
    return webSocket.objection(to: head)
  }

  func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
    guard case .running(let origin) = phase else { return }
    request.byteCount += bytes.count
    // The piece that arrived is the piece that is sent, so that one digest is the receipt of both.
    digest?.update(bytes)
    if let kept = spool?.count {
      if kept + bytes.count <= Self.spoolLimit { spool?.append(contentsOf: bytes) } else { spool = nil }
    }
    origin.sendBody(bytes, framing: framing)
    if isTunnelOpen {
      stream.arm(.webSocket)
    } else if !hasAnswered {
      stream.arm(.request)
    }
  }

  func trailersReceived(_ fields: HeaderList) {
    trailers = fields
    request.hasTrailers = !fields.isEmpty
  }

  /// The client has sent its request to the end.
  func requestEnded() {
    guard case .running(let origin) = phase, !isBridged || isTunnelOpen else { return }
    finishRequest(origin)
  }

  private func finishRequest(_ origin: OriginStream) {
    guard !hasSentRequest else { return }
    hasSentRequest = true
    origin.sendEnd(trailers: trailers, framing: framing)
    if !hasAnswered { stream.arm(.response) }
  }

  /// The body broke off, or is malformed. Half a body must never look whole to the origin.
  func requestBroken(_ fault: HTTPFault) {
    guard !hasAnswered, fault.kind != .incomplete else {
      note(Refusal.malformed(fault))
      return cut(.protocolError)
    }
    refuse(.malformed(fault))
  }

  // MARK: the answer

  /// Whether the client takes bytes of the answer.
  var wantsResponse: Bool { !stream.isCongested }

  func originInformed(_ head: ResponseHead) {
    stream.arm(.response)
    guard self.head.version == .http11 else { return }
    stream.writeInformational(head)
  }

  func originAnswered(_ head: ResponseHead, _ framing: BodyFraming) {
    noteFirstByte()
    spool = nil
    stream.disarm()
    hasAnswered = true
    if let webSocket, isBridged, head.isUpgrade || (200..<300).contains(head.status) {
      return openTunnel(webSocket.success(head, to: self.head))
    }
    status = head.status
    isUpgrading = head.isUpgrade
    response.framing = responseFramingName(framing)
    stream.writeHead(head, framing: framing, request: self.head)
  }

  private func openTunnel(_ head: ResponseHead) {
    guard case .running(let origin) = phase else { return }
    isTunnelOpen = true
    status = head.status
    response.framing = responseFramingName(.none)
    stream.openTunnel(head)
    stream.arm(.webSocket)
    stream.originDrained()
    if stream.hasReadRequest { finishRequest(origin) }
  }

  func originSent(_ bytes: UnsafeRawBufferPointer) {
    response.byteCount += bytes.count
    stream.writeBody(bytes)
    if isTunnelOpen { stream.arm(.webSocket) }
  }

  func originEnded(trailers: HeaderList?) {
    response.hasTrailers = trailers?.isEmpty == false
    stream.writeEnd(trailers: trailers)
    finish()
    stream.exchangeEnded(keepsOpen: !isTunnelOpen)
  }

  /// 101: what follows on both sides is no HTTP, and passes as it is.
  func originUpgraded() {
    guard case .running(.http1(let origin)) = phase, case .http1(let client) = stream else { return }
    let limits = connection.generation.configuration.limits
    let relay = Relay(
      client: connection.transport, origin: origin.handOver(), idleTimeout: limits.webSocketIdle, owner: self)
    client.exchangeUpgraded(to: relay)
    relay.start()
  }

  private func noteFirstByte() {
    guard timing.firstByte == nil else { return }
    timing.firstByte = worker.loop.now &- (leasedAt ?? began)
  }

  // MARK: back-pressure

  func clientDrained() {
    if case .running(let origin) = phase { origin.resume() }
  }

  func originDrained() {
    stream.originDrained()
  }

  // MARK: failures

  /// Whether a failed request may be sent again (RFC 9110, section 9.2.2; RFC 9113, section 8.7).
  enum Retry {
    case never
    /// A kept connection ended without a byte of an answer.
    case ifIdempotent
    /// The origin said that it did not process the request.
    case always
  }

  /// The origin failed while the exchange used it.
  /// - Parameter code: what an HTTP/2 client is told when its answer is cut.
  func originBroke(_ failure: OriginFailure, retry: Retry, code: HTTP2ErrorCode) {
    if mayRepeat(retry), let plan {
      hasRetried = true
      hasSentRequest = false
      return lease(plan, fresh: true)
    }
    cutCode = code
    originFailed(failure)
  }

  /// The origin speaks HTTP/2 and offers no extended CONNECT.
  func originDeclinesTunnel() {
    guard let plan, case .running(let origin) = phase else { return }
    if plan.declineTunnels() { return lease(plan) }
    originFailed(
      OriginFailure(
        refusal: .originSpokeNoHTTP(
          host: target.host, detail: "it speaks HTTP/2 alone, and does not offer WebSockets over it (RFC 8441)"),
        ats: origin.verdict?.ats, origin: origin.facts))
  }

  private func mayRepeat(_ retry: Retry) -> Bool {
    guard !hasRetried, !hasAnswered, spool != nil || framing == .none || request.byteCount == 0 else { return false }
    return switch retry {
    case .never: false
    case .ifIdempotent: head.method.isIdempotent
    case .always: true
    }
  }

  func timedOut() {
    guard case .running(let origin) = phase else { return }
    if isTunnelOpen { return cut(.cancel) }
    let limits = connection.generation.configuration.limits
    // A body that the origin does not take is the origin's silence.
    let refusal: Refusal =
      stream.hasReadRequest || origin.isCongested
      ? .originSilent(host: target.host, after: limits.requestTimeout) : .requestTimeout(after: limits.requestTimeout)
    self.origin = origin.facts
    origin.abandon()
    phase = .new
    if hasAnswered {
      note(refusal)
      cut(.internalError)
    } else {
      refuse(refusal)
    }
  }

  func clientVanished(_ detail: String = "The client ended the connection before the answer was complete.") {
    failure = ExchangeRecord.Failure(
      error: nil, proxyStatus: .connectionTerminated,
      detail: detail)
    leaveOrigin()
    finish()
  }

  /// The daemon ends before the exchange does.
  func abort() {
    failure = ExchangeRecord.Failure(
      error: .networkConnectionLost, proxyStatus: .connectionTerminated,
      detail: "The proxy was stopped before the answer was complete.")
    leaveOrigin()
    finish()
  }

  private func refuse(_ refusal: Refusal) {
    note(refusal)
    refusedBy = refusal
    leaveOrigin()
    status = refusal.status
    hasAnswered = true
    let closes = !stream.hasReadRequest || refusal.status == 400 || isBypassedMeanwhile
    stream.write(refusal, head: head, url: url.text, steps: steps(of: refusal), closes: closes)
    finish()
    stream.exchangeEnded(keepsOpen: !closes)
  }

  private func cut(_ code: HTTP2ErrorCode) {
    leaveOrigin()
    finish()
    stream.exchangeCut(code)
  }

  private func leaveOrigin() {
    switch phase {
    case .waiting(let attempt): attempt.release(self)
    case .running(let origin):
      self.origin = self.origin ?? origin.facts
      ats = ats ?? origin.verdict?.ats
      origin.abandon()
    case .new, .over: break
    }
  }

  private func note(_ refusal: Refusal) {
    failure = ExchangeRecord.Failure(
      error: refusal.error, proxyStatus: refusal.proxyError, detail: refusal.detail)
  }

  /// The steps of the decision, for the answer; computed only now.
  private func steps(of refusal: Refusal) -> [TracedStep] {
    guard let plan else { return [] }
    var facts = RequestFacts(scheme: scheme, host: target.host, port: target.port, context: context)
    if refusal.decidedBy == .loop { facts.loop = .via }
    var steps = plan.lane.policy.decide(facts, tracing: .on).steps
    guard let decidedBy = refusal.decidedBy, plan.decision.action != .deny else { return steps }
    steps.removeAll { $0.step == decidedBy }
    steps.append(TracedStep(step: decidedBy, outcome: "deny", reason: refusal.detail))
    return steps
  }

  // MARK: the record

  private var url: RecordURL { RecordURL(scheme: scheme.rawValue, authority: authority, path: path) }

  private static func authority(_ scheme: Scheme, _ target: HostPort) -> String {
    target.port == scheme.defaultPort ? target.host.bracketed : "\(target)"
  }

  private var authority: String { plan?.authorityText ?? Self.authority(scheme, target) }

  private var requestFramingName: StaticString {
    if case .http2 = stream { return "h2" }
    return switch framing {
    case .none, .untilClose: "none"
    case .length: "length"
    case .chunked: "chunked"
    }
  }

  /// The method that the client used.
  private var methodName: String {
    if case .extendedConnect = webSocket { return HTTPMethod.connect.description }
    return head.method.description
  }

  private func responseFramingName(_ framing: BodyFraming) -> StaticString {
    if case .running(.http2) = phase { return "h2" }
    return switch framing {
    case .none: "none"
    case .length: "length"
    case .chunked: "chunked"
    case .untilClose: "close"
    }
  }

  /// The one place where an exchange ends.
  private func finish() {
    guard case .over = phase else {
      phase = .over
      if worker.writesRecords { worker.record(makeRecord()) }
      return
    }
  }

  private func makeRecord() -> ExchangeRecord {
    let decision = plan?.decision
    var record = ExchangeRecord(
      started: startedAt, ended: worker.loop.wallClock, identifier: worker.nextIdentifier(),
      lane: connection.lane.name, client: connection.clientText, context: context,
      clientProtocol: stream.protocolName(head), method: methodName, url: url,
      status: status, action: decision?.action ?? .intercept, decidedBy: decision?.decidedBy, rule: decision?.rule,
      ats: ats ?? defaultVerdict, os: connection.lane.policy.osText)
    if let refusedBy {
      if let decidedBy = refusedBy.decidedBy {
        record.action = .deny
        record.decidedBy = decidedBy
        if decidedBy != .rule { record.rule = nil }
      } else if [400, 408, 421, 431, 503].contains(refusedBy.status) || refusedBy.isAboutNames {
        record.decidedBy = nil
        record.rule = nil
      }
    }
    record.stream = stream.identifier
    record.origin = origin
    if let digest = digest?.finish() {
      request.sha256 = digest
      request.sentSha256 = digest
    }
    record.request = request
    record.response = response
    timing.total = worker.loop.now &- began
    record.timing = timing
    record.failure = failure
    return record
  }

  /// What ATS says of an exchange that reached no judged origin.
  private var defaultVerdict: ATSVerdict {
    if connection.lane.policy.ats.mode == .off { return ATSVerdict(outcome: .off) }
    if refusedBy?.decidedBy == .ats { return ATSVerdict(outcome: .fail, violations: ["cleartext"]) }
    return ATSVerdict(outcome: .pass)
  }
}

extension Exchange: OriginWaiter {
  func waits(for attempt: OriginAttempt) {
    phase = .waiting(attempt)
  }

  func originReady(_ origin: OriginStream) {
    guard let plan else { return origin.giveBack() }
    if case .http2 = origin, plan.layer(for: webSocket) == .http1 {
      // It came of a dial that was under way before the WebSocket was asked for.
      origin.giveBack()
      return lease(plan)
    }
    phase = .running(origin)
    leasedAt = worker.loop.now
    if !origin.isReused {
      timing.dns = origin.timing.dns
      timing.connect = origin.timing.connect
      timing.tls = origin.timing.tls
    }
    timing.queued = worker.loop.now &- began
    self.origin = origin.facts
    ats = origin.verdict?.ats ?? ats
    if origin.keepsBodies, spool == nil, request.byteCount == 0, framing != .none { spool = [] }
    origin.lease(to: self, method: head.method)
    send(to: origin)
    stream.originDrained()
  }

  func originFailed(_ failure: OriginFailure) {
    if failure.refusesHTTP1, webSocket != nil, let plan, plan.refuseHTTP1() { return lease(plan) }
    origin = failure.origin ?? origin
    ats = failure.ats ?? ats
    if timing.connect == nil, timing.dns == nil {
      timing.dns = failure.timing.dns
      timing.connect = failure.timing.connect
      timing.tls = failure.timing.tls
    }
    // The connection is closed already; nothing is to be left.
    phase = .new
    guard !hasAnswered else {
      note(failure.refusal)
      return cut(cutCode)
    }
    refuse(failure.refusal)
  }
}

extension Exchange: RelayOwner {
  func relayEnded(_ relay: Relay, _ failure: TransportFailure?) {
    response.byteCount += relay.receivedByteCount
    request.byteCount += relay.sentByteCount
    finish()
    connection.ended()
  }

  func relayRefused(_ relay: Relay, _ refusal: Refusal) {}
}

extension Refusal {
  /// DNS decides nothing; its records say so (contract, section 5).
  fileprivate var isAboutNames: Bool { proxyError == .dnsError || proxyError == .dnsTimeout }
}
