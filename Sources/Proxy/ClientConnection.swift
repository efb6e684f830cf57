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
    /// TLS with the proxy itself.
    case listenerTLS(ListenerTLSStage)
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

  let worker: Worker
  let transport: Transport
  let listener: ListenerContext
  /// Waits for the record of the one exchange of a connection that repeats a request.
  private(set) var replay: ReplayClient?
  private(set) var generation: Generation
  private(set) var lane: Lane {
    didSet { if lane.name != oldValue.name { laneCounters = worker.counters.lane(lane.name) } }
  }
  private(set) var laneCounters: LaneCounters
  /// The address of the client; nil on a unix socket.
  var clientAddress: IPAddress?
  /// `ip:port`, for records.
  var clientText: String
  /// Inside a tunnel: where it leads.
  var tunnel: TunnelTarget?
  var stage: Stage
  /// When the connection was accepted, or its current request began.
  let acceptedAt: UInt64

  private var user: String?
  var hello: ClientHello?
  var prepared: OriginAttempt?
  /// When the handshake with our leaf was done; nil once the client sent something over it.
  var unprovedSince: UInt64?
  private var timer: Timer?
  private var timerPurpose = TimerPurpose.head
  private var lingered = 0

  enum TimerPurpose { case head, keepAlive, handshake, request, response, webSocket, linger }

  /// How long and how much is read after the last answer, so that a reset does not overtake it.
  private static let lingerTime = Duration.seconds(2)
  private static let lingerByteCount = 4 << 20

  init(
    worker: Worker, transport: Transport, peer: SocketAddress, listener: ListenerContext, replay: ReplayClient? = nil
  ) {
    self.worker = worker
    self.transport = transport
    self.listener = listener
    self.replay = replay
    generation = worker.generation
    acceptedAt = worker.loop.now
    clientAddress = peer.ipBytes.flatMap(IPAddress.init(bytes:))?.unmapped
    clientText = listener.repetition == nil ? "\(peer)" : "console"
    stage = .hello
    let lane = worker.generation.configuration.lane(
      client: clientAddress, listenerLane: listener.settings.lane, user: nil)
    self.lane = lane
    laneCounters = worker.counters.lane(lane.name)
  }

  func start() {
    // A phone that left the network says no goodbye.
    transport.socket.keepAlive(after: .seconds(60), every: .seconds(15))
    if comesFromBalancer {
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

  func admit() {
    guard isAdmitted else {
      warnOfStranger()
      return close()
    }
    refreshLane()
    if listener.settings.tlsNames == nil { serveListener() } else { beginListenerTLS() }
  }

  /// What the listener is for begins.
  private func serveListener() {
    switch listener.settings.mode {
    case .explicit: serve(.proxy)
    case .reverse(let origin): serve(.reverse(origin))
    case .socks5: beginSOCKS()
    case .transparent: beginTransparent()
    }
  }

  private var isAdmitted: Bool {
    listener.repetition != nil || generation.configuration.access.admits(clientAddress)
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

  /// The name that the credentials gave; lanes may depend on it.
  func use(user: String?) {
    guard user != self.user else { return }
    self.user = user
    refreshLane()
  }

  private func refreshLane() {
    guard listener.repetition == nil else {
      // A lane that a reload took away decides on what began before.
      lane = generation.configuration.lanes[listener.settings.lane] ?? lane
      return
    }
    lane = generation.configuration.lane(client: clientAddress, listenerLane: listener.settings.lane, user: user)
  }

  /// A reload took place: what begins now follows it.
  func generationChanged() {
    generation = worker.generation
    refreshLane()
  }

  // MARK: plans

  /// Counts a request of this client that has ended.
  func count(_ outcome: ExchangeOutcome) {
    worker.counters.exchangeEnded(outcome)
    laneCounters.exchangeEnded(outcome)
  }

  /// The plan for a destination, as seen by this client.
  func plan(scheme: Scheme, target: HostPort, context: Context, dialled: IPAddress?) -> OriginPlan {
    worker.plan(
      for: OriginPlan.Key(
        scheme: scheme, host: target.host, port: target.port,
        context: lane.policy.ats.dependsOnContext ? context : .app, lane: ObjectIdentifier(lane),
        isGuarded: isGuarded, dialled: dialled), lane: lane)
  }

  /// This connection for closures that run on other threads and come back to its loop.
  var bound: LoopBound<ClientConnection> { LoopBound(self, on: worker.loop) }

  /// The target guard holds for clients that are not on loopback.
  private var isGuarded: Bool { listener.repetition?.isGuarded ?? TargetGuard.watches(clientAddress) }

  /// Whether the client must show credentials.
  var asksForCredentials: Bool { listener.repetition == nil && generation.gatekeeper.asksForCredentials }

  /// The context of a request: the lane's, the listener's, or told from its User-Agent; without one that of its tunnel.
  func context(userAgent: @autoclosure () -> ArraySlice<UInt8>?) -> Context {
    lane.context ?? listener.settings.context ?? userAgent().map(UserAgent.context) ?? tunnel?.agentContext ?? .app
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
    case (.head, .hello): heardNothing()
    case (_, .http2(let session)): session.idleTimedOut()
    case (.handshake, _):
      worker.counters.clientHandshake(.failed)
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

  /// Nobody waits for the answer to a repeated request any longer.
  func giveUp() {
    replay = nil
    if case .closed = stage { return }
    if case .http(let stream) = stage { stream.clientFailed() } else { close() }
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
    case .proxyHeader, .listenerTLS, .socks, .lingering: close()
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
    if unprovedSince != nil { firstBytesReceived() }
    switch stage {
    case .proxyHeader: readProxyHeader()
    case .listenerTLS(let progress): readListenerTLS(progress)
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
    if case .listenerTLS = stage { return serveListener() }
    guard case .securing = stage, let tunnel else { return }
    unprovedSince = worker.loop.now
    worker.counters.clientHandshake(transport.session?.negotiated?.resumed == true ? .resumed : .full)
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
    if unprovedSince != nil { securedFailed(failure) }
    switch stage {
    case .securing: handshakeFailed(failure)
    case .listenerTLS: listenerHandshakeFailed(failure)
    case .hello: leftUnused()
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
}
