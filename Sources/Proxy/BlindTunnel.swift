import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// A tunnel whose bytes pass as they are: dialled at once, answered when the origin has accepted, recorded at its end.
///
/// If the client speaks first, its first bytes are looked at and not changed: a ClientHello gives SNI and ALPN for the record;
/// plain HTTP is judged by the cleartext rules (contract, section 3, steps 7 and 8).
final class BlindTunnel {
  /// Why the bytes pass unseen.
  enum Cause {
    case decision
    /// The client seems to pin the host, and its lane fails open.
    case suspectedPinning
  }

  private let connection: ClientConnection
  private let plan: OriginPlan
  private let target: TunnelTarget
  private let reply: ConnectReply
  private let cause: Cause
  private let began: UInt64
  private var attempt: OriginAttempt?
  private var relay: Relay?
  private var hello: ClientHello?

  init(
    connection: ClientConnection, plan: OriginPlan, target: TunnelTarget, reply: ConnectReply, hello: ClientHello?,
    cause: Cause
  ) {
    self.connection = connection
    self.plan = plan
    self.target = target
    self.reply = reply
    self.hello = hello
    self.cause = cause
    began = connection.worker.loop.now
  }

  func start() {
    connection.worker.counters.tunnelOpened()
    connection.laneCounters.tunnelOpened()
    let attempt = OriginAttempt(plan: plan, worker: connection.worker, layer: .tcp)
    self.attempt = attempt
    attempt.claim(self)
    attempt.start()
  }

  /// The client has gone, or the daemon ends.
  func abort() {
    attempt?.release(self)
    attempt = nil
    if let relay { return relay.end(nil) }
    record(detail: "ended before the origin was reached")
  }

  /// The client ended its side before the origin answered: nobody is left who could use the tunnel.
  func clientEnded() {
    abort()
    connection.close()
  }

  private func record(detail: String?) {
    connection.worker.counters.tunnelClosed(
      sentByteCount: relay?.sentByteCount ?? 0, receivedByteCount: relay?.receivedByteCount ?? 0)
    var record = TunnelRecord(
      ended: connection.worker.loop.wallClock, lane: connection.lane.name, client: connection.clientText,
      target: "\(target.target)", sni: hello?.serverName, alpn: hello?.alpn ?? [],
      sentByteCount: relay?.sentByteCount ?? 0, receivedByteCount: relay?.receivedByteCount ?? 0,
      duration: connection.worker.loop.now &- began, isSuspectedPinning: false, detail: detail)
    record.hasFailedOpen = cause == .suspectedPinning
    record.proxy = plan.proxyText
    connection.worker.record(record)
  }

  /// Looks at what the client sends first.
  private func inspect(_ bytes: UnsafeRawBufferPointer) -> Relay.Inspection {
    switch ProtocolSniffer.classify(bytes) {
    case .needMore: return .needMore
    case .other: return .pass
    case .http1, .http2Preface: return judgeCleartext()
    case .tls:
      switch ClientHello.parse(bytes) {
      case .needMore: return .needMore
      case .notTLS: return .pass
      case .hello(let hello):
        self.hello = hello
        return .pass
      }
    }
  }

  private func judgeCleartext() -> Relay.Inspection {
    let plain = connection.plan(
      scheme: .http, target: target.target, context: connection.context(userAgent: nil), dialled: target.dialled)
    guard plain.decision.action == .deny, let refusal = plain.decision.refusal else { return .pass }
    return .refuse(refusal)
  }
}

extension BlindTunnel: OriginWaiter {
  func originReady(_ stream: OriginStream) {
    attempt = nil
    guard case .http1(let origin) = stream else { return }
    let limits = connection.generation.configuration.limits
    let relay = Relay(
      client: connection.transport, origin: origin.handOver(), idleTimeout: limits.tunnelIdle, owner: self)
    self.relay = relay
    reply.succeed(connection.transport)
    connection.handOver(to: relay)
    relay.start(inspecting: hello == nil ? { [self] in inspect($0) } : nil)
  }

  func originFailed(_ failure: OriginFailure) {
    attempt = nil
    record(detail: failure.refusal.detail)
    connection.tunnelFailed(failure.refusal, reply: reply)
  }
}

extension BlindTunnel: RelayOwner {
  func relayEnded(_ relay: Relay, _ failure: TransportFailure?) {
    record(detail: failure.map { "\($0)" })
    connection.ended()
  }

  func relayRefused(_ relay: Relay, _ refusal: Refusal) {
    record(detail: refusal.detail)
    relay.origin.close()
    connection.refuseCleartext(refusal)
  }
}
