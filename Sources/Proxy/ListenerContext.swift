import Configuration
import EventLoop
import Names
import Records

/// What a connection must know of the listener that accepted it.
struct ListenerContext: Sendable {
  /// A connection that repeats a request for the console: nobody is asked who it is, and its lane is given.
  struct Repetition: Sendable {
    /// What was closed to the first client stays closed (contract, section 3, step 3).
    let isGuarded: Bool
  }

  let settings: ListenerSettings
  /// The real address, with port 0 resolved.
  let address: SocketAddress
  /// nil: the connection is a device's.
  var repetition: Repetition?

  /// For counting.
  var kind: LoopCounters.ListenerKind {
    guard repetition == nil else { return .replay }
    return switch settings.mode {
    case .explicit: .explicit
    case .transparent: .transparent
    case .reverse: .reverse
    case .socks5: .socks5
    }
  }
}
