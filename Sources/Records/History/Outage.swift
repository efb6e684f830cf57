/// When it is told that something cannot be done, and that it can again: once each for an outage, however often it is tried in
/// between. A pure machine; the clock is its owner's.
struct Outage {
  /// Nanoseconds. It is over when nothing has failed for so long.
  private static let calm: UInt64 = 10_000_000_000
  /// Between two tries, at first and at most.
  private static let firstPause: UInt64 = 500_000_000
  private static let longestPause: UInt64 = 15_000_000_000

  private var failedAt: UInt64?
  private var pause = Self.firstPause
  private var retryAt: UInt64 = 0

  /// It failed, and was not told to be over yet.
  var isOn: Bool { failedAt != nil }
  /// It failed when it was tried last.
  private(set) var isFailing = false

  /// Whether it may be tried now.
  func allowsTry(now: UInt64) -> Bool { now >= retryAt }

  /// - Returns: whether to tell of it.
  mutating func failed(now: UInt64) -> Bool {
    defer { failedAt = now }
    isFailing = true
    retryAt = now + pause
    pause = min(pause * 2, Self.longestPause)
    return failedAt == nil
  }

  /// - Returns: whether to tell that it is over.
  mutating func succeeded(now: UInt64) -> Bool {
    guard let failedAt else { return false }
    isFailing = false
    retryAt = 0
    pause = Self.firstPause
    guard now >= failedAt + Self.calm else { return false }
    self = Outage()
    return true
  }
}
