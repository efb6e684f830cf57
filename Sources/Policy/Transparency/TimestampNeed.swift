/// How many embedded timestamps a certificate needs (Apple's page 103214; spec G.1).
struct TimestampNeed: Sendable, Hashable {
  let count: Int
  /// How many of one operator count; nil: all.
  let operatorLimit: Int?
  /// In words: `90 days`.
  let lifetime: String

  /// 2021-04-21, from when on days count and not months.
  private static let change: Int64 = 1_618_963_200
  private static let day: Int64 = 86_400

  /// Seconds since 1970.
  init(notBefore: Int64, notAfter: Int64) {
    let (seconds, isEndless) = notAfter.subtractingReportingOverflow(notBefore)
    guard notBefore < Self.change else {
      let isShort = !isEndless && seconds <= 180 * Self.day
      count = isShort ? 2 : 3
      operatorLimit = isShort ? 1 : 2
      lifetime = isEndless ? "endless life" : "\((max(seconds, 1) - 1) / Self.day + 1) days"
      return
    }
    operatorLimit = nil
    let months = CalendarDay.months(from: notBefore, to: notAfter)
    lifetime = "\(months.whole) months"
    switch months.whole {
    case ..<15: count = 2
    case ..<27: count = 3
    case 27 where months.isExact: count = 3
    case ..<39: count = 4
    case 39 where months.isExact: count = 4
    default: count = 5
    }
  }
}

extension CalendarDay {
  /// Whole months between two moments, and whether they end on the same day of the month at which they began.
  static func months(from begin: Int64, to end: Int64) -> (whole: Int64, isExact: Bool) {
    let (first, last) = (CalendarDay(secondsSince1970: begin), CalendarDay(secondsSince1970: end))
    let months = (last.year - first.year) * 12 + last.month - first.month
    return last.day < first.day ? (months - 1, false) : (months, last.day == first.day)
  }
}
