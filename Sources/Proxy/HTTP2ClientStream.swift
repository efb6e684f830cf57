import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records

/// One stream of a client's HTTP/2 connection: a request, and its answer. Owned by its session, confined to its loop.
final class HTTP2ClientStream {
  let identifier: Int32
  private let owner: HTTP2ClientSession
  private var exchange: Exchange?
  /// The client's END_STREAM has come; with `inbound` empty the request is read.
  private var hasEnded: Bool
  private var inbound = InboundBody()
  private var trailers: HeaderList?
  private var timer: Timer?

  init(owner: HTTP2ClientSession, identifier: Int32, isComplete: Bool) {
    self.owner = owner
    self.identifier = identifier
    hasEnded = isComplete
  }

  var connection: ClientConnection { owner.connection }
  private var session: HTTP2Session { owner.session }

  // MARK: the request

  func begin(_ request: HTTP2Request) {
    let target = owner.tunnel.target
    guard request.scheme == owner.tunnel.scheme.rawValue,
      (try? HostPort(authority: request.authority, defaultPort: owner.tunnel.scheme.defaultPort)) == target
    else { return refuse(.misdirected(tunnel: target), request.head) }
    var head = request.head
    var webSocket: WebSocketOpening?
    if let wanted = request.connectProtocol {
      guard wanted == "websocket" else { return refuse(.protocolNotServed(wanted), head) }
      webSocket = .makeExtendedConnect()
      // What the request is in the terms of HTTP/1.1 (RFC 8441, section 5).
      head.method = .get
    }
    let path: ArraySlice<UInt8>
    do throws(HTTPFault) {
      switch try head.requestTarget() {
      case .origin(let sent): path = sent
      case .absolute(let absolute): path = absolute.pathAndQuery
      case .asterisk: path = [UInt8(ascii: "*")]
      case .authority: return refuse(.malformed(detail: "Inside a tunnel there is no CONNECT."), request.head)
      }
    } catch {
      return refuse(.malformed(error), request.head)
    }
    let exchange = Exchange(
      stream: .http2(self), head: head, framing: request.framing, scheme: owner.tunnel.scheme, target: target,
      path: path, webSocket: webSocket)
    self.exchange = exchange
    exchange.begin()
  }

  /// A head that was not accepted; one that is too large can still be answered.
  func refused(_ fault: HTTPFault) {
    let refusal: Refusal =
      fault.kind == .tooLarge
      ? .headTooLarge(limit: connection.generation.configuration.limits.head) : .malformed(fault)
    let unread = UnreadRequest(connection: connection, role: .tunnel(owner.tunnel), head: nil)
    guard fault.kind == .tooLarge else { return unread.record(refusal, answer: nil, clientProtocol: .http2) }
    let answer = OwnAnswer(refusal, request: nil, url: nil, steps: [])
    write(answer, isHead: false)
    unread.record(refusal, answer: kept(answer, isHead: false), clientProtocol: .http2)
    session.discardRequest(identifier)
    owner.scheduleOutput()
  }

  private func refuse(_ refusal: Refusal, _ head: RequestHead) {
    let answer = OwnAnswer(refusal, request: head, url: nil, steps: [])
    write(answer, isHead: head.method == .head)
    UnreadRequest(connection: connection, role: .tunnel(owner.tunnel), head: head)
      .record(refusal, answer: kept(answer, isHead: head.method == .head), clientProtocol: .http2)
    exchangeEnded()
  }

  /// What is kept of the answer that was just written.
  private func kept(_ answer: OwnAnswer, isHead: Bool) -> CapturedMessage? {
    guard connection.worker.keepsMessages else { return nil }
    return CapturedMessage(
      fieldsWritten, of: answer, hasBody: !isHead, bodyLimit: connection.lane.captureByteCount)
  }

  var hasReadRequest: Bool { hasEnded && inbound.isEmpty }

  func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
    guard let exchange else { return session.consume(bytes.count, on: identifier) }
    guard inbound.isEmpty, exchange.acceptsBody else { return inbound.keep(bytes) }
    exchange.bodyReceived(bytes)
    inbound.passed(bytes.count)
    returnWindow()
  }

  func requestEnded(_ trailers: HeaderList?) {
    guard !hasEnded else { return }
    hasEnded = true
    self.trailers = trailers
    if inbound.isEmpty { finishRequest() }
  }

  private func finishRequest() {
    if let trailers, !trailers.isEmpty { exchange?.trailersReceived(trailers) }
    exchange?.requestEnded()
  }

  /// The origin takes bytes again: what waited goes on, and its window returns to the client.
  func originDrained() {
    guard let exchange else { return }
    let hadWaiting = !inbound.isEmpty
    while !inbound.isEmpty, exchange.acceptsBody { inbound.passOne { exchange.bodyReceived($0) } }
    returnWindow()
    if hadWaiting, inbound.isEmpty, hasEnded { finishRequest() }
  }

  private func returnWindow() {
    guard exchange?.acceptsBody != false else { return }
    let count = inbound.takeOwed()
    guard count > 0 else { return }
    session.consume(count, on: identifier)
    owner.scheduleOutput()
  }

  // MARK: the answer

  /// The fields of the head that was written last.
  var fieldsWritten: CapturedFields {
    var fields = CapturedFields()
    session.forEachSentField { fields.append(name: $0, value: $1) }
    return fields
  }

  var isCongested: Bool { session.isCongested(identifier) }

  func writeInformational(_ head: ResponseHead, via: String) {
    session.inform(head, via: via, on: identifier)
    owner.scheduleOutput()
  }

  func writeHead(_ head: ResponseHead, framing: BodyFraming, via: String) {
    session.respond(head, framing: framing, via: via, on: identifier)
    owner.scheduleOutput()
  }

  func writeBody(_ bytes: UnsafeRawBufferPointer) {
    session.write(bytes, on: identifier)
    owner.scheduleOutput()
  }

  func writeEnd(trailers: HeaderList?) {
    session.end(identifier, trailers: trailers)
    owner.scheduleOutput()
  }

  func writeOwn(_ answer: OwnAnswer, request: RequestHead) {
    write(answer, isHead: request.method == .head)
  }

  private func write(_ answer: OwnAnswer, isHead: Bool) {
    var head = answer.head
    head.fields.append(name: "content-length", value: "\(answer.body.count)")
    let hasBody = !isHead && !answer.body.isEmpty
    session.respond(
      head, framing: hasBody ? .length(UInt64(answer.body.count)) : .none, via: nil, on: identifier)
    if hasBody {
      session.write(answer.body.bytes, on: identifier)
      session.end(identifier, trailers: nil)
    }
    owner.scheduleOutput()
  }

  // MARK: time

  /// Restarts the time that the next event of the exchange may take.
  func arm(_ purpose: ClientConnection.TimerPurpose) {
    let timer = timer ?? Timer(loop: connection.worker.loop) { [weak self] in self?.exchange?.timedOut() }
    self.timer = timer
    let limits = connection.generation.configuration.limits
    timer.start(after: purpose == .webSocket ? limits.webSocketIdle : limits.requestTimeout)
  }

  func disarm() {
    timer?.cancel()
  }

  // MARK: the end

  /// The answer is written; a body that is still on its way is not wanted any more.
  func exchangeEnded() {
    leave()
    if !hasReadRequest { session.discardRequest(identifier) }
    owner.streamEnded(self)
  }

  func exchangeCut(_ code: HTTP2ErrorCode) {
    leave()
    session.reset(identifier, code)
    owner.streamEnded(self)
  }

  /// The client ended the stream, or the connection is gone.
  func closed(_ end: HTTP2StreamEnd) {
    let running = exchange
    leave()
    guard let running else { return }
    if case .complete = end { return }
    running.clientVanished(end.clientDetail)
  }

  func drained() {
    exchange?.clientDrained()
  }

  func abort() {
    let running = exchange
    leave()
    running?.abort()
  }

  private func leave() {
    exchange = nil
    timer?.invalidate()
    timer = nil
    inbound = InboundBody()
  }
}
