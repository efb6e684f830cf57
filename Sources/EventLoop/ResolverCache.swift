/// Answers by name, bounded in time and number.
///
/// Two generations: when the younger is full it becomes the older, and the old older one is forgotten. That is nearly
/// what least-recently-used would keep, without a list.
struct ResolverCache {
  private struct Entry {
    let outcome: ResolveToken.Outcome
    /// Monotonic nanoseconds.
    let expiry: UInt64
  }

  private let generationSize: Int
  private var younger: [String: Entry] = [:]
  private var older: [String: Entry] = [:]

  /// - Parameter capacity: the most names that are kept.
  init(capacity: Int) {
    generationSize = max(1, capacity / 2)
  }

  var count: Int { younger.count + older.count }

  mutating func outcome(for name: String, at now: UInt64) -> ResolveToken.Outcome? {
    if let entry = younger[name] {
      return entry.expiry > now ? entry.outcome : nil
    }
    guard let entry = older.removeValue(forKey: name), entry.expiry > now else { return nil }
    store(entry, for: name)
    return entry.outcome
  }

  /// - Parameter lifetime: counted from `now`, clamped to 1 s ... 300 s.
  mutating func insert(_ outcome: ResolveToken.Outcome, for name: String, lifetime seconds: Int, at now: UInt64) {
    older.removeValue(forKey: name)
    store(Entry(outcome: outcome, expiry: now + UInt64(min(max(seconds, 1), 300)) * 1_000_000_000), for: name)
  }

  private mutating func store(_ entry: Entry, for name: String) {
    if younger.count >= generationSize, younger[name] == nil {
      older = younger
      younger = [:]
    }
    younger[name] = entry
  }
}
