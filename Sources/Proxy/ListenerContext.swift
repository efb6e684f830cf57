import Configuration
import EventLoop
import Names

/// What a connection must know of the listener that accepted it.
struct ListenerContext: Sendable {
  let settings: ListenerSettings
  /// The real address, with port 0 resolved.
  let address: SocketAddress
}
