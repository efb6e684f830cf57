/// Times as RFC 3339 writes them, from 1970 on.
enum InternetTime {
  /// `2026-01-31T12:00:00Z`, with or without a fraction or an offset; nil for anything else, days that no calendar has among it.
  static func milliseconds(_ text: String) -> UInt64? {
    var digits = Digits(rest: Array(text.utf8)[...])
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
      let day = digits.number(2), digits.skip("T") || digits.skip("t"), let hour = digits.number(2), digits.skip(":"),
      let minute = digits.number(2), digits.skip(":"), let second = digits.number(2),
      year >= 1970, (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day),
      hour < 24, minute < 60, second <= 60, let fraction = digits.fraction(), let offset = digits.offset(),
      digits.rest.isEmpty
    else { return nil }
    let seconds = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - offset
    return UInt64(exactly: seconds * 1_000 + fraction)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let leapDays = { (year: Int) in year / 4 - year / 100 + year / 400 }
    let before = (year - 1970) * 365 + leapDays(year - 1) - leapDays(1969)
    return before + (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) } + day - 1
  }

  private struct Digits {
    var rest: ArraySlice<UInt8>

    mutating func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// In milliseconds, what is finer cut off; nil for a point without digits.
    mutating func fraction() -> Int? {
      guard skip(".") else { return 0 }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...12).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      let padded = (digits.map { Int($0 & 0x0F) } + [0, 0]).prefix(3)
      return padded.reduce(0) { $0 * 10 + $1 }
    }

    /// In seconds east of Greenwich.
    mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let isEast = skip("+")
      guard isEast || skip("-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
      else { return nil }
      return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }
  }
}
