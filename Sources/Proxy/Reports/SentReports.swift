import Synchronization

/// What was reported lately, over all loops and reloads: the same report goes out once a day at most. Bounded: the oldest is forgotten first.
final class SentReports: Sendable {
  private struct State {
    /// Until when each is not sent again, in milliseconds since 1970.
    var until: [[UInt8]: Int64] = [:]
    /// In the order in which they were taken.
    var order: [[UInt8]] = []
  }

  static let limit = 4_096
  private static let day: Int64 = 86_400_000
  /// A report that did not arrive is not tried again at once.
  private static let pauseAfterFailure: Int64 = 600_000

  private let state = Mutex(State())

  /// Whether the report may go out now; the caller then sends it.
  /// - Parameter now: milliseconds since 1970.
  func take(_ digest: [UInt8], now: Int64) -> Bool {
    state.withLock { state in
      if let until = state.until[digest] {
        guard until <= now else { return false }
      } else {
        if state.order.count >= Self.limit { state.until[state.order.removeFirst()] = nil }
        state.order.append(digest)
      }
      state.until[digest] = now + Self.day
      return true
    }
  }

  /// The report did not arrive.
  func failed(_ digest: [UInt8], now: Int64) {
    state.withLock { state in
      if state.until[digest] != nil { state.until[digest] = now + Self.pauseAfterFailure }
    }
  }
}
