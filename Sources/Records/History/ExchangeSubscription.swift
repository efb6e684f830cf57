import Synchronization

/// What one watcher of the feed has not seen yet. Any thread may use it; bounded, however slow its owner is.
public final class ExchangeSubscription: Sendable {
  /// What came since the last look.
  public struct Delivery: Sendable, Equatable {
    /// One JSON object each, without a line end, oldest first.
    public var records: [[UInt8]] = []
    /// Records before these that gave way, because nobody took them in time.
    public var lostCount = 0
  }

  fileprivate struct State {
    var waiting = Delivery()
    var byteCount = 0
    var isCancelled = false
  }

  private static let byteLimit = 4 << 20

  private let feed: ExchangeFeed
  private let capacity: Int
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  init(feed: ExchangeFeed, capacity: Int, wake: @escaping @Sendable () -> Void) {
    self.feed = feed
    self.capacity = max(1, capacity)
    self.wake = wake
  }

  /// Takes all that waits; `wake` comes again with the next record.
  public func take() -> Delivery {
    state.withLock { state in
      defer {
        state.waiting = Delivery()
        state.byteCount = 0
      }
      return state.waiting
    }
  }

  /// Ends the subscription; nothing comes after it, but for a `wake` that is on its way.
  public func cancel() {
    feed.remove(self)
    state.withLock { state in
      state.isCancelled = true
      state.waiting = Delivery()
    }
  }

  func receive(_ records: [[UInt8]]) {
    let isFirst = state.withLock { state in
      guard !state.isCancelled else { return false }
      let wasEmpty = state.waiting.records.isEmpty
      state.add(records, capacity: capacity, byteLimit: Self.byteLimit)
      return wasEmpty
    }
    if isFirst { wake() }
  }
}

extension ExchangeSubscription.State {
  /// The newest record always stays, even one that alone is above the limit.
  fileprivate mutating func add(_ records: [[UInt8]], capacity: Int, byteLimit: Int) {
    waiting.records += records
    byteCount += records.reduce(0) { $0 + $1.count }
    var excess = 0
    while waiting.records.count - excess > 1, waiting.records.count - excess > capacity || byteCount > byteLimit {
      byteCount -= waiting.records[excess].count
      excess += 1
    }
    waiting.records.removeFirst(excess)
    waiting.lostCount += excess
  }
}
