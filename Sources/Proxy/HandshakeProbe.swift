import Configuration
import EventLoop
import Names
import Policy
import TLS

/// Learns which demand of App Transport Security an origin cannot meet. An origin that is offered only what the policy permits ends the
/// handshake without saying why; offered everything, it shows what it would have negotiated, and that is judged.
///
/// Nothing but a ClientHello and an alert is sent: the judgement ends the handshake before an identity or a request could go out. Confined
/// to its loop.
final class HandshakeProbe {
  private let plan: OriginPlan
  private let worker: Worker
  private let judge: OriginJudge
  private let done: (TrustVerdict?) -> Void
  private var dial: DialAttempt?
  private var transport: Transport?
  private var isOver = false

  /// - Parameter done: called once unless the probe is cancelled; nil when the origin showed nothing, or nothing that is refused.
  init(plan: OriginPlan, worker: Worker, done: @escaping (TrustVerdict?) -> Void) {
    self.plan = plan
    self.worker = worker
    self.done = done
    judge = OriginJudge(plan: plan, worker: worker, for: .probe)
  }

  func start(_ address: SocketAddress) {
    dial = Dialer.dial([address], on: worker.loop) { self.dialled($0) }
  }

  func cancel() {
    isOver = true
    dial?.cancel()
    dial = nil
    transport?.close()
    transport = nil
  }

  private func dialled(_ result: Result<Socket, DialFault>) {
    dial = nil
    guard case .success(let socket) = result else { return end() }
    guard !isOver else { return socket.close() }
    let transport = Transport(socket, on: worker.loop)
    self.transport = transport
    guard let context = worker.clientContext(for: Self.parameters(plan)),
      let session = try? context.makeSession(
        serverName: plan.key.host, alpn: ["http/1.1"], judge: judge, identities: [], ticket: nil,
        outbound: transport.ciphertext)
    else { return end() }
    transport.attach(to: self)
    transport.secure(with: session)
  }

  private static func parameters(_ plan: OriginPlan) -> TLSClientParameters {
    let open = ATSRequirements.unrestricted(os: plan.lane.policy.ats.os)
    return TLSClientParameters(
      minimumVersion: open.offeredMinimum, maximumVersion: .v13,
      cipherSuites: open.cipherSuites + ATSRequirements.foreignSuites,
      allowsLateAuthentication: false)
  }

  private func end() {
    guard !isOver else { return }
    cancel()
    done(judge.verdict.flatMap { $0.ats.outcome == .fail && !$0.isAccepted ? $0 : nil })
  }
}

extension HandshakeProbe: TransportDelegate {
  func transportSecured(_ transport: Transport) { end() }

  func transportReceived(_ transport: Transport) {
    if transport.hasEnded { end() }
  }

  func transportDrained(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) { end() }
}
