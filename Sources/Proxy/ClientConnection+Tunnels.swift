import Authority
import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// Tunnels: what follows a CONNECT, a SOCKS request or a redirected connection, up to the first request inside.
extension ClientConnection {
  /// A tunnel was asked for and the decision permits it. `answer` is sent first.
  func open(_ target: TunnelTarget, plan: OriginPlan, reply: ConnectReply) {
    tunnel = target
    let isInternal = target.target.host.text == InternalHost.name
    if plan.decision.action == .bypass, !isInternal {
      return relay(target, plan: plan, reply: reply, hello: nil)
    }
    reply.succeed(transport)
    // The TLS of a listener carries what follows.
    transport.nest()
    stage = .hello
    arm(.head)
    if failsOpen(plan, target) { return readHello() }
    // Port 80 speaks plain HTTP or WebSocket, whatever the asker said.
    if target.target.port != 80, !isInternal { prepared = worker.prepare(plan) }
    if target.target.host.address == nil { generation.leaves.leaf(for: target.target.host) { _ in } }
    readHello()
  }

  func relay(
    _ target: TunnelTarget, plan: OriginPlan, reply: ConnectReply, hello: ClientHello?,
    cause: BlindTunnel.Cause = .decision
  ) {
    let blind = BlindTunnel(
      connection: self, plan: plan, target: target, reply: reply, hello: hello, cause: cause)
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

  func readHello() {
    guard case .hello = stage, let tunnel else { return }
    if !transport.received.isEmpty, isOwnConnection { return refuseOwnConnection() }
    switch ProtocolSniffer.classify(transport.received.bytes) {
    case .needMore:
      waitForHello()
    case .tls:
      readClientHello(tunnel)
    case .http1:
      // Plain HTTP inside the tunnel: each request is judged by the cleartext rules.
      serveTunnel(.tunnel(tunnel.with(scheme: .http)))
    case .http2Preface:
      refuseInTunnel(plainHTTP: tunnel)
    case .other:
      receivedUnknownProtocol(tunnel, detail: "What came through the tunnel is neither TLS nor HTTP.")
    }
  }

  func readClientHello(_ tunnel: TunnelTarget) {
    switch ClientHello.parse(transport.received.bytes) {
    case .needMore:
      waitForHello()
    case .notTLS:
      receivedUnknownProtocol(
        tunnel, detail: "What came through the tunnel is a TLS record that holds no valid ClientHello.")
    case .hello(let hello):
      self.hello = hello
      helloReceived(hello, tunnel.named(by: hello.serverName))
    }
  }

  func waitForMore() {
    if transport.hasEnded { close() } else { transport.resumeReading() }
  }

  private func waitForHello() {
    if transport.hasEnded { leftUnused() } else { transport.resumeReading() }
  }

  func helloReceived(_ hello: ClientHello, _ named: TunnelTarget) {
    tunnel = named
    let plan = plan(scheme: .https, target: named.target, context: context(userAgent: nil), dialled: named.dialled)
    switch plan.decision.action {
    case .bypass where named.kind == .transparent || named.kind == .socks:
      return relay(named, plan: plan, reply: .silent, hello: hello)
    case .deny where named.kind == .transparent:
      recordTunnel(named, detail: plan.decision.refusal?.detail ?? "refused")
      return refuseHandshake()
    case .intercept where failsOpen(plan, named):
      return relay(named, plan: plan, reply: .silent, hello: hello, cause: .suspectedPinning)
    default: break
    }
    stage = .waiting
    guard plan.requirements?.onTrustFailure == .refuse, named.target.host.text != InternalHost.name else {
      return obtainLeaf(named)
    }
    // Trust parity: the client must see a failed handshake, so the verdict comes first. Its dial has a limit of its own.
    disarm()
    if let failure = takePreparedFailure(of: plan) { return verdictArrived(failure, named) }
    let scout = TrustScout(plan: plan, worker: worker) { [weak self] failure in
      self?.verdictArrived(failure, named)
    }
    scout.start()
  }

  func verdictArrived(_ failure: OriginFailure?, _ target: TunnelTarget) {
    guard case .waiting = stage else { return }
    guard let failure else { return obtainLeaf(target) }
    let ending = RefusedHandshake(failure)
    if ending != .none { recordRefusedHandshake(failure, target) }
    switch ending {
    case .none: obtainLeaf(target)
    case .alert(let alert): refuseHandshake(alert)
    case .reset:
      transport.reset()
      close()
    }
  }

  // MARK: the leaf and the handshake

  func obtainLeaf(_ target: TunnelTarget) {
    arm(.handshake)
    let host = target.target.host
    if let leaf = generation.leaves.cached(host) { return secure(with: leaf.identity, target) }
    let me = bound
    generation.leaves.leaf(for: host) { result in
      me.onLoop { connection in connection.leafArrived(result, target) }
    }
  }

  func leafArrived(_ result: Result<MintedLeaf, MintFault>, _ target: TunnelTarget) {
    guard case .waiting = stage else { return }
    switch result {
    case .success(let leaf): secure(with: leaf.identity, target)
    case .failure(let fault):
      worker.shared.log.write(
        LogEvent(
          .error, "mint-failed", [("host", .text(target.target.host.text)), ("reason", .text(fault.description))]))
      refuseHandshake(TLSAlert.internalError)
    }
  }

  func secure(with leaf: Identity, _ target: TunnelTarget) {
    let session: TLSSession
    do {
      session = try generation.serverContext.makeSession(
        leaf: leaf, alpn: offersHTTP2(target) ? ["h2", "http/1.1"] : ["http/1.1"],
        resumptionScope: Digest.sha256(Array("\(target.target)".utf8)),
        outbound: transport.ciphertext)
    } catch {
      worker.shared.log.write(LogEvent(.error, "handshake-failed", [("reason", .text("\(error)"))]))
      return refuseHandshake(TLSAlert.internalError)
    }
    stage = .securing
    arm(.handshake)
    transport.secure(with: session)
  }

  /// Whether the client may speak HTTP/2: what it speaks does not depend on its origin, but a rule may forbid it.
  func offersHTTP2(_ target: TunnelTarget) -> Bool {
    let host = target.target
    return lane.policy.rules.attributes(host: host.host, port: host.port)?.http2 ?? true
  }

  /// Ends the handshake before it begins, with an alert in place of the ServerHello. What the client sent is read before the connection
  /// closes, so that no reset overtakes the alert.
  func refuseHandshake(_ alert: UInt8 = TLSAlert.handshakeFailure) {
    worker.counters.clientHandshake(.failed)
    TLSAlert.record(alert).withUnsafeBytes { transport.write($0) }
    linger()
  }

  func serveTunnel(_ role: HTTP1ClientStream.Role) {
    let stream = HTTP1ClientStream(connection: self, role: role)
    stage = .http(stream)
    arm(.head)
    stream.advance()
  }

  func refuseInTunnel(_ refusal: Refusal) {
    let stream = HTTP1ClientStream(connection: self, role: tunnel.map { .tunnel($0) } ?? .proxy)
    stage = .http(stream)
    stream.refuseUnread(refusal)
  }

  /// An HTTP/2 preface without TLS: nothing can be read of it without speaking HTTP/2, so it is refused as plain HTTP.
  func refuseInTunnel(plainHTTP tunnel: TunnelTarget) {
    refuseInTunnel(
      .cleartext(
        scheme: .http, host: tunnel.target.host, port: tunnel.target.port,
        reason: "HTTP/2 without TLS inside a tunnel is plain HTTP"))
  }

  // MARK: records

  func recordTunnel(_ target: TunnelTarget, isSuspectedPinning: Bool = false, detail: String?) {
    worker.record(
      TunnelRecord(
        ended: worker.loop.wallClock, lane: lane.name, client: clientText, target: "\(target.target)",
        sni: hello?.serverName, alpn: hello?.alpn ?? [], sentByteCount: 0, receivedByteCount: 0,
        duration: worker.loop.now &- acceptedAt, isSuspectedPinning: isSuspectedPinning, detail: detail))
  }

  func recordRefusedHandshake(_ failure: OriginFailure, _ target: TunnelTarget) {
    count(
      ExchangeOutcome(
        clientProtocol: .http11, status: nil, refusal: failure.refusal, violations: failure.ats?.violations))
    guard worker.wantsRecords else { return }
    let context = context(userAgent: nil)
    let plan = plan(scheme: .https, target: target.target, context: context, dialled: target.dialled)
    let isAboutNames = [.dnsError, .dnsTimeout].contains(failure.refusal.proxyError)
    // An origin that is not there was not decided about.
    let denial = failure.refusal.decidedBy
    var record = ExchangeRecord(
      started: worker.loop.wallClock, ended: worker.loop.wallClock, identifier: worker.nextIdentifier(),
      lane: lane.name, client: clientText, context: context, clientProtocol: "http/1.1", method: "CONNECT",
      url: RecordURL(scheme: "https", authority: plan.authorityText, path: [UInt8(ascii: "/")]), status: nil,
      action: denial == nil ? plan.decision.action : .deny,
      decidedBy: denial ?? (isAboutNames ? nil : plan.decision.decidedBy),
      rule: denial == nil && !isAboutNames ? plan.decision.rule : nil,
      ats: failure.ats ?? ATSVerdict(outcome: .off), os: lane.policy.osText)
    record.origin = failure.origin
    record.failure = ExchangeRecord.Failure(
      error: failure.refusal.error, proxyStatus: failure.refusal.proxyError, detail: failure.refusal.detail)
    record.timing.total = worker.loop.now &- acceptedAt
    worker.record(RecordedExchange(record: record, request: nil, response: nil))
  }
}
