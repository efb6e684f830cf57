import EventLoop
import Names
import Synchronization

/// The addresses on which this daemon listens, to find requests that would come back to it.
final class OwnListeners: Sendable {
  /// Addresses of listeners, sorted for look-up.
  private struct Places {
    private var exact: Set<SocketAddress> = []
    /// Ports of listeners on the unspecified address: they take every address of this machine.
    private var ports: Set<UInt16> = []
    /// Ports of listeners on loopback, which the unspecified address leads to as well.
    private var loopbackPorts: Set<UInt16> = []

    init(_ addresses: [SocketAddress] = []) {
      for address in addresses {
        guard let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)), let port = address.port else { continue }
        if ip.isUnspecified { ports.insert(port) } else { exact.insert(address) }
        if ip.isLoopback { loopbackPorts.insert(port) }
      }
    }

    func contains(_ address: SocketAddress, machine: Set<[UInt8]>) -> Bool {
      guard let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)), let port = address.port else { return false }
      if exact.contains(address) { return true }
      // Linux connects the unspecified address to loopback.
      if ip.isUnspecified { return loopbackPorts.contains(port) || ports.contains(port) }
      return ports.contains(port) && (ip.isLoopback || machine.contains(ip.unmapped.bytes))
    }
  }

  private struct Known {
    /// Those of the proxy, those of the daemon besides it, and those of the site for devices.
    var proxy: [SocketAddress] = []
    var others: [SocketAddress] = []
    var site: [SocketAddress] = []
    var machine: Set<[UInt8]> = []
    var all = Places()
    var ofSite = Places()

    mutating func compile() {
      all = Places(proxy + others + site)
      ofSite = Places(site)
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

  /// Addresses of the site for devices.
  func use(site: [SocketAddress]) {
    known.withLock { known in
      known.site = site
      known.compile()
    }
  }

  func contains(_ address: SocketAddress) -> Bool {
    known.withLock { $0.all.contains(address, machine: $0.machine) }
  }

  func isSite(_ address: SocketAddress) -> Bool {
    known.withLock { $0.ofSite.contains(address, machine: $0.machine) }
  }
}
