/// How many things may pass in the long run, and how many at once. A value; the clock is its owner's.
struct TokenBucket {
  private let perSecond: Double
  private let burst: Double
  private var tokens: Double
  /// Nanoseconds of some steady clock.
  private var filledAt: UInt64

  init(perSecond: Int, burst: Int, now: UInt64) {
    self.perSecond = Double(perSecond)
    self.burst = Double(burst)
    tokens = Double(burst)
    filledAt = now
  }

  /// Below 0 after more was taken than there was.
  var level: Int { Int(tokens) }

  mutating func fill(now: UInt64) {
    guard now > filledAt else { return }
    tokens = min(burst, tokens + Double(now - filledAt) * perSecond / 1_000_000_000)
    filledAt = now
  }

  /// Takes them even if there are not as many: what is owed comes off the time to come, one burst at most.
  mutating func take(_ count: Int) {
    tokens = max(-burst, tokens - Double(count))
  }
}
