import Configuration
import EventLoop
import HTTP
import Names
import Policy
import TLS

/// Runs one errand: name, TCP, the proxy on the way, TLS, and a request. It lives until it has called back. Confined to its loop.
final class Attempt: LineOwner {
  enum Stage {
    case name, tcp
    /// TLS with the proxy itself.
    case proxyTLS
    case proxyAnswer(HTTP1ResponseDecoder)
    case proxyNegotiation(SOCKS5Client)
    case tls
    case hello
    case response(HTTP1ResponseDecoder)
    case over
  }

  let errand: Errand
  let loop: EventLoop
  private let resolver: Resolver
  private let done: (Sighting) -> Void
  private let witness: PeerWitness
  private let proxyWitness: PeerWitness
  private var lookup: ResolveToken?
  private var dial: DialAttempt?
  private(set) var deadline: Timer?
  private(set) var session: TLSSession?
  var stage = Stage.name
  var sighting = Sighting()
  var line: Line?

  /// - Parameter done: called once, on the loop.
  init(_ errand: Errand, _ resolver: Resolver, on loop: EventLoop, done: @escaping (Sighting) -> Void) {
    self.errand = errand
    self.resolver = resolver
    self.loop = loop
    self.done = done
    witness = PeerWitness(errand.judge)
    proxyWitness = PeerWitness {
      [anchors = errand.anchors, host = errand.proxy?.address.host ?? errand.target.host] peer in
      guard let leaf = peer.chain.first else { return Errand.Judgement(isWelcome: false) }
      let result = ChainVerifier.evaluate(
        leaf: leaf, others: Array(peer.chain.dropFirst()), anchors: anchors, host: host, at: nil)
      return Errand.Judgement(isWelcome: result.isValid)
    }
  }

  func start() {
    let timer = Timer(loop: loop) { self.timedOut() }
    timer.start(after: errand.timeout)
    deadline = timer
    let stop = errand.firstStop
    lookup = resolver.resolve(stop.host.text, timeout: errand.timeout) { self.resolved($0, port: stop.port) }
  }

  // MARK: the way

  private func resolved(_ result: Result<[SocketAddress], ResolveFault>, port: UInt16) {
    lookup = nil
    switch result {
    case .failure(let fault): end(.unreachable(errand.refusal(for: fault)))
    case .success(let found):
      let addresses = found.map { $0.with(port: port) }
      stage = .tcp
      dial = Dialer.dial(addresses, on: loop) { self.dialled($0, first: addresses.first) }
    }
  }

  private func dialled(_ result: Result<Socket, DialFault>, first: SocketAddress?) {
    dial = nil
    switch result {
    case .failure(let fault): end(.unreachable(errand.refusal(for: fault, at: first)))
    case .success(let socket):
      sighting.address = (socket.peer ?? first).map { "\($0)" }
      let line = Line(socket, owner: self)
      self.line = line
      guard let proxy = errand.proxy else { return reachedOrigin(line) }
      proxy.kind == .https ? secureProxy(line, proxy) : reachedProxy(line, proxy)
    }
  }

  private func secureProxy(_ line: Line, _ proxy: UpstreamProxy) {
    stage = .proxyTLS
    secure(line, Self.proxyParameters, name: proxy.address.host, protocols: ["http/1.1"], proxyWitness, [])
  }

  /// What a proxy of today speaks.
  private static let proxyParameters = TLSClientParameters(
    minimumVersion: .v12, maximumVersion: .v13,
    cipherSuites: [
      "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
      "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ], allowsLateAuthentication: false)

  private func reachedOrigin(_ line: Line) {
    if let hello = errand.hello {
      stage = .hello
      return line.write(hello)
    }
    guard let offer = errand.offer else { return ask(line) }
    stage = .tls
    secure(line, offer, name: errand.target.host, protocols: errand.protocols, witness, errand.identities)
  }

  private func secure(
    _ line: Line, _ parameters: TLSClientParameters, name: Host, protocols: [String], _ judge: PeerWitness,
    _ identities: [Identity]
  ) {
    do throws(TLSFailure) {
      let context = try TLSClientContext(parameters)
      session = try line.secure { (queue) throws(TLSFailure) in
        try context.makeSession(
          serverName: name, alpn: protocols, judge: judge, identities: identities, ticket: nil, outbound: queue)
      }
    } catch {
      end(.refused(.internalError(detail: "TLS could not begin: \(error)")))
    }
  }

  func proxyPassed(_ line: Line) { reachedOrigin(line) }

  /// The proxy is there; asks it for the way to the origin.
  private func reachedProxy(_ line: Line, _ proxy: UpstreamProxy) {
    guard !errand.isForwarded else { return ask(line) }
    beginTunnel(line, proxy)
  }

  // MARK: events of the line

  func lineSecured(_ line: Line) {
    switch stage {
    case .proxyTLS: if let proxy = errand.proxy { reachedProxy(line, proxy) }
    case .tls:
      sighting.negotiated = session?.negotiated
      switch errand.request {
      case .always: ask(line)
      case .ifAskedForCertificate where session?.clientCertificateWasAsked == true: ask(line)
      case .ifAskedForCertificate, .none: end(nil)
      }
    default: break
    }
  }

  func lineReceived(_ line: Line) {
    switch stage {
    case .proxyAnswer(let decoder): readTunnelAnswer(line, decoder)
    case .proxyNegotiation(let client): negotiate(line, client)
    case .response(let decoder): readResponse(line, decoder)
    case .hello: readHello(line)
    case .name, .tcp, .proxyTLS, .tls, .over: break
    }
  }

  func lineBroke(_ line: Line, _ fault: LineFault) {
    switch stage {
    case .tls: end(handshakeFailure(fault))
    case .response: end(responseFailure(fault))
    case .hello: end(nil)
    case .proxyTLS, .proxyAnswer, .proxyNegotiation: end(.unreachable(errand.proxyRefusal(for: fault, at: stage)))
    case .name, .tcp, .over: break
    }
  }

  private func timedOut() {
    switch stage {
    case .response:
      sighting.responseFault = "nothing came for \(errand.timeout.seconds) s"
      end(nil)
    case .hello: end(nil)
    case .tls: end(.refused(.connectTimeout(host: errand.target.host, after: errand.timeout)))
    default: end(.unreachable(errand.timeoutRefusal))
    }
  }

  // MARK: the end

  func end(_ failure: Sighting.Failure?) {
    if case .over = stage { return }
    stage = .over
    lookup?.cancel()
    dial?.cancel()
    deadline?.invalidate()
    sighting.failure = failure
    sighting.certificates = witness.certificates
    sighting.facts = witness.judgement?.facts
    sighting.clientCertificate = errand.offer == nil ? nil : session?.clientCertificate.map(ClientCertificateFacts.init)
    line?.close()
    session = nil
    done(sighting)
  }
}
