import Authority
import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// One connection of a device, from its first byte to its end. Owned by its worker, confined to its loop.
///
/// It moves through stages: what comes before HTTP (PROXY protocol, SOCKS), HTTP/1 requests to the proxy, and after a CONNECT the
/// peeked ClientHello, the handshake with our leaf, and HTTP/1 inside the tunnel; or a relay that passes bytes as they are.
final class ClientConnection {
  enum Stage {
    /// A PROXY protocol header must come first.
    case proxyHeader
    case socks(SOCKSStage)
    /// HTTP/1 messages, to the proxy itself or inside a tunnel.
    case http(HTTP1ClientStream)
    /// Inside a tunnel that is to be intercepted; its first bytes tell what is spoken.
    case hello
    /// The leaf, or the verdict on the origin, is on its way.
    case waiting
    case securing
    /// HTTP/2 inside a tunnel.
    case http2(HTTP2ClientSession)
    /// A tunnel whose origin is being dialled.
    case dialling(BlindTunnel)
    case relay(Relay)
    /// The last answer is sent; what the client still sends is thrown away.
    case lingering
    case closed
  }

  enum SOCKSStage { case greeting, request }

  let worker: Worker
  let transport: Transport
  let listener: ListenerContext
  private(set) var generation: Generation
  private(set) var lane: Lane
  /// The address of the client; nil on a unix socket.
  private(set) var clientAddress: IPAddress?
  /// `ip:port`, for records.
  private(set) var clientText: String
  /// Inside a tunnel: where it leads.
  private(set) var tunnel: TunnelTarget?
  private(set) var stage: Stage
  /// When the connection was accepted, or its current request began.
  let acceptedAt: UInt64

  private var user: String?
  private var hello: ClientHello?
  private var prepared: OriginAttempt?
  private var timer: Timer?
  private var timerPurpose = TimerPurpose.head
  private var lingered = 0

  enum TimerPurpose { case head, keepAlive, handshake, request, response, webSocket, linger }

  /// How long and how much is read after the last answer, so that a reset does not overtake it.
  private static let lingerTime = Duration.seconds(2)
  private static let lingerByteCount = 4 << 20

  init(worker: Worker, transport: Transport, peer: SocketAddress, listener: ListenerContext) {
    self.worker = worker
    self.transport = transport
    self.listener = listener
    generation = worker.generation
    acceptedAt = worker.loop.now
    clientAddress = peer.ipBytes.flatMap(IPAddress.init(bytes:))?.unmapped
    clientText = "\(peer)"
    stage = .hello
    lane = worker.generation.configuration.lane(
      client: clientAddress, listenerLane: listener.settings.lane, user: nil)
  }

  func start() {
    // A phone that left the network says no goodbye.
    transport.socket.keepAlive(after: .seconds(60), every: .seconds(15))
    if let balancers = listener.settings.proxyProtocol, let address = clientAddress,
      balancers.contains(where: { $0.contains(address) })
    {
      stage = .proxyHeader
      arm(.head)
      return transport.attach(to: self)
    }
    admit()
  }

  /// Too many connections: the answer of contract 4, whatever the client wants.
  func refuseAsTooMany() {
    let stream = HTTP1ClientStream(connection: self, role: .proxy)
    stage = .http(stream)
    transport.attach(to: self)
    stream.refuseUnread(.connectionLimit(generation.configuration.limits.connections))
  }

  // MARK: access and role

  private func admit() {
    guard isAdmitted else {
      warnOfStranger()
      return close()
    }
    refreshLane()
    switch listener.settings.mode {
    case .explicit: serve(.proxy)
    case .reverse(let origin): serve(.reverse(origin))
    case .socks5:
      stage = .socks(.greeting)
      arm(.head)
      transport.attach(to: self)
    case .transparent: beginTransparent()
    }
  }

  private var isAdmitted: Bool {
    generation.configuration.access.admits(clientAddress)
  }

  private func warnOfStranger() {
    let address = clientAddress.map { "\($0)" } ?? clientText
    worker.shared.warnOnce(
      LogEvent(
        .warning, "client-refused",
        [
          ("client", .text(address)),
          ("detail", .text("access.clients does not admit it; to admit it add \"\(address)\" there")),
        ]), about: address)
  }

  private func serve(_ role: HTTP1ClientStream.Role) {
    let stream = HTTP1ClientStream(connection: self, role: role)
    stage = .http(stream)
    arm(.head)
    transport.attach(to: self)
  }

  private func beginTransparent() {
    guard let destination = transport.socket.originalDestination(), let ip = destination.ipBytes,
      let address = IPAddress(bytes: ip), let port = destination.port
    else {
      worker.shared.warnOnce(
        LogEvent(
          .warning, "no-original-destination",
          [("detail", .text("a transparent listener got a connection that was not redirected to it"))]),
        about: "\(listener.address)")
      return close()
    }
    tunnel = TunnelTarget(target: HostPort(host: Host(address), port: port), kind: .transparent)
    stage = .hello
    arm(.head)
    transport.attach(to: self)
  }

  /// The name that the credentials gave; lanes may depend on it.
  func use(user: String?) {
    guard user != self.user else { return }
    self.user = user
    refreshLane()
  }

  private func refreshLane() {
    lane = generation.configuration.lane(client: clientAddress, listenerLane: listener.settings.lane, user: user)
  }

  /// A reload took place: what begins now follows it.
  func generationChanged() {
    generation = worker.generation
    refreshLane()
  }

  // MARK: plans

  /// The plan for a destination, as seen by this client.
  func plan(scheme: Scheme, target: HostPort, context: Context, dialled: IPAddress?) -> OriginPlan {
    worker.plan(
      for: OriginPlan.Key(
        scheme: scheme, host: target.host, port: target.port,
        context: lane.policy.ats.dependsOnContext ? context : .app, lane: ObjectIdentifier(lane),
        isGuarded: isGuarded, dialled: dialled), lane: lane)
  }

  /// The member that requests get in `Via`; nil: none (`upstream.via`).
  var requestVia: String? { generation.configuration.upstream.via ? worker.shared.via : nil }

  /// The member that answers get in `Via`.
  var responseVia: String { worker.shared.via }

  /// This connection for closures that run on other threads and come back to its loop.
  var bound: LoopBound<ClientConnection> { LoopBound(self, on: worker.loop) }

  /// The target guard holds for clients that are not on loopback.
  private var isGuarded: Bool { TargetGuard.watches(clientAddress) }

  /// The context of a request: the lane's, the listener's, or told from the User-Agent.
  func context(userAgent: @autoclosure () -> ArraySlice<UInt8>?) -> Context {
    lane.context ?? listener.settings.context ?? UserAgent.context(userAgent())
  }

  // MARK: tunnels

  /// A tunnel was asked for and the decision permits it. `answer` is sent first.
  func open(_ target: TunnelTarget, plan: OriginPlan, reply: ConnectReply) {
    tunnel = target
    let isInternal = target.target.host.text == InternalHost.name
    if plan.decision.action == .bypass, !isInternal {
      return relay(target, plan: plan, reply: reply, hello: nil)
    }
    reply.succeed(transport)
    stage = .hello
    arm(.head)
    // Port 80 speaks plain HTTP or WebSocket, whatever the asker said.
    if target.target.port != 80, !isInternal { prepared = worker.prepare(plan) }
    if target.target.host.address == nil { generation.leaves.leaf(for: target.target.host) { _ in } }
    readHello()
  }

  private func relay(_ target: TunnelTarget, plan: OriginPlan, reply: ConnectReply, hello: ClientHello?) {
    let blind = BlindTunnel(connection: self, plan: plan, target: target, reply: reply, hello: hello)
    stage = .dialling(blind)
    disarm()
    blind.start()
  }

  /// The origin of a blind tunnel was not reached: whoever asked for the tunnel is told.
  func tunnelFailed(_ refusal: Refusal, reply: ConnectReply) {
    switch reply {
    case .http(let stream, let head):
      stage = .http(stream)
      stream.tunnelFailed(refusal, head: head)
    case .socks:
      transport.outgoing.append(SOCKS5.reply(.hostUnreachable))
      transport.scheduleFlush()
      linger()
    case .silent:
      close()
    }
  }

  /// Plain HTTP came through a blind tunnel that may not carry it.
  func refuseCleartext(_ refusal: Refusal) {
    transport.attach(to: self)
    refuseInTunnel(refusal)
  }

  /// The failure of the dial that was begun with this tunnel, if there was one; told once.
  func takePreparedFailure(of plan: OriginPlan) -> OriginFailure? {
    guard let attempt = prepared, attempt.plan === plan else { return nil }
    prepared = nil
    guard case .failed(let failure) = attempt.outcome else { return nil }
    return failure
  }

  private func readHello() {
    guard case .hello = stage, let tunnel else { return }
    switch ProtocolSniffer.classify(transport.received.bytes) {
    case .needMore:
      waitForMore()
    case .tls:
      readClientHello(tunnel)
    case .http1:
      // Plain HTTP inside the tunnel: each request is judged by the cleartext rules.
      serveTunnel(.tunnel(tunnel.with(scheme: .http)))
    case .http2Preface:
      refuseInTunnel(plainHTTP: tunnel)
    case .other:
      refuseInTunnel(.malformed(detail: "After CONNECT came neither TLS nor HTTP."))
    }
  }

  private func readClientHello(_ tunnel: TunnelTarget) {
    switch ClientHello.parse(transport.received.bytes) {
    case .needMore:
      waitForMore()
    case .notTLS:
      refuseInTunnel(.malformed(detail: "After CONNECT came a TLS record that holds no valid ClientHello."))
    case .hello(let hello):
      self.hello = hello
      helloReceived(hello, tunnel.named(by: hello.serverName))
    }
  }

  private func waitForMore() {
    if transport.hasEnded { close() } else { transport.resumeReading() }
  }

  private func helloReceived(_ hello: ClientHello, _ named: TunnelTarget) {
    tunnel = named
    let plan = plan(scheme: .https, target: named.target, context: context(userAgent: nil), dialled: named.dialled)
    switch plan.decision.action {
    case .bypass where named.kind == .transparent || named.kind == .socks:
      return relay(named, plan: plan, reply: .silent, hello: hello)
    case .deny where named.kind == .transparent:
      recordTunnel(named, detail: plan.decision.refusal?.detail ?? "refused")
      return refuseHandshake()
    default: break
    }
    stage = .waiting
    arm(.handshake)
    guard plan.requirements?.onTrustFailure == .refuse, named.target.host.text != InternalHost.name else {
      return obtainLeaf(named)
    }
    // Trust parity: the client must see a failed handshake, so the verdict comes first.
    if let failure = takePreparedFailure(of: plan) { return verdictArrived(failure, named) }
    let scout = TrustScout(plan: plan, worker: worker) { [weak self] failure in
      self?.verdictArrived(failure, named)
    }
    scout.start()
  }

  private func verdictArrived(_ failure: OriginFailure?, _ target: TunnelTarget) {
    guard case .waiting = stage else { return }
    guard let failure, failure.isTrustFailure else { return obtainLeaf(target) }
    recordRefusedHandshake(failure, target)
    refuseHandshake()
  }

  // MARK: the leaf and the handshake

  private func obtainLeaf(_ target: TunnelTarget) {
    let host = target.target.host
    if let leaf = generation.leaves.cached(host) { return secure(with: leaf.identity, target) }
    let me = bound
    generation.leaves.leaf(for: host) { result in
      me.onLoop { connection in connection.leafArrived(result, target) }
    }
  }

  private func leafArrived(_ result: Result<MintedLeaf, MintFault>, _ target: TunnelTarget) {
    guard case .waiting = stage else { return }
    switch result {
    case .success(let leaf): secure(with: leaf.identity, target)
    case .failure(let fault):
      worker.shared.log.write(
        LogEvent(
          .error, "mint-failed", [("host", .text(target.target.host.text)), ("reason", .text(fault.description))]))
      refuseHandshake()
    }
  }

  private func secure(with leaf: Identity, _ target: TunnelTarget) {
    let session: TLSSession
    do {
      session = try generation.serverContext.makeSession(
        leaf: leaf, alpn: offersHTTP2(target) ? ["h2", "http/1.1"] : ["http/1.1"],
        resumptionScope: Digest.sha256(Array("\(target.target)".utf8)),
        outbound: transport.ciphertext)
    } catch {
      worker.shared.log.write(LogEvent(.error, "handshake-failed", [("reason", .text("\(error)"))]))
      return refuseHandshake()
    }
    stage = .securing
    arm(.handshake)
    transport.secure(with: session)
  }

  /// Whether the client may speak HTTP/2: what it speaks does not depend on its origin, but a rule may forbid it.
  private func offersHTTP2(_ target: TunnelTarget) -> Bool {
    let host = target.target
    return lane.policy.rules.attributes(host: host.host, port: host.port)?.http2 ?? true
  }

  /// Ends the handshake before it begins, with the alert handshake_failure (RFC 8446, section 6).
  private func refuseHandshake() {
    let alert: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]
    alert.withUnsafeBytes { transport.write($0) }
    linger()
  }

  private func handshakeFailed(_ failure: TransportFailure) {
    guard let tunnel else { return close() }
    var isPinning = false
    var detail = "the client ended the TLS handshake"
    if case .tls(let fault) = failure {
      detail = "\(fault)"
      isPinning = fault.isClientRefusalOfCertificate || fault == .truncated
    }
    recordTunnel(tunnel, isSuspectedPinning: isPinning, detail: detail)
    close()
  }

  private func serveTunnel(_ role: HTTP1ClientStream.Role) {
    let stream = HTTP1ClientStream(connection: self, role: role)
    stage = .http(stream)
    arm(.head)
    stream.advance()
  }

  private func refuseInTunnel(_ refusal: Refusal) {
    let stream = HTTP1ClientStream(connection: self, role: .proxy)
    stage = .http(stream)
    stream.refuseUnread(refusal)
  }

  /// An HTTP/2 preface without TLS: nothing can be read of it without speaking HTTP/2, so it is refused as plain HTTP.
  private func refuseInTunnel(plainHTTP tunnel: TunnelTarget) {
    refuseInTunnel(
      .cleartext(
        scheme: .http, host: tunnel.target.host, port: tunnel.target.port,
        reason: "HTTP/2 without TLS inside a tunnel is plain HTTP"))
  }

  // MARK: records

  private func recordTunnel(_ target: TunnelTarget, isSuspectedPinning: Bool = false, detail: String?) {
    worker.record(
      TunnelRecord(
        ended: worker.loop.wallClock, lane: lane.name, client: clientText, target: "\(target.target)",
        sni: hello?.serverName, alpn: hello?.alpn ?? [], sentByteCount: 0, receivedByteCount: 0,
        duration: worker.loop.now &- acceptedAt, isSuspectedPinning: isSuspectedPinning, detail: detail))
  }

  private func recordRefusedHandshake(_ failure: OriginFailure, _ target: TunnelTarget) {
    guard worker.writesRecords else { return }
    let plan = plan(scheme: .https, target: target.target, context: .app, dialled: target.dialled)
    var record = ExchangeRecord(
      started: worker.loop.wallClock, ended: worker.loop.wallClock, identifier: worker.nextIdentifier(),
      lane: lane.name, client: clientText, context: plan.key.context, clientProtocol: "http/1.1", method: "CONNECT",
      url: RecordURL(scheme: "https", authority: plan.authorityText, path: [UInt8(ascii: "/")]), status: nil,
      action: .deny, decidedBy: failure.refusal.decidedBy,
      rule: nil,
      ats: failure.ats ?? ATSVerdict(outcome: .off), os: lane.policy.osText)
    record.origin = failure.origin
    record.failure = ExchangeRecord.Failure(
      error: failure.refusal.error, proxyStatus: failure.refusal.proxyError, detail: failure.refusal.detail)
    record.timing.total = worker.loop.now &- acceptedAt
    worker.record(record)
  }

  // MARK: time

  /// Starts the time that the next event may take.
  func arm(_ purpose: TimerPurpose) {
    timerPurpose = purpose
    let limits = generation.configuration.limits
    let time =
      switch purpose {
      case .head, .handshake: limits.headTimeout
      case .keepAlive: limits.keepAlive
      case .request, .response: limits.requestTimeout
      case .webSocket: limits.webSocketIdle
      case .linger: Self.lingerTime
      }
    let timer = timer ?? Timer(loop: worker.loop) { [weak self] in self?.timedOut() }
    self.timer = timer
    timer.start(after: time)
  }

  /// Starts the time that a head may take, unless it runs: bytes that drip in do not extend it.
  func armHead() {
    guard timerPurpose != .head || timer?.isArmed != true else { return }
    arm(.head)
  }

  func disarm() {
    timer?.cancel()
  }

  private func timedOut() {
    switch (timerPurpose, stage) {
    case (.request, .http(let stream)), (.response, .http(let stream)), (.webSocket, .http(let stream)):
      stream.exchangeTimedOut()
    case (.head, .http(let stream)): stream.headTimedOut()
    case (_, .http2(let session)): session.idleTimedOut()
    case (.handshake, _):
      if let tunnel { recordTunnel(tunnel, detail: "the TLS handshake took too long") }
      close()
    default: close()
    }
  }

  // MARK: end

  /// The last answer is on its way: no more output follows it, and what the client still sends is thrown away for a moment.
  func linger() {
    stage = .lingering
    arm(.linger)
    transport.endOutput()
    transport.received.removeAll()
    transport.resumeReading()
  }

  /// Sends what waits, then closes without the marks of an orderly end: the message that was cut must look cut.
  func cut() {
    stage = .closed
    disarm()
    transport.closeAfterFlush()
    ended()
  }

  func close() {
    stage = .closed
    disarm()
    transport.close()
    ended()
  }

  /// The bytes now belong to a relay, which ends the transport.
  func handOver(to relay: Relay) {
    stage = .relay(relay)
    disarm()
  }

  /// The relay that had taken over is over.
  func ended() {
    stage = .closed
    timer = nil
    worker.connectionEnded(self)
  }

  // MARK: draining

  func drain() {
    switch stage {
    case .http(let stream): stream.drain()
    case .http2(let session): session.drain()
    case .proxyHeader, .socks, .lingering: close()
    case .hello: if transport.received.isEmpty { close() }
    default: break
    }
  }

  /// The time for draining is over.
  func abort() {
    switch stage {
    case .http(let stream): stream.abort()
    case .http2(let session): session.abort()
    case .dialling(let blind): blind.abort()
    case .relay(let relay): relay.end(nil)
    default: break
    }
    if case .closed = stage { return }
    close()
  }
}

extension ClientConnection: TransportDelegate {
  func transportReceived(_ transport: Transport) {
    switch stage {
    case .proxyHeader: readProxyHeader()
    case .socks(let socks): readSOCKS(socks)
    case .http(let stream): stream.advance()
    case .http2(let session): session.advance()
    case .hello: readHello()
    case .waiting, .dialling: if transport.hasEnded { clientLeft() }
    case .lingering: discard()
    case .securing, .relay, .closed: break
    }
  }

  func transportDrained(_ transport: Transport) {
    switch stage {
    case .http(let stream): stream.drained()
    case .http2(let session): session.drained()
    default: break
    }
  }

  func transportSecured(_ transport: Transport) {
    guard case .securing = stage, let tunnel else { return }
    guard transport.session?.negotiated?.alpn == "h2" else {
      return serveTunnel(.tunnel(tunnel.with(scheme: .https)))
    }
    do throws(HTTP2Fault) {
      let session = try HTTP2ClientSession(connection: self, tunnel: tunnel.with(scheme: .https))
      stage = .http2(session)
      arm(.keepAlive)
      session.advance()
    } catch {
      close()
    }
  }

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    switch stage {
    case .securing: handshakeFailed(failure)
    case .http(let stream): stream.clientFailed()
    case .http2(let session): session.clientFailed()
    case .dialling(let blind):
      blind.abort()
      close()
    default: close()
    }
  }

  private func clientLeft() {
    if case .dialling(let blind) = stage {
      // A client that ended its side may still want the answer; only the tunnel can tell.
      return blind.clientEnded()
    }
    close()
  }

  private func discard() {
    lingered += transport.received.count
    transport.received.removeAll()
    if transport.hasEnded || lingered > Self.lingerByteCount { close() } else { transport.resumeReading() }
  }

  // MARK: what comes before HTTP

  private func readProxyHeader() {
    switch ProxyProtocol.parse(transport.received.bytes) {
    case .needMore:
      waitForMore()
    case .invalid:
      close()
    case .header(let length, let source):
      transport.received.consume(length)
      if let source, let address = IPAddress(bytes: source.ip) {
        clientAddress = address.unmapped
        clientText = SocketAddress(ip: address.unmapped.bytes, port: source.port).map { "\($0)" } ?? clientText
      }
      admit()
    }
  }

  private func readSOCKS(_ socks: SOCKSStage) {
    switch socks {
    case .greeting:
      switch SOCKS5.parseGreeting(transport.received.bytes) {
      case .needMore: waitForMore()
      case .invalid: close()
      case .greeting(let length, let offersNoAuthentication):
        transport.received.consume(length)
        // This version's SOCKS knows no credentials; where they are demanded nobody gets past them this way.
        guard offersNoAuthentication, !generation.gatekeeper.asksForCredentials else {
          transport.outgoing.append(SOCKS5.acceptsNoMethod)
          transport.scheduleFlush()
          return linger()
        }
        transport.outgoing.append(SOCKS5.choosesNoAuthentication)
        transport.scheduleFlush()
        stage = .socks(.request)
        readSOCKS(.request)
      }
    case .request:
      switch SOCKS5.parseRequest(transport.received.bytes) {
      case .needMore: waitForMore()
      case .refused(let reply):
        transport.outgoing.append(SOCKS5.reply(reply))
        transport.scheduleFlush()
        linger()
      case .connect(let length, let target):
        transport.received.consume(length)
        socksRequested(target)
      }
    }
  }

  private func socksRequested(_ wanted: SOCKS5.Target) {
    let port = wanted.port
    let found: Host? =
      switch wanted.destination {
      case .name(let name): try? Host(name)
      case .address(let bytes): IPAddress(bytes: bytes).map(Host.init)
      }
    guard port > 0, let host = found else {
      transport.outgoing.append(SOCKS5.reply(.hostUnreachable))
      transport.scheduleFlush()
      return linger()
    }
    let target = TunnelTarget(target: HostPort(host: host, port: port), kind: .socks)
    let admission = TunnelAdmission(connection: self, target: target, context: context(userAgent: nil))
    guard admission.refusal == nil else {
      admission.record()
      transport.outgoing.append(SOCKS5.reply(.notAllowed))
      transport.scheduleFlush()
      return linger()
    }
    open(target, plan: admission.plan, reply: .socks)
  }
}
