import Foundation

/// A moment that a command line or a query names.
public enum SinceTime {
  public static let forms = "a date, a time or how long ago, such as 2026-03-01, 2026-03-01T12:00:00Z or 2h"
  private static let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]

  /// Milliseconds since 1970; nil: the text names no moment.
  ///
  /// `2026-03-01`, `2026-03-01T12:00`, `2026-03-01T12:00:00.5Z`, `2026-03-01T12:00:00+01:00` (UTC where no offset says otherwise), or
  /// how long before `now`: `90s`, `30m`, `2h`, `7d`.
  public static func milliseconds(_ text: String, now: Int64) -> Int64? {
    if let last = text.last, let unit = units[last], text.utf8.count <= 8, let count = UInt32(text.dropLast()) {
      return now - Int64(count) * unit
    }
    return moment(text)
  }

  /// `HH:MM` or `HH:MM:SS`, with or without a fraction.
  private static func isClock(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let limits = [24.0, 60, 61]
    return (2...3).contains(parts.count)
      && zip(parts, limits).allSatisfy { part, limit in
        part.count >= 2 && Double(part).map { $0 >= 0 && $0 < limit } ?? false
      }
  }

  private static func moment(_ text: String) -> Int64? {
    let digits = Array(text.utf8)
    guard digits.count >= 10, digits.count <= 40 else { return nil }
    var rest = text[...]
    let day = rest.prefix(10)
    rest = rest.dropFirst(10)
    var clock: Substring = "00:00:00"
    if rest.first == "T" || rest.first == " " {
      rest = rest.dropFirst()
      clock = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
      rest = rest.dropFirst(clock.count)
    }
    let zone = rest.isEmpty ? "Z" : rest
    // Foundation takes an hour of 25, and does not mind what follows.
    guard isClock(clock), zone == "Z" || zone.count == 6 && "+-".contains(zone.prefix(1)) && isClock(zone.dropFirst())
    else {
      return nil
    }
    let seconds = clock.count == 5 ? ":00" : ""
    let parsed = try? Date("\(day)T\(clock)\(seconds)\(zone)", strategy: clock.contains(".") ? .withFraction : .plain)
    return parsed.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
  }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  fileprivate static var plain: Self { Date.ISO8601FormatStyle() }
  fileprivate static var withFraction: Self { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
