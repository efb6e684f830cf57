import BodyHook
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
  enum Phase {
    /// Decided; a connection to the origin is on its way.
    case waiting(OriginAttempt)
    /// The request goes to the origin, its answer comes back.
    case running(OriginStream)
    /// A stored picture goes to the client.
    case stored(PictureServing)
    /// Another exchange fetches the picture.
    case following(PictureFollowing)
    case over
    case new
  }

  /// Becomes that of an absent client when others still wait for what this one asked for.
  var stream: ClientStream
  let head: RequestHead
  let scheme: Scheme
  let target: HostPort
  let framing: BodyFraming
  let webSocket: WebSocketOpening?
  let path: ArraySlice<UInt8>
  let context: Context
  let connection: ClientConnection
  let worker: Worker
  var phase = Phase.new
  var plan: OriginPlan?

  /// The head of the answer went to the client: from now on a failure cuts it.
  var hasAnswered = false
  /// The whole request was handed to the origin connection.
  var hasSentRequest = false
  var isUpgrading = false
  /// A WebSocket is open whose bytes pass through here: its two legs do not both speak HTTP/1.1.
  var isTunnelOpen = false
  var retryCount = 0
  /// Connections on which the origin did not take the request.
  var refusing: [HTTP2Origin] = []
  var cutCode = HTTP2ErrorCode.internalError
  /// What was sent of the body, as long as the request may be repeated.
  var spool: [UInt8]?
  var trailers: HeaderList?
  var digest: SHA256Stream?

  let began: UInt64
  let startedAt: Int64
  var leasedAt: UInt64?
  var timing = ExchangeRecord.Timing()
  var request = ExchangeRecord.Request()
  var response = ExchangeRecord.Response()
  var status: Int?
  var origin: ExchangeRecord.Origin?
  var ats: ATSVerdict?
  var failure: ExchangeRecord.Failure?
  var refusedBy: Refusal?
  /// nil: nothing of the messages is kept.
  var capture: Capture?
  /// nil: the cache of pictures has no part in it.
  var picture: PictureTurn?
  /// nil: the pictures of this page are not loaded ahead.
  var scout: PictureScout?
  var isRecorded = false
  var restoring: Restoring
  /// nil: the answer stays as it is.
  var injecting: Injecting?

  /// A longer body is not kept for repeating the request.
  static let spoolLimit = 64 << 10

  init(
    stream: ClientStream, head: RequestHead, framing: BodyFraming, scheme: Scheme, target: HostPort,
    path: ArraySlice<UInt8>, webSocket: WebSocketOpening? = nil
  ) {
    var head = head
    var path = path
    restoring = Restoring(&head, path: &path, for: stream.connection.generation)
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
    beginCapture()
  }

  // MARK: the decision

  /// Decides, and either answers or sets out for the origin.
  func begin() {
    if worker.shared.isSite(target, scheme) {
      if case .extendedConnect = webSocket { return refuse(.protocolNotServed("websocket")) }
      return answerFromSite()
    }
    let plan = connection.plan(
      scheme: scheme, target: target, context: context, dialled: connection.tunnel?.dialled)
    self.plan = plan
    if worker.shared.hasPassedThisInstance(head) { return refuse(.loop(.via, host: target.host)) }
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
      if answersForHook() { return }
      restoreBody(plan)
    }
  }

  /// The request is as it will be sent, and sets out.
  func goOn(_ plan: OriginPlan) {
    if request.isSuspectedStripped { warnOfStrippedBody() }
    if !beginPicture(plan) { lease(plan) }
  }

  /// A reload made the host of this tunnel a bypassed one; only a new tunnel can be blind.
  var isBypassedMeanwhile: Bool {
    scheme.isSecure && connection.tunnel != nil && plan?.decision.action == .bypass
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
              "requests arrive with a Content-Type and no body: something on the device takes bodies away before the proxy; "
                + (isHooked
                  ? "no script of a page had sent them ahead" : "with this host in bodies.hook.hosts they are restored")
            )
          ),
        ]), about: target.host.text)
  }

  // MARK: the connection to the origin

  func lease(_ plan: OriginPlan, fresh: Bool = false) {
    let layer = plan.layer(for: webSocket)
    if layer == .full, let shared = plan.sharedOrigin(besides: refusing) { return originReady(.http2(shared.open())) }
    if !fresh, let idle = takeIdle(plan) { return originReady(.http1(idle)) }
    if !fresh, let failure = connection.takePreparedFailure(of: plan) { return originFailed(failure) }
    let attempt = plan.attemptToJoin(layer) ?? OriginAttempt(plan: plan, worker: worker, layer: layer)
    phase = .waiting(attempt)
    attempt.claim(self)
    attempt.start()
  }

  /// An idle connection. A request that could not be repeated asks the kernel first whether the origin has gone.
  private func takeIdle(_ plan: OriginPlan) -> OriginConnection? {
    while let idle = plan.takeIdle(for: webSocket) {
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
    guard settlesRestoring() else { return stream.arm(.request) }
    var head = pictureRequest(restoring.head ?? head)
    if case .extendedConnect(let key) = webSocket, case .http1 = origin {
      head = WebSocketOpening.upgradeRequest(for: head, key: key)
    }
    head = preparingInjection(head)
    origin.send(
      ForwardedRequest(
        head: head, scheme: scheme.rawValue, authority: authority, path: path, host: hostOverride, framing: sentFraming,
        via: requestVia, dropping: connection.generation.strippedFields, webSocket: webSocket))
    if isBridged { return stream.arm(.response) }
    if restoring.body != nil { return sendRestored() }
    if let spool, !spool.isEmpty { spool.withUnsafeBytes { origin.sendBody($0, framing: framing) } }
    // A client that announces a body and sends none must not hold the origin for ever.
    if stream.hasReadRequest { finishRequest(origin) } else { stream.arm(.request) }
  }

  /// The member that the request gets in `Via`; nil: none (`upstream.via`).
  private var requestVia: String? {
    connection.generation.configuration.upstream.via ? worker.shared.via[stream.spoken(head)] : nil
  }

  /// The member that an answer gets in `Via`.
  private func via(of head: ResponseHead) -> String {
    if case .running(.http2) = phase { return worker.shared.via[.http2] }
    return worker.shared.via[HTTPProtocol(head.version)]
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
    if restoring.isWaiting { send(to: origin) }
    compareBody(bytes)
    // The piece that arrived is the piece that is sent, so that one digest is the receipt of both.
    digest?.update(bytes)
    if !isTunnelOpen { captureRequestBody(bytes) }
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
    endComparing()
    if restoring.isWaiting { return send(to: origin) }
    finishRequest(origin)
  }

  func finishRequest(_ origin: OriginStream) {
    guard !hasSentRequest else { return }
    hasSentRequest = true
    origin.sendEnd(trailers: trailers, framing: sentFraming)
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
  var wantsResponse: Bool { !stream.isCongested && !isInjectionBehind || picture?.hasFollowers == true }

  func originInformed(_ head: ResponseHead) {
    stream.arm(.response)
    guard self.head.version == .http11 else { return }
    stream.writeInformational(head, via: via(of: head))
  }

  func originAnswered(_ head: ResponseHead, _ framing: BodyFraming) {
    let head = restoring.channel?.completing(head) ?? head
    noteFirstByte()
    spool = nil
    stream.disarm()
    if pictureAnswered(head, framing) { return }
    hasAnswered = true
    if let webSocket, isBridged, head.isUpgrade || (200..<300).contains(head.status) {
      return openTunnel(webSocket.success(head, to: self.head), via: via(of: head))
    }
    beginScouting(head)
    status = head.status
    isUpgrading = head.isUpgrade
    response.framing = responseFramingName(framing)
    let (changed, changedFraming) = beginInjection(head, framing)
    capturingResponseHead {
      stream.writeHead(changed, framing: changedFraming, via: via(of: head), request: self.head)
    }
  }

  private func openTunnel(_ head: ResponseHead, via: String) {
    guard case .running(let origin) = phase else { return }
    isTunnelOpen = true
    status = head.status
    response.framing = responseFramingName(.none)
    capturingResponseHead { stream.openTunnel(head, via: via) }
    stream.arm(.webSocket)
    stream.originDrained()
    if stream.hasReadRequest { finishRequest(origin) }
  }

  func originSent(_ bytes: UnsafeRawBufferPointer) {
    if pictureSent(bytes) { return }
    scout?.scan(bytes)
    if let body = injecting?.body { return inject(bytes, into: body) }
    passOn(bytes)
  }

  /// Bytes as the client gets them.
  func passOn(_ bytes: UnsafeRawBufferPointer) {
    response.byteCount += bytes.count
    if !isTunnelOpen { captureResponseBody(bytes) }
    stream.writeBody(bytes)
    if isTunnelOpen { stream.arm(.webSocket) }
  }

  func originEnded(trailers: HeaderList?) {
    if pictureEnded() { return }
    guard endInjection(trailers: trailers) else { return }
    response.hasTrailers = trailers?.isEmpty == false
    captureTrailers(trailers)
    stream.writeEnd(trailers: trailers)
    endScouting()
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
    guard hasInjected() else { return }
    switch phase {
    case .running(let origin): origin.resume()
    case .stored(let serving): pumpStored(serving)
    case .following: fetchMoved()
    case .waiting, .over, .new: break
    }
  }

  func originDrained() {
    if restoring.body != nil { sendRestored() }
    stream.originDrained()
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
    if origin.isReused { worker.counters.originReused(origin.use) }
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
    if endsWithoutAnswer(failure) { return endWithoutAnswer(failure.refusal) }
    if pictureFailed(failure) { return }
    refuse(pictureRefusal(failure.refusal))
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
