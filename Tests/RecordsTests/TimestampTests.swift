import Bytes
import Testing

@testable import Records

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (999, "1970-01-01T00:00:00.999Z"), (951_782_399_000, "2000-02-28T23:59:59.000Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_709_164_800_000, "2024-02-29T00:00:00.000Z"), (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
      // 2100 is no leap year, 2400 is one.
      (4_107_542_399_000, "2100-02-28T23:59:59.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (13_574_563_200_000, "2400-02-29T00:00:00.000Z"), (2_147_483_648_000, "2038-01-19T03:14:08.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `known moments`(_ milliseconds: Int64, _ expected: String) {
    #expect(Timestamp.text(milliseconds: milliseconds) == expected)
  }

  @Test func `moments outside of four-digit years are clamped`() {
    #expect(Timestamp.text(milliseconds: .min) == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp.text(milliseconds: -1) == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp.text(milliseconds: .max) == "9999-12-31T23:59:59.999Z")
  }

  @Test func `every day of 400 years follows the one before`() {
    var last = Timestamp.civil(0)
    for day in 1...146_097 {
      let next = Timestamp.civil(day)
      let isLeap = last.year % 4 == 0 && (last.year % 100 != 0 || last.year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      let isSameMonth = next.year == last.year && next.month == last.month && next.day == last.day + 1
      let isNextMonth =
        last.day == lengths[last.month - 1] && next.day == 1
        && (next.month == last.month + 1 && next.year == last.year
          || next.month == 1 && last.month == 12 && next.year == last.year + 1)
      guard isSameMonth || isNextMonth else {
        Issue.record("\(next) after \(last)")
        return
      }
      last = next
    }
  }
}
