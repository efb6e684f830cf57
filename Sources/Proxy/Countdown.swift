import Synchronization

/// Calls once when it was reached so many times, or when its time is over.
final class Countdown: Sendable {
  private let state: Mutex<(left: Int, done: (@Sendable () -> Void)?)>

  init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
    state = Mutex((count, done))
  }

  func reached() {
    finish { state in
      state.left -= 1
      return state.left <= 0
    }
  }

  func expire() {
    finish { _ in true }
  }

  private func finish(_ isOver: (inout (left: Int, done: (@Sendable () -> Void)?)) -> Bool) {
    let done = state.withLock { state -> (@Sendable () -> Void)? in
      guard isOver(&state) else { return nil }
      defer { state.done = nil }
      return state.done
    }
    done?()
  }
}
