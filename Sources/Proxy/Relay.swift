import Bytes
import EventLoop
import Policy

/// Who is told when a relay is over.
protocol RelayOwner: AnyObject {
  func relayEnded(_ relay: Relay, _ failure: TransportFailure?)
  /// What the client sent first must not pass. The relay is over; both transports are still open.
  func relayRefused(_ relay: Relay, _ refusal: Refusal)
}

/// Passes bytes between two transports as they are, half-closing each side when the other has ended. A blind tunnel, and what
/// follows a 101 response.
///
/// Each direction reads only while the other side takes what was read, so memory stays at the marks.
final class Relay: TransportDelegate {
  /// What is to become of the first bytes of the client.
  enum Inspection {
    case needMore
    case pass
    case refuse(Refusal)
  }

  let client: Transport
  let origin: Transport
  var sentByteCount: Int { sent + (plain?.sentByteCount ?? 0) }
  var receivedByteCount: Int { received + (plain?.receivedByteCount ?? 0) }
  private var sent = 0
  private var received = 0
  /// Does the work once both sides are plain and nothing is to be looked at any more.
  private var plain: PlainRelay?
  private var owner: (any RelayOwner)?
  private var hasEndedTowardsOrigin = false
  private var hasEndedTowardsClient = false
  private var idle: Timer?
  private let idleTimeout: Duration
  private var inspector: ((UnsafeRawBufferPointer) -> Inspection)?

  init(client: Transport, origin: Transport, idleTimeout: Duration, owner: any RelayOwner) {
    self.client = client
    self.origin = origin
    self.idleTimeout = idleTimeout
    self.owner = owner
  }

  /// - Parameter inspector: asked about the client's first bytes until it knows; nothing of the client passes before that.
  func start(inspecting inspector: ((UnsafeRawBufferPointer) -> Inspection)? = nil) {
    self.inspector = inspector
    let timer = Timer(loop: client.loop) { [weak self] in self?.end(nil) }
    idle = timer
    timer.start(after: idleTimeout)
    client.attach(to: self)
    origin.attach(to: self)
    transportReceived(client)
    if owner != nil { transportReceived(origin) }
  }

  /// Closes both sides.
  func end(_ failure: TransportFailure?) {
    guard let owner else { return }
    self.owner = nil
    inspector = nil
    idle?.cancel()
    idle = nil
    plain?.stop()
    client.closeAfterFlush()
    origin.closeAfterFlush()
    owner.relayEnded(self, failure)
  }

  func transportReceived(_ transport: Transport) {
    guard owner != nil else { return }
    idle?.start(after: idleTimeout)
    let other = transport === client ? origin : client
    guard !other.isCongested else { return }
    if transport === client, inspector != nil, !mayPass(transport) { return }
    if inspector == nil, client.isBare, origin.isBare { return goPlain() }
    let bytes = transport.received.bytes
    if transport === client { sent += bytes.count } else { received += bytes.count }
    other.write(bytes)
    transport.received.removeAll()
    if transport.hasEnded { passEnd(from: transport, to: other) } else { transport.resumeReading() }
  }

  /// The sockets speak to each other from now on.
  private func goPlain() {
    guard plain == nil else { return }
    let towardsOrigin = origin.handOver()
    let towardsClient = client.handOver()
    sent += client.received.count
    received += origin.received.count
    client.received.move(client.received.count, to: towardsOrigin)
    origin.received.move(origin.received.count, to: towardsClient)
    client.releaseMemory()
    origin.releaseMemory()
    let plain = PlainRelay(
      client: client.socket, origin: origin.socket, towardsOrigin: towardsOrigin, towardsClient: towardsClient,
      passed: { [weak self] in self?.passed() }, ended: { [weak self] in self?.end($0) })
    self.plain = plain
    plain.start()
  }

  /// Something moved: the tunnel is not idle.
  private func passed() {
    idle?.start(after: idleTimeout)
  }

  private func mayPass(_ transport: Transport) -> Bool {
    switch inspector?(transport.received.bytes) {
    case .needMore where !transport.hasEnded && transport.received.count < Transport.highMark:
      transport.resumeReading()
      return false
    case .refuse(let refusal):
      inspector = nil
      guard let owner else { return false }
      self.owner = nil
      idle?.cancel()
      idle = nil
      owner.relayRefused(self, refusal)
      return false
    default:
      inspector = nil
      return true
    }
  }

  func transportDrained(_ transport: Transport) {
    transportReceived(transport === client ? origin : client)
  }

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    end(failure)
  }

  private func passEnd(from transport: Transport, to other: Transport) {
    if transport === client {
      guard !hasEndedTowardsOrigin else { return }
      hasEndedTowardsOrigin = true
    } else {
      guard !hasEndedTowardsClient else { return }
      hasEndedTowardsClient = true
    }
    other.endOutput()
    if hasEndedTowardsOrigin, hasEndedTowardsClient { end(nil) }
  }
}
