import Records

/// The one parameter of `/api/series`, and what it means.
enum SeriesParameter {
  /// Up to a week.
  private static let allowed = 1...10_080
  /// Steps that a plot shows at most.
  private static let stepLimit: Int64 = 120
  /// Lengths of steps that people think in, in milliseconds.
  private static let steps: [Int64] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200,
  ].map { $0 * 1_000 }

  static func minutes(_ query: Substring?) throws(ControlFault) -> Int {
    guard let pairs = QueryText(query ?? ""), pairs.names.allSatisfy({ $0 == "minutes" }) else {
      throw ControlFault(.invalid, "`minutes` is the only parameter here")
    }
    guard !pairs.names.isEmpty else { return 60 }
    guard let minutes = pairs["minutes"].flatMap({ Int($0) }), allowed.contains(minutes) else {
      throw ControlFault(.invalid, "`minutes` must be a number from \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return minutes
  }

  /// The time up to `now`, in milliseconds since 1970; steps begin at round times.
  static func span(minutes: Int, now: Int64) -> SeriesSpan {
    let length = Int64(minutes) * 60_000
    let step = steps.first { length / $0 <= stepLimit } ?? 7_200_000
    let start = (now - length) / step * step
    return SeriesSpan(start: start, step: step, stepCount: Int((now - start) / step) + 1)
  }
}
