import Synchronization

/// Calls once: when it was reached so many times, with true, or when its time is over, with false.
final class Countdown: Sendable {
  private let state: Mutex<(left: Int, done: (@Sendable (Bool) -> Void)?)>

  init(_ count: Int, _ done: @escaping @Sendable (Bool) -> Void) {
    state = Mutex((count, done))
  }

  func reached() {
    let done = state.withLock { state -> (@Sendable (Bool) -> Void)? in
      state.left -= 1
      return state.left <= 0 ? Self.take(&state.done) : nil
    }
    done?(true)
  }

  func expire() {
    state.withLock { Self.take(&$0.done) }?(false)
  }

  private static func take(_ done: inout (@Sendable (Bool) -> Void)?) -> (@Sendable (Bool) -> Void)? {
    defer { done = nil }
    return done
  }
}
