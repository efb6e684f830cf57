import HTTP
import Testing

@testable import Pictures

/// Cache-Control, times and dates as they occur.
@Suite struct DirectiveTests {
  @Test(
    arguments: [
      (["max-age=5"], 5), (["MAX-AGE=5"], 5), (["max-age=005"], 5), (["a=\"max-age=9\", max-age=5"], 5),
      (["max-age=\"5\""], 5), (["max-age='5'"], 0), (["max-age=-5"], 0), (["max-age=5.0"], 0), (["max-age"], 0),
      (["max-age=99999999999999999999"], 1 << 31), (["max-age=2147483649"], 1 << 31), (["max-age=9, max-age=5"], 5),
      (["max-age=5", "max-age=9"], 5), (["x=\"a,max-age=1\", max-age=5"], 5), (["max-age=5;x"], 0),
      (["public,max-age=5,"], 5), ([",,, max-age=5"], 5),
    ] as [([String], Int)])
  func `seconds are read or mean staleness`(values: [String], seconds: Int) {
    let directives = CacheDirectives(PictureKit.fields(values.map { ("Cache-Control", $0) }))
    #expect(directives.seconds("max-age") == seconds)
  }

  @Test func `only whole names are directives`() {
    let directives = CacheDirectives(PictureKit.fields([("Cache-Control", "xno-store, no-storex, a=\"no-store\"")]))
    #expect(!directives.contains("no-store") && directives.contains("xno-store"))
    #expect(CacheDirectives(PictureKit.fields([("Pragma", "no-cache")])).isEmpty)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 06 nov 1994 08:49:37 gmt",
  ])
  func `all three forms of a date are read`(text: String) {
    #expect(HTTPDate(text)?.seconds == PictureKit.epoch)
  }

  @Test(arguments: [
    "0", "", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 AEST", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun 06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov  1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nvo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x", "Sun", ",",
  ])
  func `anything else is no date`(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Monday, 01-Jan-69 00:00:00 GMT", 3_124_224_000), ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
  ])
  func `dates are counted right`(text: String, seconds: Int) {
    #expect(HTTPDate(text)?.seconds == seconds)
  }
}
