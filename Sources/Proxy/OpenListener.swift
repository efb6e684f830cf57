import Configuration
import EventLoop
import Names
import Synchronization

/// A listening socket with the settings that it serves; a reload may change them while it stays open. Any thread may use it.
final class OpenListener: Sendable {
  let listener: Listener
  private let current: Mutex<ListenerContext>

  init(_ listener: Listener, _ settings: ListenerSettings) {
    self.listener = listener
    current = Mutex(ListenerContext(settings: settings, address: listener.address))
  }

  /// What connections that are accepted now get.
  var context: ListenerContext { current.withLock { $0 } }

  func use(_ settings: ListenerSettings) {
    current.withLock { $0 = ListenerContext(settings: settings, address: listener.address) }
  }

  /// Whether it is what such settings ask for: configured for the same address, or really there.
  func isAt(_ address: ListenAddress) -> Bool {
    if context.settings.address == address { return true }
    guard case .tcp(let ip, let port) = address else { return false }
    return listener.address == SocketAddress(ip: ip.bytes, port: port)
  }
}
