/// A span of time in which something holds: from its beginning up to, and without, its end.
public struct TimeWindow: Sendable, Hashable {
  /// Seconds since 1970.
  public var from: Int64
  /// Seconds since 1970; nil: nothing is known that would end it.
  public var until: Int64?

  public init(from: Int64, until: Int64?) {
    self.from = from
    self.until = until
  }

  /// Puts together in which spans something holds, when it can change at some moments only.
  ///
  /// - Parameter moments: sorted, each once; the first is where the first span begins.
  public static func spans(over moments: [Int64], where holds: (Int64) -> Bool) -> [TimeWindow] {
    var windows: [TimeWindow] = []
    for (index, moment) in moments.enumerated() where holds(moment) {
      let end = index + 1 < moments.count ? moments[index + 1] : nil
      if let last = windows.indices.last, windows[last].until == moment {
        windows[last].until = end
      } else {
        windows.append(TimeWindow(from: moment, until: end))
      }
    }
    return windows
  }

  /// What two lists have in common.
  public static func intersection(_ one: [TimeWindow], _ other: [TimeWindow]) -> [TimeWindow] {
    one.flatMap { first in
      other.compactMap { second in
        let from = max(first.from, second.from)
        let until = [first.until, second.until].compactMap(\.self).min()
        return until.map { from < $0 } ?? true ? TimeWindow(from: from, until: until) : nil
      }
    }
  }
}
