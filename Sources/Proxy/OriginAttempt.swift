import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// Who waits for a connection to an origin.
protocol OriginWaiter: AnyObject {
  /// The connection, or a stream of a shared one, is the waiter's.
  func originReady(_ origin: OriginStream)
  func originFailed(_ failure: OriginFailure)
  /// Another attempt serves the waiter instead.
  func waits(for attempt: OriginAttempt)
}

extension OriginWaiter {
  func waits(for attempt: OriginAttempt) {}
}

/// One try to reach an origin: name, TCP, TLS, and the verdict on what answered. Confined to its loop.
///
/// It may begin before anybody waits (at CONNECT); whoever claims it gets its outcome, and a connection that nobody claimed
/// goes to the idle ones of its plan. `upstream.connectTimeout` bounds all phases together.
final class OriginAttempt {
  enum Outcome {
    case connected
    case failed(OriginFailure)
  }

  let plan: OriginPlan
  private(set) var outcome: Outcome?
  private let layer: Layer
  let worker: Worker
  private var waiters: [any OriginWaiter] = []
  private var hasBegun = false
  private var lookup: ResolveToken?
  private var dial: DialAttempt?
  private var tunnel: UpstreamTunnel?
  private var transport: Transport?
  private var deadline: Timer?
  private var phase = Phase.name
  private var phaseBegan: UInt64
  private var timing = DialTiming()
  private var address: SocketAddress?
  /// Where it may connect to.
  private var permitted: [SocketAddress] = []
  let judge: OriginJudge
  /// How many issuers were fetched for it.
  var issuerFetchCount = 0
  private var probe: HandshakeProbe?

  /// How far up the connection is made, and what may be spoken over it.
  enum Layer { case tcp, http1, full }

  private enum Phase {
    case name, tcp, proxy, tls
    /// The handshake was refused for want of an issuer, which is being fetched; the failure is told if that takes too long.
    case issuer(OriginFailure)
    /// The origin ended the handshake, and a probe looks for a better reason; the failure is told if that takes too long.
    case explaining(OriginFailure)
    case over
  }

  /// - Parameter layer: `.tcp` for a blind tunnel, whose TLS is the client's.
  init(plan: OriginPlan, worker: Worker, layer: Layer = .full) {
    self.layer = layer
    self.plan = plan
    self.worker = worker
    judge = OriginJudge(plan: plan, worker: worker)
    phaseBegan = worker.loop.now
  }

  /// Begins, unless it has begun. The outcome may be there when this returns.
  func start() {
    guard !hasBegun else { return }
    hasBegun = true
    if layer == .full { plan.attempt = self }
    // The closures hold the attempt: it lives until its outcome, even if nobody waits.
    let timer = Timer(loop: worker.loop) { self.timedOut() }
    timer.start(after: plan.connectTimeout)
    deadline = timer
    if plan.proxy != nil, let obstacle = plan.obstacle(worker) {
      return fail(OriginFailure(refusal: obstacle))
    }
    switch plan.destination {
    case .addresses(let addresses):
      connect(to: addresses)
    case .name(let name, let port):
      lookup = worker.resolver.resolve(name, timeout: plan.connectTimeout) {
        result in
        self.resolved(result, port: port)
      }
    }
  }

  /// Nobody waits for its connection yet.
  var isUnclaimed: Bool { waiters.isEmpty && outcome == nil }

  /// Whoever claims an attempt gets its connection or its failure. If several wait and the origin does not share a connection, the
  /// first gets it and the others begin anew.
  func claim(_ waiter: any OriginWaiter) {
    waiters.append(waiter)
  }

  /// The claimant is gone; the attempt goes on for whoever comes next.
  func release(_ waiter: any OriginWaiter) {
    waiters.removeAll { $0 === waiter }
  }

  /// A connection that was doubted is alive: whoever waits gets a stream of it, and the dial is not needed any more.
  func yield(to shared: HTTP2Origin) {
    if case .over = phase { return }
    let all = waiters
    waiters = []
    for waiter in all {
      if shared.acceptsStreams { waiter.originReady(.http2(shared.open())) } else { waiters.append(waiter) }
    }
    guard waiters.isEmpty else { return }
    end()
    transport?.close()
    transport = nil
  }

  // MARK: name and TCP

  private func resolved(_ result: Result<[SocketAddress], ResolveFault>, port: UInt16) {
    guard case .name = phase else { return }
    lookup = nil
    timing.dns = takePhaseTime()
    switch result {
    case .success(let addresses):
      connect(to: addresses.compactMap { $0.ipBytes.flatMap { SocketAddress(ip: $0, port: port) } })
    case .failure(let fault):
      fail(OriginFailure(refusal: plan.refusal(for: fault)))
    }
  }

  private func connect(to addresses: [SocketAddress]) {
    phase = .tcp
    guard !addresses.contains(where: worker.isOwnListener) else {
      return fail(OriginFailure(refusal: .loop(.ownListener, host: plan.proxy?.address.host ?? plan.key.host)))
    }
    let permitted = addresses.filter { address in
      // Whoever names a proxy means it; what it connects to is its own business.
      plan.proxy != nil || address.ipBytes.flatMap(IPAddress.init(bytes:)).map { !plan.isProhibited($0) } ?? true
    }
    guard !permitted.isEmpty else {
      let refused = addresses.first.flatMap { $0.ipBytes.flatMap(IPAddress.init(bytes:)) }
      return fail(
        OriginFailure(
          refusal: refused.map { .destinationProhibited(host: plan.key.host, address: $0) }
            ?? .nameNotFound(host: plan.key.host)))
    }
    self.permitted = permitted
    dial(permitted)
  }

  private func dial(_ addresses: [SocketAddress]) {
    phase = .tcp
    dial = Dialer.dial(addresses, on: worker.loop) { self.dialled($0, among: addresses) }
  }

  private func dialled(_ result: Result<Socket, DialFault>, among addresses: [SocketAddress]) {
    dial = nil
    guard case .tcp = phase else {
      if case .success(let socket) = result { socket.close() }
      return
    }
    timing.connect = takePhaseTime()
    switch result {
    case .success(let socket):
      address = socket.peer ?? addresses.first
      if addresses.count > 1, let address, case .name(let name, _) = plan.destination {
        worker.resolver.worked(address, for: name)
      }
      worker.shared.ownConnections.opened(socket)
      let transport = Transport(socket, on: worker.loop)
      self.transport = transport
      connected(to: transport)
    case .failure(let fault):
      fail(OriginFailure(refusal: plan.refusal(for: fault, at: addresses.first)))
    }
  }

  /// The connection stands: to the origin, or to the proxy on the way.
  private func connected(to transport: Transport) {
    guard let proxy = plan.proxy else { return reached(transport) }
    phase = .proxy
    let tunnel = UpstreamTunnel(
      proxy, to: HostPort(host: plan.key.host, port: plan.key.port),
      for: plan.forwarding(on: layer) == nil ? .tunnel : .forwarding, over: transport, plan: plan, worker: worker
    ) { refusal in
      self.proxyAnswered(refusal)
    }
    self.tunnel = tunnel
    tunnel.start()
  }

  private func proxyAnswered(_ refusal: Refusal?) {
    guard case .proxy = phase, let transport else { return }
    tunnel = nil
    timing.connect = (timing.connect ?? 0) + takePhaseTime()
    if let refusal { return fail(OriginFailure(refusal: refusal, origin: originFacts(nil))) }
    reached(transport)
  }

  /// The origin is on the other side.
  private func reached(_ transport: Transport) {
    if plan.requirements == nil || layer == .tcp { return connectedHTTP1(transport) }
    secure(transport)
  }

  // MARK: TLS

  private func secure(_ transport: Transport) {
    phase = .tls
    guard let context = worker.clientContext(for: plan.parameters) else {
      return fail(OriginFailure(refusal: .internalError(detail: "The TLS settings for this origin cannot be used.")))
    }
    let session: TLSSession
    do {
      session = try context.makeSession(
        serverName: plan.key.host, alpn: plan.offersHTTP2 && layer == .full ? ["h2", "http/1.1"] : ["http/1.1"],
        judge: judge, identities: plan.identities,
        ticket: judge.takeTicket(),
        outbound: transport.ciphertext)
    } catch {
      return fail(OriginFailure(refusal: .internalError(detail: "A TLS session could not be made: \(error)")))
    }
    transport.attach(to: self)
    transport.secure(with: session)
  }

  private func handshakeFailed(_ failure: TransportFailure) {
    worker.counters.originHandshake(.failed)
    let session = transport?.session
    var result = OriginFailure(
      refusal: ClientCertificateRefusal.closed(answer: session?.clientCertificate, host: plan.key.host),
      ats: judge.verdict?.ats,
      origin: originFacts(session))
    switch failure {
    case .system:
      break
    case .tls(.truncated):
      break
    case .tls(let fault):
      result.refusesHTTP1 = layer == .http1 && fault == .alert(120)
      if fault == .refusedByJudge, let refusal = judge.verdict?.refusal {
        result.refusal = refusal
        result.isTrustFailure = true
        if fetchIssuer(or: result) { return }
      } else if let refusal = ClientCertificateRefusal.refusal(
        for: fault, answer: session?.clientCertificate, host: plan.key.host)
      {
        result.refusal = refusal
      } else if let judged = plan.requirements?.judge(handshake: HandshakeFault(fault)) {
        result.ats = judged.ats
        result.refusal = judged.refusal ?? result.refusal
        result.isTrustFailure = judged.refusal != nil
        result.alert = fault.endingAlert
        if judged.ats.outcome == .fail { return explain(result, HandshakeFault(fault)) }
      }
    }
    fail(result)
  }

  /// App Transport Security narrowed the offer, and the origin ended the handshake: finds out what it lacks, once for each kind of end.
  /// Behind another proxy it stays unknown, since the address is that proxy's.
  private func explain(_ failure: OriginFailure, _ fault: HandshakeFault) {
    guard plan.requirements?.atsMode == .enforce, plan.proxy == nil, let address else { return fail(failure) }
    if let known = plan.explained[fault] { return fail(failure.explained(by: known)) }
    transport?.close()
    transport = nil
    phase = .explaining(failure)
    let probe = HandshakeProbe(plan: plan, worker: worker) { [plan] verdict in
      if let verdict { plan.explained[fault] = verdict }
      self.fail(failure.explained(by: verdict))
    }
    self.probe = probe
    probe.start(address)
  }

  /// What the record tells of an origin that was reached.
  private func originFacts(_ session: TLSSession?) -> ExchangeRecord.Origin? {
    guard let address else { return nil }
    return ExchangeRecord.Origin(
      address: "\(address)", proxy: plan.proxyText, isReused: false,
      tls: session?.negotiated.map(ExchangeRecord.TLS.init),
      pins: judge.verdict?.pins ?? [], matchedPin: judge.verdict?.matchedPin, identity: session?.sentIdentity?.name
    ).telling(of: session).judged(by: judge.verdict)
  }

  // MARK: outcome

  private func connected(_ transport: Transport) {
    guard transport.session?.negotiated?.alpn == "h2" else {
      // Where HTTP/1.1 alone was offered, this says nothing.
      if layer == .full { plan.learned(.http1) }
      return connectedHTTP1(transport)
    }
    plan.learned(.http2)
    let shared: HTTP2Origin
    do throws(HTTP2Fault) {
      shared = try HTTP2Origin(
        plan: plan, worker: worker, transport: transport, address: addressText, judge: judge, timing: timing)
    } catch {
      return fail(OriginFailure(refusal: .internalError(detail: error.reason)))
    }
    end()
    outcome = .connected
    worker.counters.originOpened(.http2)
    plan.share(shared)
    let all = waiters
    waiters = []
    for waiter in all {
      if shared.acceptsStreams { waiter.originReady(.http2(shared.open())) } else { begin(anew: waiter) }
    }
  }

  private func connectedHTTP1(_ transport: Transport) {
    end()
    let connection = OriginConnection(
      plan: plan, worker: worker, transport: transport, address: addressText, judge: judge, timing: timing,
      forwarding: plan.forwarding(on: layer))
    outcome = .connected
    worker.counters.originOpened(layer == .tcp ? .tunnel : .http1)
    guard !waiters.isEmpty else { return connection.becomeIdle() }
    let first = waiters.removeFirst()
    let others = waiters
    waiters = []
    first.originReady(.http1(connection))
    for waiter in others { begin(anew: waiter) }
  }

  /// For a waiter that this attempt could not serve.
  private func begin(anew waiter: any OriginWaiter) {
    let attempt = OriginAttempt(plan: plan, worker: worker, layer: layer)
    attempt.claim(waiter)
    waiter.waits(for: attempt)
    attempt.start()
  }

  private var addressText: String { address.map { "\($0)" } ?? "" }

  func fail(_ failure: OriginFailure) {
    var failure = failure
    failure.timing = timing
    end()
    transport?.close()
    transport = nil
    outcome = .failed(failure)
    let all = waiters
    waiters = []
    for waiter in all { waiter.originFailed(failure) }
  }

  private func timedOut() {
    switch phase {
    case .over: return
    case .issuer(let failure), .explaining(let failure): return fail(failure)
    case .tls: worker.counters.originHandshake(.failed)
    default: break
    }
    fail(
      OriginFailure(
        refusal: plan.timeout, ats: nil,
        origin: originFacts(transport?.session)))
  }

  private func end() {
    phase = .over
    if plan.attempt === self { plan.attempt = nil }
    deadline?.cancel()
    deadline = nil
    lookup?.cancel()
    lookup = nil
    dial?.cancel()
    dial = nil
    tunnel = nil
    probe?.cancel()
    probe = nil
  }

  // MARK: missing issuers

  var isFetchingIssuer: Bool {
    if case .issuer = phase { true } else { false }
  }

  func beginFetchingIssuer(_ failure: OriginFailure) {
    phase = .issuer(failure)
    transport?.close()
    transport = nil
  }

  func dialAgain() {
    phaseBegan = worker.loop.now
    dial(permitted)
  }

  private func takePhaseTime() -> UInt64 {
    let now = worker.loop.now
    defer { phaseBegan = now }
    return now &- phaseBegan
  }
}

extension OriginAttempt: TransportDelegate {
  func transportSecured(_ transport: Transport) {
    guard case .tls = phase else { return }
    timing.tls = takePhaseTime()
    worker.counters.originHandshake(transport.session?.negotiated?.resumed == true ? .resumed : .full)
    guard judge.verdict?.isAccepted == true else {
      return fail(OriginFailure(refusal: .internalError(detail: "A TLS session without a verdict was refused.")))
    }
    connected(transport)
  }

  func transportReceived(_ transport: Transport) {
    guard case .tls = phase, transport.hasEnded else { return }
    handshakeFailed(.tls(.truncated))
  }

  func transportDrained(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    guard case .tls = phase else { return }
    handshakeFailed(failure)
  }
}
