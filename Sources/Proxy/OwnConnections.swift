import EventLoop
import Synchronization

/// The connections to origins that the daemon opened lately, by both ends. A redirection that catches them too shows in it, before it
/// becomes a loop without an end. Any thread may use it.
final class OwnConnections: Sendable {
  /// The same two ends come twice only after the first connection is long over, so no client is mistaken for the proxy.
  struct Ends: Hashable, Sendable {
    let local: SocketAddress
    let remote: SocketAddress
  }

  private struct State {
    var known: Set<Ends> = []
    /// In the order of their coming; overwritten from the front.
    var ring: [Ends] = []
    var next = 0
  }

  private static let limit = 4_096

  /// Whether there is a listener that redirected connections come to; else nothing is kept.
  private let isWatching = Atomic<Bool>(false)
  private let state = Mutex(State())

  func watch(_ isWatching: Bool) {
    self.isWatching.store(isWatching, ordering: .relaxed)
    if !isWatching { state.withLock { $0 = State() } }
  }

  /// A connection was opened.
  func opened(_ socket: Socket) {
    guard isWatching.load(ordering: .relaxed), let local = socket.local, let remote = socket.peer else { return }
    let ends = Ends(local: local, remote: remote)
    state.withLock { state in
      if state.ring.count < Self.limit {
        state.ring.append(ends)
      } else {
        state.known.remove(state.ring[state.next])
        state.ring[state.next] = ends
        state.next = (state.next + 1) % Self.limit
      }
      state.known.insert(ends)
    }
  }

  func contains(_ ends: Ends) -> Bool {
    state.withLock { $0.known.contains(ends) }
  }
}
