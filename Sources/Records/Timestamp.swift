import Bytes

/// RFC 3339 moments in UTC with milliseconds, written without Foundation: every record has two of them.
public enum Timestamp {
  /// Appends such as `2026-03-01T12:00:00.123Z`; `milliseconds` since 1970, clamped to the years 1970 to 9999.
  public static func append(milliseconds: Int64, to out: ByteQueue) {
    let bounded = min(max(milliseconds, 0), 253_402_300_799_999)
    let day = Int(bounded / 86_400_000)
    let rest = Int(bounded % 86_400_000)
    let (year, month, dayOfMonth) = civil(day)
    digits(year, 4, out)
    out.append(UInt8(ascii: "-"))
    digits(month, 2, out)
    out.append(UInt8(ascii: "-"))
    digits(dayOfMonth, 2, out)
    out.append(UInt8(ascii: "T"))
    digits(rest / 3_600_000, 2, out)
    out.append(UInt8(ascii: ":"))
    digits(rest / 60_000 % 60, 2, out)
    out.append(UInt8(ascii: ":"))
    digits(rest / 1_000 % 60, 2, out)
    out.append(UInt8(ascii: "."))
    digits(rest % 1_000, 3, out)
    out.append(UInt8(ascii: "Z"))
  }

  public static func text(milliseconds: Int64) -> String {
    let out = ByteQueue()
    append(milliseconds: milliseconds, to: out)
    return String(decoding: out.bytes, as: UTF8.self)
  }

  /// Year, month and day of a day number since 1970-01-01 in the Gregorian calendar: counts in eras of 400 years that begin on
  /// 1 March, so that the leap day comes last.
  static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
  }

  private static func digits(_ value: Int, _ count: Int, _ out: ByteQueue) {
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      out.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
