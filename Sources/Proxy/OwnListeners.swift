import EventLoop
import Names
import Synchronization

/// The addresses on which this daemon listens, to find requests that would come back to it.
final class OwnListeners: Sendable {
  private struct Known {
    /// Those of the proxy, and those of the daemon besides it.
    var proxy: [SocketAddress] = []
    var others: [SocketAddress] = []
    var machine: Set<[UInt8]> = []
    var exact: Set<SocketAddress> = []
    /// Ports of listeners on the unspecified address: they take every address of this machine.
    var ports: Set<UInt16> = []
    /// Ports of listeners on loopback, which the unspecified address leads to as well.
    var loopbackPorts: Set<UInt16> = []

    /// Sorts the addresses for look-up.
    mutating func compile() {
      (exact, ports, loopbackPorts) = ([], [], [])
      for address in proxy + others {
        guard let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)), let port = address.port else { continue }
        if ip.isUnspecified { ports.insert(port) } else { exact.insert(address) }
        if ip.isLoopback { loopbackPorts.insert(port) }
      }
    }
  }

  private let known = Mutex(Known())

  /// - Parameter machine: the addresses of this machine's interfaces.
  func use(_ listeners: [SocketAddress], machine: [IPAddress]) {
    known.withLock { known in
      known.proxy = listeners
      known.machine = Set(machine.map(\.bytes))
      known.compile()
    }
  }

  /// Addresses of the daemon that are not the proxy's.
  func use(others: [SocketAddress]) {
    known.withLock { known in
      known.others = others
      known.compile()
    }
  }

  func contains(_ address: SocketAddress) -> Bool {
    guard let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)), let port = address.port else { return false }
    return known.withLock { known in
      if known.exact.contains(address) { return true }
      // Linux connects the unspecified address to loopback.
      if ip.isUnspecified { return known.loopbackPorts.contains(port) || known.ports.contains(port) }
      return known.ports.contains(port) && (ip.isLoopback || known.machine.contains(ip.unmapped.bytes))
    }
  }
}
