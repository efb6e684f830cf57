import EventLoop

/// Counts requests by the client that they come from: so many a second in the long run, and some more at once. Bounded; confined to its
/// owner.
struct RequestLimit {
  private struct Entry {
    var tokens: Double
    /// Monotonic nanoseconds.
    var filled: UInt64
  }

  private var entries: [FailureLimit.Origin: Entry] = [:]

  /// Whether one more may pass.
  mutating func admits(_ client: FailureLimit.Origin, now: UInt64) -> Bool {
    if entries[client] == nil, entries.count >= OnboardingLimits.clients { makeRoom(now: now) }
    var entry = entries[client] ?? Entry(tokens: Double(OnboardingLimits.requestBurst), filled: now)
    entry.tokens = Self.level(entry, now: now)
    entry.filled = now
    defer { entries[client] = entry }
    guard entry.tokens >= 1 else { return false }
    entry.tokens -= 1
    return true
  }

  private static func level(_ entry: Entry, now: UInt64) -> Double {
    let gained = Double(now &- entry.filled) * Double(OnboardingLimits.requestsPerSecond) / 1e9
    return min(Double(OnboardingLimits.requestBurst), entry.tokens + gained)
  }

  /// Forgets who has all its requests left again; if nobody has, whoever has the most.
  private mutating func makeRoom(now: UInt64) {
    entries = entries.filter { Self.level($0.value, now: now) < Double(OnboardingLimits.requestBurst) }
    guard entries.count >= OnboardingLimits.clients else { return }
    guard let most = entries.max(by: { Self.level($0.value, now: now) < Self.level($1.value, now: now) }) else {
      return
    }
    entries[most.key] = nil
  }
}
