/// A moment as fields have it, in whole seconds since 1970: all three forms of RFC 9110, section 5.6.7, are read, to the letter.
struct HTTPDate: Equatable {
  let seconds: Int

  init(seconds: Int) {
    self.seconds = seconds
  }

  /// nil: it is no date. Which day of the week it is is not looked at.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Of the three forms only the one with the whole name of the day has a comma in another place.
    if let comma = bytes.firstIndex(of: UInt8(ascii: ",")) {
      let rest = bytes[(comma + 1)...]
      if comma == 3 {
        self.init(rest, pattern: " DD MMM YYYY hh:mm:ss GMT")
      } else if (6...9).contains(comma) {
        self.init(rest, pattern: " DD-MMM-YY hh:mm:ss GMT")
      } else {
        return nil
      }
    } else {
      self.init(bytes.dropFirst(3), pattern: " MMM DD hh:mm:ss YYYY")
    }
  }

  /// Letters stand for what they are the first letters of, anything else for itself.
  private init?(_ bytes: ArraySlice<UInt8>, pattern: StaticString) {
    let pattern = pattern.withUTF8Buffer { Array($0) }
    guard bytes.count == pattern.count else { return nil }
    var numbers: [UInt8: Int] = [:]
    var month: [UInt8] = []
    for (byte, wanted) in zip(bytes, pattern) {
      switch wanted {
      case UInt8(ascii: "M"): month.append(byte | 0x20)
      case UInt8(ascii: "G"), UInt8(ascii: "T"):
        guard byte & 0xDF == wanted else { return nil }
      case UInt8(ascii: "D"), UInt8(ascii: "Y"), UInt8(ascii: "h"), UInt8(ascii: "m"), UInt8(ascii: "s"):
        // The obsolete form of asctime has a space before a day of one digit.
        let isPadding = byte == 0x20 && wanted == UInt8(ascii: "D") && pattern[1] == UInt8(ascii: "M")
        guard (0x30...0x39).contains(byte) || isPadding && numbers[wanted] == nil else { return nil }
        numbers[wanted, default: 0] = numbers[wanted, default: 0] * 10 + (isPadding ? 0 : Int(byte - 0x30))
      default: guard byte == wanted || (byte | 0x20) == wanted && wanted >= 0x61 else { return nil }
      }
    }
    // Behind the month there may be the M of GMT.
    guard month.dropFirst(3).allSatisfy({ $0 == UInt8(ascii: "m") }) else { return nil }
    self.init(
      numbers, month: String(decoding: month.prefix(3), as: UTF8.self), hasShortYear: pattern.count == 23)
  }

  private init?(_ numbers: [UInt8: Int], month name: String, hasShortYear: Bool) {
    guard let month = Self.months.firstIndex(of: name), let day = numbers[UInt8(ascii: "D")], (1...31).contains(day),
      var year = numbers[UInt8(ascii: "Y")], let hour = numbers[UInt8(ascii: "h")], hour < 24,
      let minute = numbers[UInt8(ascii: "m")], minute < 60, let second = numbers[UInt8(ascii: "s")], second <= 60
    else { return nil }
    // Two digits mean a year that is not far in the future.
    if hasShortYear { year += year < 70 ? 2000 : 1900 }
    seconds = Self.days(year, month + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Days from 1970 to a date of the Gregorian calendar; years are counted from March, so that the leap day comes last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
