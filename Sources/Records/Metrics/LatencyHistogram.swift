/// How long something took, counted in fixed ranges. One writer, any reader, as with `Tally`.
struct LatencyHistogram: ~Copyable, Sendable {
  /// The upper bounds of the ranges, in nanoseconds; above the last everything falls into one more.
  static let bounds: [UInt64] = [
    1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000, 60_000_000_000,
  ]

  private let counts = Tally<16>()
  /// Nanoseconds.
  private let sum = Tally<1>()

  func record(nanoseconds: UInt64) {
    var index = 0
    while index < Self.bounds.count, nanoseconds > Self.bounds[index] { index += 1 }
    counts.add(1, at: index)
    sum.add(Int(clamping: nanoseconds), at: 0)
  }

  /// Adds what was counted here to sums over all loops: a count for each range, and the time in seconds.
  func add(to total: inout (counts: [Int], seconds: Double)) {
    for index in total.counts.indices { total.counts[index] += counts.value(at: index) }
    total.seconds += Double(sum.value(at: 0)) / 1e9
  }
}
