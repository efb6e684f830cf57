import Configuration
import EventLoop
import Names
import Records

/// What a connection must know of the listener that accepted it.
struct ListenerContext: Sendable {
  let settings: ListenerSettings
  /// The real address, with port 0 resolved.
  let address: SocketAddress

  /// For counting.
  var kind: LoopCounters.ListenerKind {
    switch settings.mode {
    case .explicit: .explicit
    case .transparent: .transparent
    case .reverse: .reverse
    case .socks5: .socks5
    }
  }
}
