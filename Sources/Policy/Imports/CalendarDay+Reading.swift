extension CalendarDay {
  /// Reads `yyyy-MM-dd`, and only days that exist.
  /// - Returns: the beginning of the day in UTC, in seconds since 1970; nil: this is no day.
  static func secondsSince1970(_ text: String) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let numbers = parts.map { $0.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } }
    let seconds = dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]) * 86_400
    // What is no day comes back as another one.
    let day = CalendarDay(secondsSince1970: seconds)
    return [day.year, day.month, day.day] == numbers ? seconds : nil
  }

  /// Days since 1970-01-01, in years that begin on the first of March.
  private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return yearFromMarch * 365 + yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400 + dayOfYear - 719_468
  }
}
