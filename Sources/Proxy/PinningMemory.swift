import Names
import Synchronization

/// What all loops remember together of clients that refuse our certificate, lane by lane so that the clients of one cannot push out those of
/// another. It belongs to a generation: a reload begins anew. Asked and told once for each tunnel.
final class PinningMemory: Sendable {
  private let tables = Mutex<[String: PinningTable]>([:])

  /// See `PinningTable`; moments come from the clock of the loops, which is one for the machine.
  func refused(
    _ rejection: CertificateRejection, by client: IPAddress?, for host: Host, lane: String, at now: UInt64
  ) -> PinningSuspicion? {
    tables.withLock { $0[lane, default: PinningTable()].refused(rejection, by: client, for: host, at: now) }
  }

  func accepted(by client: IPAddress?, for host: Host, lane: String, at now: UInt64) {
    tables.withLock { $0[lane, default: PinningTable()].accepted(by: client, for: host, at: now) }
  }

  func suspicion(of client: IPAddress?, for host: Host, lane: String, at now: UInt64) -> PinningSuspicion? {
    tables.withLock { $0[lane]?.suspicion(of: client, for: host, at: now) }
  }
}
