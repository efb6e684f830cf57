import Bytes

/// RFC 3339 moments in UTC with milliseconds, written without Foundation: every record has two of them.
public enum Timestamp {
  /// Appends such as `2026-03-01T12:00:00.123Z`; `milliseconds` since 1970, clamped to the years 1970 to 9999.
  public static func append(milliseconds: Int64, to out: ByteQueue) {
    let bounded = min(max(milliseconds, 0), 253_402_300_799_999)
    let day = Int(bounded / 86_400_000)
    let rest = Int(bounded % 86_400_000)
    let (year, month, dayOfMonth) = civil(day)
    out.append(upTo: 24) { room in
      put(year, 4, room, 0)
      room[4] = UInt8(ascii: "-")
      put(month, 2, room, 5)
      room[7] = UInt8(ascii: "-")
      put(dayOfMonth, 2, room, 8)
      room[10] = UInt8(ascii: "T")
      put(rest / 3_600_000, 2, room, 11)
      room[13] = UInt8(ascii: ":")
      put(rest / 60_000 % 60, 2, room, 14)
      room[16] = UInt8(ascii: ":")
      put(rest / 1_000 % 60, 2, room, 17)
      room[19] = UInt8(ascii: ".")
      put(rest % 1_000, 3, room, 20)
      room[23] = UInt8(ascii: "Z")
      return 24
    }
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

  private static func put(_ value: Int, _ count: Int, _ room: UnsafeMutableRawBufferPointer, _ place: Int) {
    var rest = value
    for index in stride(from: place + count - 1, through: place, by: -1) {
      room[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}
