/// A moment as fields have it, in whole seconds since 1970: all three forms of RFC 9110, section 5.6.7, are read.
struct HTTPDate: Equatable {
  let seconds: Int

  init(seconds: Int) {
    self.seconds = seconds
  }

  /// nil: it is no date. The name of the day is not looked at.
  init?(_ text: String) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "-" }).map(String.init)
    switch words.count {
    case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
      guard let year = Self.year(words[3], words[0]) else { return nil }
      self.init(year: year, month: words[2], day: words[1], time: words[4])
    case 5 where words[0].utf8.count == 3 && words[4].utf8.count == 4:
      guard let year = Self.number(words[4]) else { return nil }
      self.init(year: year, month: words[1], day: words[2], time: words[3])
    default: return nil
    }
  }

  private init?(year: Int, month: String, day: String, time: String) {
    guard let month = Self.months.firstIndex(of: month.lowercased()), let day = Self.number(day),
      (1...31).contains(day),
      day <= 2 || year > 0
    else { return nil }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.number(String($0)) }
    guard parts.count == 3, time.utf8.count == 8, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    seconds = Self.days(year, month + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  private static func number(_ text: String) -> Int? {
    guard (1...4).contains(text.utf8.count) else { return nil }
    return DeltaSeconds(text)?.value
  }

  /// Two digits, in the obsolete form with the whole name of the day, mean a year that is not far in the future.
  private static func year(_ text: String, _ day: String) -> Int? {
    guard let value = number(text) else { return nil }
    switch text.utf8.count {
    case 4: return value
    case 2 where day.utf8.count > 4: return value < 70 ? 2000 + value : 1900 + value
    default: return nil
    }
  }

  /// Days from 1970 to a date of the Gregorian calendar; years are counted from March, so that the leap day comes last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
