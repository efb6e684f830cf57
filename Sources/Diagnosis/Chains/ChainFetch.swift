import Bytes
import EventLoop
import Names
import Policy
import TLS

/// Gets the certificates of a server: a TLS handshake that ends as soon as they are there. No request and no client certificate is sent, and
/// the server need not be trusted. Confined to its loop.
public final class ChainFetch {
  private let target: HostPort
  private let place: HostPort
  private let anchors: TrustStore
  private let loop: EventLoop
  private let resolver: Resolver
  private let done: (Result<PresentedChain, ChainFetchFault>) -> Void
  private let outbound = ByteQueue()
  private let inbound = ByteQueue()
  private var address = ""
  private var peer: PresentedPeer?
  private var lookup: ResolveToken?
  private var dial: DialAttempt?
  private var deadline: Timer?
  private var socket: Socket?
  private var session: TLSSession?
  private var isOver = false

  /// Asks for the certificates of `target`.
  ///
  /// - Parameters:
  ///   - place: where to connect: the target itself, or what `upstream.resolve` has for it.
  ///   - anchors: what the chain is held against.
  ///   - timeout: for name, TCP and TLS together.
  public static func chain(
    of target: HostPort, at place: HostPort, anchors: TrustStore, timeout: Duration
  ) async -> Result<PresentedChain, ChainFetchFault> {
    let loop: EventLoop
    do throws(SystemError) {
      loop = try EventLoop(name: "chain")
    } catch {
      return .failure(.system("\(error)"))
    }
    loop.start()
    let result = await withCheckedContinuation { continuation in
      loop.submit {
        guard let loop = EventLoop.current else { return }
        ChainFetch(target, place, anchors, loop) { continuation.resume(returning: $0) }.start(timeout)
      }
    }
    loop.stop()
    return result
  }

  private init(
    _ target: HostPort, _ place: HostPort, _ anchors: TrustStore, _ loop: EventLoop,
    _ done: @escaping (Result<PresentedChain, ChainFetchFault>) -> Void
  ) {
    self.target = target
    self.place = place
    self.anchors = anchors
    self.loop = loop
    resolver = Resolver(loop: loop)
    self.done = done
  }

  /// The timer and the callbacks keep it alive until it has called back.
  private func start(_ timeout: Duration) {
    let timer = Timer(loop: loop) { self.end(.failure(.timeout)) }
    timer.start(after: timeout)
    deadline = timer
    lookup = resolver.resolve(place.host.text, timeout: timeout) { self.resolved($0) }
  }

  private func resolved(_ result: Result<[SocketAddress], ResolveFault>) {
    lookup = nil
    switch result {
    case .failure(let fault): end(.failure(.notFound(fault)))
    case .success(let addresses):
      dial = Dialer.dial(addresses.map { $0.with(port: place.port) }, on: loop) { self.dialled($0) }
    }
  }

  private func dialled(_ result: Result<Socket, DialFault>) {
    dial = nil
    switch result {
    case .failure(let fault): end(.failure(.unreachable(fault)))
    case .success(let socket):
      self.socket = socket
      address = socket.peer.map { "\($0)" } ?? "\(place)"
      socket.handler = self
      do throws(TLSFailure) {
        session = try TLSClientContext(Self.parameters).makeSession(
          serverName: target.host, alpn: ["h2", "http/1.1"], judge: self, identities: [], ticket: nil,
          outbound: outbound)
        advance()
        socket.requeue()
      } catch {
        end(.failure(.handshake(error)))
      }
    }
  }

  /// Everything is offered, so that old servers show their certificates too.
  private static let parameters = TLSClientParameters(
    minimumVersion: .v10, maximumVersion: .v13,
    cipherSuites: ATSRequirements.unrestricted(os: OSVersion(major: 18, minor: 4)).cipherSuites
      + ATSRequirements.foreignSuites, allowsLateAuthentication: false)

  private func advance() {
    guard let session else { return }
    do throws(TLSFailure) {
      let used = try session.advance(inbound.bytes).used
      inbound.consume(used)
    } catch {
      return concluded(error)
    }
    if peer != nil { return concluded(.refusedByJudge) }
    send()
  }

  private func concluded(_ failure: TLSFailure) {
    send()
    guard let peer else { return end(.failure(.handshake(failure))) }
    end(.success(PresentedChain(target: target, address: address, peer: peer, anchors: anchors)))
  }

  private func send() {
    guard let socket, !outbound.isEmpty else { return }
    _ = socket.write(from: outbound)
  }

  private func end(_ result: Result<PresentedChain, ChainFetchFault>) {
    guard !isOver else { return }
    isOver = true
    deadline?.invalidate()
    lookup?.cancel()
    dial?.cancel()
    socket?.close()
    resolver.close()
    done(result)
  }
}

extension ChainFetch: SocketHandler {
  public func socketReady(_ socket: Socket) {
    send()
    while !isOver {
      switch socket.read(into: loop.readBuffer) {
      case .bytes(let count):
        inbound.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(loop.readBuffer)[..<count]))
        advance()
      case .wouldBlock: return
      case .ended, .failed: end(.failure(.closed))
      }
    }
  }
}

extension ChainFetch: TLSPeerJudge {
  /// Looks, and ends the handshake.
  public func judge(_ peer: PresentedPeer) -> Bool {
    self.peer = peer
    return false
  }

  public func tookTicket(_ ticket: TLSTicket) {}
}
