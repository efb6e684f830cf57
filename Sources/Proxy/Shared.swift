import Authority
import EventLoop
import HTTP
import Names
import Records
import Synchronization
import TLS

/// What all loops of the daemon share. Immutable, or guarded.
final class Shared: Sendable {
  let log: Log
  /// Takes records beside the log; nil: nobody does.
  let recorder: (any ExchangeRecorder)?
  /// Answers for `pinwarden.internal`.
  let site: any InternalSite
  /// The name of this instance in `Via`, by which loops are found.
  let pseudonym: String
  /// The whole member of `Via`.
  let via: String
  let connectionCount = Atomic<Int>(0)
  let ownListeners = OwnListeners()
  let ownConnections = OwnConnections()
  private let warned = Mutex<Set<String>>([])
  private static let warnedLimit = 10_000

  init(log: Log, site: any InternalSite, recorder: (any ExchangeRecorder)?) {
    self.log = log
    self.recorder = recorder
    self.site = site
    pseudonym = "pinwarden-" + RandomBytes.make(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    via = "1.1 \(pseudonym)"
  }

  /// Whether a Via field names this instance (RFC 9110, section 7.6.3).
  func hasPassedThisInstance(_ head: RequestHead) -> Bool {
    head.fields.contains(.via) && head.fields.values(.via).contains { $0.contains(pseudonym) }
  }

  /// An HTTP/2 client broke the protocol, or flooded it.
  func http2Failed(_ fault: HTTP2Fault, client: String, target: String) {
    log.write(
      LogEvent(
        fault.kind == .flood ? .warning : .info, "http2-failed",
        [
          ("client", .text(client)), ("target", .text(target)), ("code", .text("\(fault.code)")),
          ("reason", .text(fault.reason)),
        ]))
  }

  /// Writes a warning the first time that it comes up for `subject`. Bounded: when the memory is full it starts anew.
  func warnOnce(_ event: LogEvent, about subject: String) {
    let isNew = warned.withLock { known in
      if known.count >= Self.warnedLimit { known.removeAll() }
      return known.insert("\(event.name) \(subject)").inserted
    }
    if isNew { log.write(event) }
  }
}

/// The addresses on which this daemon listens, to find requests that would come back to it.
final class OwnListeners: Sendable {
  private struct Known {
    var exact: Set<SocketAddress> = []
    /// Ports of listeners on the unspecified address: they take every address of this machine.
    var ports: Set<UInt16> = []
    var addresses: Set<[UInt8]> = []
  }

  private let known = Mutex(Known())

  /// - Parameter machine: the addresses of this machine's interfaces.
  func use(_ listeners: [SocketAddress], machine: [IPAddress]) {
    var next = Known()
    next.addresses = Set(machine.map(\.bytes))
    for listener in listeners {
      guard let ip = listener.ipBytes, let port = listener.port else { continue }
      if ip.allSatisfy({ $0 == 0 }) { next.ports.insert(port) } else { next.exact.insert(listener) }
    }
    known.withLock { $0 = next }
  }

  func contains(_ address: SocketAddress) -> Bool {
    guard let ip = address.ipBytes, let port = address.port else { return false }
    return known.withLock { known in
      if known.exact.contains(address) { return true }
      guard known.ports.contains(port), let parsed = IPAddress(bytes: ip) else { return false }
      return parsed.isLoopback || parsed.isUnspecified || known.addresses.contains(parsed.unmapped.bytes)
    }
  }
}
