import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import TLS

/// Fetches the certificates at one location over plain HTTP. Confined to its loop; keeps itself alive until its end.
///
/// Bounded in time and bytes; no redirection is followed. It goes where the client that needs it could go: not to our own listeners, and
/// for a client behind the target guard not to this machine or its links; `upstream.resolve` counts as for origins.
final class IssuerFetch {
  private static let timeLimit = Duration.seconds(5)
  private static let byteLimit = 64 << 10
  private static let headLimits = HTTP1Limits(headByteCount: 16 << 10, fieldCount: 100)

  private let location: TargetURL
  private let plan: OriginPlan
  private let worker: Worker
  private var done: ((Result<[Certificate], IssuerFault>) -> Void)?
  private var deadline: Timer?
  private var lookup: ResolveToken?
  private var dial: DialAttempt?
  private var transport: Transport?
  private var decoder = HTTP1ResponseDecoder(limits: headLimits)
  private var content: [UInt8] = []

  /// - Parameter done: called once on the loop, never inside `start`.
  init(
    _ location: TargetURL, plan: OriginPlan, worker: Worker,
    _ done: @escaping (Result<[Certificate], IssuerFault>) -> Void
  ) {
    self.location = location
    self.plan = plan
    self.worker = worker
    self.done = done
  }

  func start() {
    let timer = Timer(loop: worker.loop) { self.fail("it took longer than \(Self.timeLimit.components.seconds) s") }
    timer.start(after: Self.timeLimit)
    deadline = timer
    let target = mapped ?? HostPort(host: location.host, port: location.port)
    if let address = target.host.address {
      return connect(to: [SocketAddress(ip: address.bytes, port: target.port)].compactMap { $0 })
    }
    lookup = worker.resolver.resolve(target.host.text, timeout: Self.timeLimit) { result in
      self.lookup = nil
      guard case .success(let addresses) = result else { return self.fail("its host is not found") }
      self.connect(to: addresses.compactMap { $0.ipBytes.flatMap { SocketAddress(ip: $0, port: target.port) } })
    }
  }

  private var mapped: HostPort? {
    plan.generation.configuration.upstream.resolve[HostPort(host: location.host, port: location.port)]
  }

  // MARK: connecting

  private func connect(to addresses: [SocketAddress]) {
    guard done != nil else { return }
    let permitted = addresses.filter { isPermitted($0) }
    guard !permitted.isEmpty else {
      return worker.loop.performSoon { self.fail("its address is closed to the client") }
    }
    dial = Dialer.dial(permitted, on: worker.loop) { result in
      self.dial = nil
      switch result {
      case .success(let socket): self.ask(over: socket)
      case .failure: self.fail("its host cannot be connected to")
      }
    }
  }

  private func isPermitted(_ address: SocketAddress) -> Bool {
    guard !worker.isOwnListener(address), let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)) else { return false }
    guard plan.key.isGuarded, mapped == nil else { return true }
    return !plan.generation.targetGuard.prohibits(ip, allowed: [])
  }

  private func ask(over socket: Socket) {
    guard done != nil else { return socket.close() }
    let transport = Transport(socket, on: worker.loop)
    self.transport = transport
    decoder.expect(.get)
    let host =
      location.port == location.scheme.defaultPort
      ? location.host.bracketed : "\(location.host.bracketed):\(location.port)"
    transport.outgoing.append(
      "GET \(location.pathAndQuery) HTTP/1.1\r\nHost: \(host)\r\nAccept: */*\r\nConnection: close\r\n\r\n")
    transport.scheduleFlush()
    transport.attach(to: self)
    transport.resumeReading()
  }

  // MARK: reading

  private func read(_ transport: Transport) {
    do throws(HTTPFault) {
      while done != nil {
        var event = try decoder.next(transport.received)
        if event == .needMore {
          guard transport.hasEnded else { return transport.resumeReading() }
          event = try decoder.inputEnded(transport.received)
        }
        try handle(event, transport)
      }
    } catch {
      fail("the answer is no HTTP: \(error.reason)")
    }
  }

  private func handle(_ event: HTTP1ResponseDecoder.Event, _ transport: Transport) throws(HTTPFault) {
    switch event {
    case .informational, .trailers: break
    case .head(let head, _):
      if head.status != 200 { fail("the answer has the status \(head.status)") }
    case .body(let count):
      guard content.count + count <= Self.byteLimit else {
        return fail("the answer is larger than \(Self.byteLimit >> 10) KiB")
      }
      content += transport.received.bytes.prefix(count)
      transport.received.consume(count)
      decoder.consumed(count)
    case .end: parse()
    case .needMore, .closed: fail("the connection ended without an answer")
    }
  }

  private func parse() {
    do throws(TLSFileFault) {
      end(.success(try Certificate.parse(issuers: content)))
    } catch {
      fail("the answer holds no certificate: \(error)")
    }
  }

  // MARK: ending

  private func fail(_ reason: String) {
    end(.failure(IssuerFault(reason)))
  }

  private func end(_ outcome: Result<[Certificate], IssuerFault>) {
    guard let done else { return }
    self.done = nil
    deadline?.invalidate()
    deadline = nil
    lookup?.cancel()
    lookup = nil
    dial?.cancel()
    dial = nil
    transport?.close()
    transport = nil
    done(outcome)
  }
}

extension IssuerFetch: TransportDelegate {
  func transportReceived(_ transport: Transport) {
    read(transport)
  }

  func transportDrained(_ transport: Transport) {}

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    fail("the connection broke")
  }
}
