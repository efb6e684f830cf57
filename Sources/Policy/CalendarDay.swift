/// A day of the Gregorian calendar in UTC, for texts.
public struct CalendarDay: Hashable, CustomStringConvertible {
  public let year: Int64
  public let month: Int64
  public let day: Int64

  /// Counts in years that begin on the first of March, so that the leap day is the last one.
  public init(secondsSince1970 seconds: Int64) {
    let daysOfEra: Int64 = 146_097
    let days = Self.floorDivide(seconds, 86_400) + 719_468
    let era = Self.floorDivide(days, daysOfEra)
    let dayOfEra = days - era * daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// `2026-03-01`.
  public var description: String { "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))" }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
