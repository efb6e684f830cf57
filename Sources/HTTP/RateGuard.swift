/// Counts events in windows of 10 seconds.
struct RateGuard {
  private let limit: Int
  private var windowStart: UInt64 = 0
  private var count = 0
  private var credit = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// So many events more are not counted; credit does not grow without bound.
  mutating func forgive(_ count: Int) {
    credit = min(credit + count, 100_000)
  }

  /// Notes an event at `now` (nanoseconds). False: it is one too many.
  mutating func admits(now: UInt64) -> Bool {
    guard credit == 0 else {
      credit -= 1
      return true
    }
    if now &- windowStart >= 10_000_000_000 {
      windowStart = now
      count = 0
    }
    count += 1
    return count <= limit
  }
}
