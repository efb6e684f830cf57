import Foundation

/// A moment as a query names it.
struct Moment: Equatable {
  static let forms = "a moment such as 2026-03-01T12:00:00Z, or how long ago it was, such as 10m or 7d"
  private static let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]

  /// Since 1970.
  let milliseconds: Int64

  init?(_ text: String, now: Int64 = Int64(Date().timeIntervalSince1970 * 1_000)) {
    if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int64(text.dropLast()),
      (0...100_000).contains(count)
    {
      milliseconds = now - count * unit
      return
    }
    let plain = Date.ISO8601FormatStyle()
    let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = (try? Date(text, strategy: plain)) ?? (try? Date(text, strategy: fractional)) else { return nil }
    milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
  }
}
