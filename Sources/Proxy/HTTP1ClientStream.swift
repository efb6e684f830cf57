import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records

/// HTTP/1 towards a client: reads its requests one after the other, and writes the answers of their exchanges.
///
/// Owned by its connection, confined to its loop. One exchange runs at a time; pipelined requests wait in the queue of the
/// transport, which stops reading when they are many.
final class HTTP1ClientStream {
  /// What the requests of this stream are addressed to.
  enum Role {
    /// The proxy: CONNECT and absolute targets.
    case proxy
    /// One origin, whatever the Host field says.
    case reverse(WebOrigin)
    /// The origin of a tunnel.
    case tunnel(TunnelTarget)
  }

  let connection: ClientConnection
  let role: Role
  private var decoder: HTTP1RequestDecoder
  private var exchange: Exchange?
  private var isRequestComplete = true
  private var isAdvancing = false
  private var isAuthorizing = false
  private var isLast = false
  /// How the body of the running answer is written.
  private var encoding = BodyFraming.none
  /// Behind our own 101: the bytes of a WebSocket pass through the exchange.
  private var isTunnel = false

  init(connection: ClientConnection, role: Role) {
    self.connection = connection
    self.role = role
    let limits = connection.generation.configuration.limits
    decoder = HTTP1RequestDecoder(limits: HTTP1Limits(headByteCount: limits.head))
  }

  private var transport: Transport { connection.transport }

  // MARK: reading

  /// Goes on with what is there: the next request, or the body of the running one.
  func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    while step() {}
    isAdvancing = false
  }

  /// One event of the decoder. False: nothing can be done before something else happens.
  private func step() -> Bool {
    guard !isAuthorizing, case .http(let current) = connection.stage, current === self else { return false }
    if let exchange {
      guard !isTunnel else {
        stepTunnel(exchange)
        return false
      }
      guard !isRequestComplete else {
        watchForEnd(exchange)
        return false
      }
      guard exchange.acceptsBody else { return false }
    } else if isLast {
      return false
    }
    do throws(HTTPFault) {
      var event = try decoder.next(transport.received)
      if event == .needMore {
        guard transport.hasEnded else {
          waitForMore()
          return false
        }
        event = try decoder.inputEnded(transport.received)
      }
      return handle(event)
    } catch {
      faulted(error)
      return false
    }
  }

  private func handle(_ event: HTTP1RequestDecoder.Event) -> Bool {
    switch event {
    case .needMore:
      return false
    case .closed:
      connection.close()
      return false
    case .head(let head, let framing):
      isRequestComplete = false
      if framing == .none || framing == .length(0) { finishEmptyBody() }
      begin(head, framing)
    case .body(let count):
      exchange?.bodyReceived(UnsafeRawBufferPointer(rebasing: transport.received.bytes[..<count]))
      transport.received.consume(count)
      decoder.consumed(count)
    case .trailers(let fields):
      exchange?.trailersReceived(fields)
    case .end:
      isRequestComplete = true
      exchange?.requestEnded()
    }
    return true
  }

  /// A request without a body is complete with its head, which an answer of our own must know.
  private func finishEmptyBody() {
    isRequestComplete = (try? decoder.next(transport.received)) == .end
  }

  /// Bytes of a WebSocket, whose origin does not speak HTTP/1.1.
  private func stepTunnel(_ exchange: Exchange) {
    guard exchange.acceptsBody else { return }
    if !transport.received.isEmpty {
      exchange.bodyReceived(transport.received.bytes)
      transport.received.removeAll()
    }
    if transport.hasEnded { exchange.requestEnded() } else { transport.resumeReading() }
  }

  private func waitForMore() {
    if exchange == nil, !decoder.isBetweenMessages || !transport.received.isEmpty { connection.armHead() }
    transport.resumeReading()
  }

  /// The request is complete and its answer is on its way. A client that closes a TLS connection does not want it any more; one
  /// that half-closes plain TCP may.
  private func watchForEnd(_ exchange: Exchange) {
    if transport.hasEnded {
      if transport.isSecured { clientFailed() }
    } else {
      transport.resumeReading()
    }
  }

  private func faulted(_ fault: HTTPFault) {
    if let exchange {
      // The body is broken: what was sent of it must not look complete to the origin.
      return exchange.requestBroken(fault)
    }
    if fault.kind == .incomplete { return connection.close() }
    refuseUnread(
      fault.kind == .tooLarge
        ? .headTooLarge(limit: connection.generation.configuration.limits.head) : .malformed(fault))
  }

  // MARK: requests

  private func begin(_ head: RequestHead, _ framing: BodyFraming) {
    connection.disarm()
    isLast = !head.persists
    let target: RequestTarget
    do throws(HTTPFault) { target = try head.requestTarget() } catch {
      return refuse(.malformed(error), head: head, framing: framing)
    }
    switch role {
    case .proxy: authorize(head, framing, target)
    case .reverse(let origin): reverse(head, framing, target, origin)
    case .tunnel(let tunnel): tunnelled(head, framing, target, tunnel)
    }
  }

  private func authorize(_ head: RequestHead, _ framing: BodyFraming, _ target: RequestTarget) {
    guard connection.asksForCredentials else {
      return admitted(.admitted(user: nil), head, framing, target)
    }
    let me = connection.bound
    let answer = connection.generation.gatekeeper.check(head.fields.first(.proxyAuthorization)) { answer in
      me.onLoop { connection in
        guard case .http(let stream) = connection.stage else { return }
        stream.authorized(answer, head, framing, target)
      }
    }
    isAuthorizing = answer == .pending
    if !isAuthorizing { admitted(answer, head, framing, target) }
  }

  private func authorized(
    _ answer: Gatekeeper.Answer, _ head: RequestHead, _ framing: BodyFraming, _ target: RequestTarget
  ) {
    guard isAuthorizing else { return }
    isAuthorizing = false
    admitted(answer, head, framing, target)
    advance()
  }

  private func admitted(
    _ answer: Gatekeeper.Answer, _ head: RequestHead, _ framing: BodyFraming, _ target: RequestTarget
  ) {
    guard case .admitted(let user) = answer else {
      return refuse(.accessDenied(), head: head, framing: framing)
    }
    connection.use(user: user)
    switch target {
    case .authority(let text): connect(head, text)
    case .absolute(let absolute): proxied(head, framing, absolute)
    case .origin, .asterisk:
      refuse(
        .malformed(detail: "A request to the proxy must name its target as an absolute URL, or be a CONNECT."),
        head: head, framing: framing)
    }
  }

  private func connect(_ head: RequestHead, _ text: String) {
    let target: HostPort
    do throws(NameFault) { target = try HostPort(authority: text, defaultPort: nil) } catch {
      return refuse(
        .malformedTarget(error), head: head, framing: .none)
    }
    let userAgent = head.fields.firstBytes(.userAgent)
    let admission = TunnelAdmission(
      connection: connection,
      target: TunnelTarget(target: target, kind: .connect, agentContext: userAgent.map(UserAgent.context)),
      context: connection.context(userAgent: userAgent),
      loop: connection.worker.shared.hasPassedThisInstance(head) ? .via : .none)
    if let refusal = admission.refusal {
      let answer = answer(refusal, head: head, url: admission.url, steps: admission.steps, framing: .none)
      return admission.record(head, answer: answer)
    }
    isRequestComplete = true
    connection.open(admission.target, plan: admission.plan, reply: .http(self, head))
  }

  private func proxied(_ head: RequestHead, _ framing: BodyFraming, _ absolute: AbsoluteTarget) {
    guard let scheme = Scheme(rawValue: absolute.scheme)?.transport else {
      return refuse(
        .malformed(detail: "The scheme \"\(absolute.scheme)\" is not served; http and https are."), head: head,
        framing: framing)
    }
    let target: HostPort
    do throws(NameFault) {
      target = try HostPort(authority: absolute.authority, defaultPort: scheme.defaultPort)
    } catch {
      return refuse(.malformedTarget(error), head: head, framing: framing)
    }
    run(head, framing, scheme: scheme, target: target, path: absolute.pathAndQuery)
  }

  private func reverse(_ head: RequestHead, _ framing: BodyFraming, _ target: RequestTarget, _ origin: WebOrigin) {
    guard let path = path(of: target) else {
      return refuse(
        .malformed(detail: "This listener stands for \(origin); its requests name a path."), head: head,
        framing: framing)
    }
    run(
      head, framing, scheme: origin.scheme.transport ?? .https, target: HostPort(host: origin.host, port: origin.port),
      path: path)
  }

  private func tunnelled(
    _ head: RequestHead, _ framing: BodyFraming, _ target: RequestTarget, _ asked: TunnelTarget
  ) {
    let tunnel = asked.named(byAuthority: authority(of: target, head))
    if tunnel.dialled != nil { connection.tunnel = tunnel }
    guard let path = path(of: target) else {
      return refuse(.malformed(detail: "Inside a tunnel there is no CONNECT."), head: head, framing: framing)
    }
    var isHere = true
    if case .absolute(let absolute) = target {
      isHere = names(absolute.authority, tunnel) && absolute.scheme == tunnel.scheme.rawValue
    }
    if let host = head.fields.firstBytes(.host) { isHere = isHere && namesHere(host, tunnel) }
    // Plain HTTP that may not pass is refused as that, wherever it says that it goes.
    guard isHere || isDeniedCleartext(head, tunnel) else {
      return refuse(.misdirected(tunnel: tunnel.target), head: head, framing: framing)
    }
    run(head, framing, scheme: tunnel.scheme, target: tunnel.target, path: path)
  }

  /// The host that a request inside a tunnel says it is for.
  private func authority(of target: RequestTarget, _ head: RequestHead) -> String? {
    if case .absolute(let absolute) = target { return absolute.authority }
    return head.fields.first(.host)
  }

  private func isDeniedCleartext(_ head: RequestHead, _ tunnel: TunnelTarget) -> Bool {
    guard tunnel.scheme == .http else { return false }
    let context = connection.context(userAgent: head.fields.firstBytes(.userAgent))
    let plan = connection.plan(scheme: .http, target: tunnel.target, context: context, dialled: tunnel.dialled)
    return plan.decision.action == .deny
  }

  private func path(of target: RequestTarget) -> ArraySlice<UInt8>? {
    switch target {
    case .origin(let path): path
    case .absolute(let absolute): absolute.pathAndQuery
    case .asterisk: [UInt8(ascii: "*")]
    case .authority: nil
    }
  }

  /// Whether the Host field means this tunnel; the spelling that was seen last is remembered.
  private func namesHere(_ host: ArraySlice<UInt8>, _ tunnel: TunnelTarget) -> Bool {
    if host.elementsEqual(acceptedHost) { return true }
    guard names(String(decoding: host, as: UTF8.self), tunnel) else { return false }
    acceptedHost = Array(host)
    return true
  }

  private var acceptedHost: [UInt8] = []

  private func names(_ authority: String, _ tunnel: TunnelTarget) -> Bool {
    (try? HostPort(authority: authority, defaultPort: tunnel.scheme.defaultPort)) == tunnel.target
  }

  private func run(
    _ head: RequestHead, _ framing: BodyFraming, scheme: Scheme, target: HostPort, path: ArraySlice<UInt8>
  ) {
    let exchange = Exchange(
      stream: .http1(self), head: head, framing: framing, scheme: scheme, target: target, path: path)
    self.exchange = exchange
    exchange.begin()
  }

  // MARK: refusals

  /// Answers something that was no request, or was not read as one, and ends the connection.
  func refuseUnread(_ refusal: Refusal) {
    isLast = true
    let answer = write(refusal, head: nil, url: nil, steps: [], closes: true)
    UnreadRequest(connection: connection, role: role, head: nil).record(refusal, answer: answer)
    connection.linger()
  }

  private func refuse(_ refusal: Refusal, head: RequestHead, framing: BodyFraming) {
    let answer = answer(refusal, head: head, url: nil, steps: [], framing: framing)
    UnreadRequest(connection: connection, role: role, head: head).record(refusal, answer: answer)
  }

  /// The origin of a blind tunnel was not reached.
  func tunnelFailed(_ refusal: Refusal, head: RequestHead) {
    answer(refusal, head: head, url: nil, steps: [], framing: .none)
    if !isLast { advance() }
  }

  /// Answers a request for which there is no exchange. A body that was not read ends the connection.
  /// - Returns: what is kept of the answer.
  @discardableResult
  private func answer(
    _ refusal: Refusal, head: RequestHead, url: String?, steps: [TracedStep], framing: BodyFraming
  ) -> CapturedMessage? {
    let goesOn = framing == .none && !isLast && refusal.status != 400
    isLast = !goesOn
    let kept = write(refusal, head: head, url: url, steps: steps, closes: !goesOn)
    if goesOn { connection.arm(.keepAlive) } else { connection.linger() }
    return kept
  }

  private func write(
    _ refusal: Refusal, head: RequestHead?, url: String?, steps: [TracedStep], closes: Bool
  ) -> CapturedMessage? {
    let answer = OwnAnswer(refusal, request: head, url: url, steps: steps)
    let mark = outputMark
    writeOwn(answer, request: head, closes: closes)
    guard connection.worker.keepsMessages else { return nil }
    return CapturedMessage(
      fieldsWritten(since: mark), of: answer, hasBody: head?.method != .head,
      bodyLimit: connection.lane.captureByteCount)
  }

  /// Writes an answer of our own, whole.
  func writeOwn(_ answer: OwnAnswer, request: RequestHead?, closes: Bool) {
    HTTP1Encoder.writeOwnResponse(
      answer.head, byteCount: answer.body.count, persistence: closes ? .closes : .persists, into: transport.outgoing)
    if request?.method != .head { transport.outgoing.append(answer.body.bytes) }
    transport.scheduleFlush()
  }

  // MARK: writing the answer of an exchange

  var outputMark: Int { transport.outgoing.count }

  func fieldsWritten(since mark: Int) -> CapturedFields {
    let written = transport.outgoing.bytes
    return CapturedFields(head: UnsafeRawBufferPointer(rebasing: written[min(mark, written.count)...]))
  }

  /// Whether the client takes the answer more slowly than it comes.
  var isCongested: Bool { transport.isCongested }

  /// Whether the request that is being answered has been read to its end.
  var hasReadRequest: Bool {
    isTunnel ? transport.hasEnded && transport.received.isEmpty : isRequestComplete
  }

  func writeInformational(_ head: ResponseHead, via: String) {
    _ = HTTP1Encoder.writeResponse(
      head, framing: .none, to: .http11, via: via, persistence: .persists, into: transport.outgoing)
    transport.scheduleFlush()
  }

  func writeHead(_ head: ResponseHead, framing: BodyFraming, via: String, request: RequestHead) {
    if !isRequestComplete || connection.worker.isDraining { isLast = true }
    encoding = HTTP1Encoder.writeResponse(
      head, framing: framing, to: request.version, via: via,
      persistence: isLast ? .closes : .persists, into: transport.outgoing)
    if encoding == .untilClose { isLast = true }
    transport.scheduleFlush()
  }

  /// The head of the answer is a 101 of our own; its bytes follow as they are.
  func openTunnel(_ head: ResponseHead, via: String) {
    isTunnel = true
    isLast = true
    writeInformational(head, via: via)
    encoding = .untilClose
  }

  func writeBody(_ bytes: UnsafeRawBufferPointer) {
    switch encoding {
    case .none: return
    case .length, .untilClose: transport.outgoing.append(bytes)
    case .chunked: HTTP1Encoder.writeChunk(bytes, into: transport.outgoing)
    }
    transport.scheduleFlush()
  }

  func writeEnd(trailers: HeaderList?) {
    guard encoding == .chunked else { return }
    HTTP1Encoder.writeLastChunk(trailers: trailers, into: transport.outgoing)
    transport.scheduleFlush()
  }

  // MARK: the end of an exchange

  /// The answer is written. The connection goes on if both sides want that.
  /// - Parameter keepsOpen: false: the answer said that it closes.
  func exchangeEnded(keepsOpen: Bool) {
    exchange = nil
    guard keepsOpen, isRequestComplete, !isLast, !connection.worker.isDraining else {
      isLast = true
      return connection.linger()
    }
    connection.arm(.keepAlive)
    advance()
  }

  /// The answer was cut; the client must see that.
  func exchangeCut() {
    exchange = nil
    isLast = true
    connection.cut()
  }

  /// The connection now carries something else; the relay of the exchange has it.
  func exchangeUpgraded(to relay: Relay) {
    connection.handOver(to: relay)
  }

  /// The client took what waited: the origin may go on.
  func drained() {
    exchange?.clientDrained()
  }

  /// The origin took what waited: the client may go on.
  func originDrained() {
    advance()
  }

  func clientFailed() {
    let running = exchange
    exchange = nil
    running?.clientVanished()
    connection.close()
  }

  func exchangeTimedOut() {
    exchange?.timedOut()
  }

  func headTimedOut() {
    guard transport.received.isEmpty, decoder.isBetweenMessages else {
      return refuseUnread(.requestTimeout(after: connection.generation.configuration.limits.headTimeout))
    }
    connection.close()
  }

  func drain() {
    isLast = true
    if exchange == nil, !isAuthorizing, decoder.isBetweenMessages, transport.received.isEmpty { connection.close() }
  }

  func abort() {
    exchange?.abort()
  }
}
