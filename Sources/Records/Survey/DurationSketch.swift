import Foundation

/// How long things took, in ranges that each are a tenth wider than the one before, so that quantiles come out within 5 % and the
/// memory is bounded.
struct DurationSketch: Sendable, Equatable {
  private static let shortest = 0.05
  private static let growth = 1.1
  /// The last range begins at some 2 hours.
  private static let rangeCount = 200

  private var counts: [Int: Int] = [:]
  private var total = 0

  mutating func add(_ milliseconds: Double) {
    let ratio = max(1, milliseconds / Self.shortest)
    guard ratio.isFinite else { return }
    let range = min(Self.rangeCount - 1, Int(log(ratio) / log(Self.growth)))
    counts[range, default: 0] += 1
    total += 1
  }

  /// Milliseconds, the middle of the range; nil without anything.
  func quantile(_ share: Double) -> Double? {
    guard total > 0 else { return nil }
    let wanted = max(1, Int((share * Double(total)).rounded(.up)))
    var seen = 0
    for (range, count) in counts.sorted(by: { $0.key < $1.key }) {
      seen += count
      if seen >= wanted { return Self.shortest * pow(Self.growth, Double(range) + 0.5) }
    }
    return nil
  }
}
