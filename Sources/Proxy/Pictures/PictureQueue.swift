import EventLoop
import Names
import Synchronization

/// Pictures that are to be loaded ahead, of all loops: few at a time, and behind what clients ask for. Any thread may use it.
final class PictureQueue: Sendable {
  /// One picture that a page names.
  struct Errand: Sendable {
    /// The connection that the page went over.
    let page: LoopBound<ClientConnection>
    let target: HostPort
    let path: [UInt8]
    /// What the request says besides.
    let fields: [(name: String, value: String)]
  }

  private struct State {
    var running = 0
    var waiting: [Errand] = []
  }

  /// As SDWebImagePrefetcher has it.
  private static let concurrency = 3
  /// More are not loaded ahead.
  private static let waitingLimit = 512

  private let state = Mutex(State())

  func submit(_ errands: [Errand]) {
    state.withLock { state in
      state.waiting += errands.prefix(max(0, Self.waitingLimit - state.waiting.count))
    }
    next()
  }

  /// One that was begun has ended.
  func ended() {
    state.withLock { $0.running -= 1 }
    next()
  }

  private func next() {
    while let errand = take() {
      let isAccepted = errand.page.onLoop { page in page.worker.loadAhead(errand, for: page) }
      if !isAccepted { state.withLock { $0.running -= 1 } }
    }
  }

  private func take() -> Errand? {
    state.withLock { state in
      guard state.running < Self.concurrency, !state.waiting.isEmpty else { return nil }
      state.running += 1
      return state.waiting.removeFirst()
    }
  }
}
