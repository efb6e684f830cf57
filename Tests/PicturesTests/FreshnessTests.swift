import HTTP
import Testing

@testable import Pictures

/// RFC 9111, section 4.2. The cases that a public suite has too are named after its identifiers.
@Suite struct FreshnessTests {
  /// Whether the picture is fresh so many seconds later.
  private func use(
    _ response: [(String, String)], _ request: [(String, String)] = [], after seconds: Int, status: Int = 200
  ) throws -> StoredUse {
    let picture = try #require(PictureKit.picture(response, status: status))
    return picture.use(
      for: RequestTerms(PictureKit.fields(request)), now: PictureKit.milliseconds(seconds), .rfc9111)
  }

  @Test(
    arguments: [
      ("freshness-max-age", [("Cache-Control", "max-age=10")], 9, StoredUse.fresh),
      ("freshness-max-age-stale", [("Cache-Control", "max-age=10")], 10, .stale),
      ("freshness-max-age-age", [("Cache-Control", "max-age=10"), ("Age", "8")], 3, .stale),
      ("age-parse-dup-old", [("Cache-Control", "max-age=10"), ("Age", "12, 0")], 1, .stale),
      ("age-parse-negative", [("Cache-Control", "max-age=10"), ("Age", "-12")], 1, .fresh),
      ("age-parse-nonnumeric", [("Cache-Control", "max-age=10"), ("Age", "abc")], 1, .fresh),
      ("age-parse-larger", [("Cache-Control", "max-age=10"), ("Age", "999999999999999999999")], 1, .stale),
      ("freshness-max-age-expires", [("Cache-Control", "max-age=10"), ("Expires", "0")], 5, .fresh),
      (
        "freshness-max-age-0-expires",
        [("Cache-Control", "max-age=0"), ("Expires", "Sun, 06 Nov 1994 09:49:37 GMT"), ("ETag", "\"1\"")], 1, .stale
      ),
      ("freshness-s-maxage-shared", [("Cache-Control", "max-age=1, s-maxage=10")], 5, .fresh),
      ("freshness-max-age-s-maxage-shared-shorter", [("Cache-Control", "max-age=10, s-maxage=1")], 5, .stale),
      (
        "freshness-expires-future", [("Date", PictureKit.epochText), ("Expires", "Sun, 06 Nov 1994 08:50:37 GMT")], 59,
        .fresh
      ),
      (
        "freshness-expires-past", [("Date", PictureKit.epochText), ("Expires", "Sun, 06 Nov 1994 08:49:36 GMT")], 0,
        .stale
      ),
      ("freshness-expires-invalid", [("Expires", "0")], 0, .stale),
      (
        "freshness-expires-age-slow-date",
        [("Date", "Sun, 06 Nov 1994 08:49:27 GMT"), ("Expires", "Sun, 06 Nov 1994 08:49:47 GMT")], 11, .stale
      ),
      ("cc-resp-no-cache", [("Cache-Control", "max-age=10, no-cache")], 1, .stale),
      ("cc-resp-no-cache with a field", [("Cache-Control", "max-age=10, no-cache=\"etag\"")], 1, .stale),
      ("cc-resp-must-revalidate-fresh", [("Cache-Control", "max-age=10, must-revalidate")], 1, .fresh),
      ("freshness-none", [("ETag", "\"1\"")], 0, .stale),
      (
        "stale-while-revalidate", [("Cache-Control", "max-age=1, stale-while-revalidate=9")], 5, .staleWhileRevalidating
      ),
      ("stale-while-revalidate-window", [("Cache-Control", "max-age=1, stale-while-revalidate=9")], 11, .stale),
      (
        "stale-while-revalidate and must-revalidate",
        [("Cache-Control", "max-age=1, must-revalidate, stale-while-revalidate=9")], 5, .stale
      ),
    ] as [(String, [(String, String)], Int, StoredUse)])
  func `what the response says`(
    name: String, response: [(String, String)], seconds: Int, expected: StoredUse
  ) throws {
    #expect(try use(response, after: seconds) == expected, "\(name)")
  }

  @Test(
    arguments: [
      ("max-age=3", 4, StoredUse.stale), ("max-age=3", 3, .fresh), ("max-age=0", 1, .stale), ("no-cache", 1, .stale),
      ("min-fresh=5", 5, .fresh), ("min-fresh=6", 5, .stale), ("max-stale", 1_000, .fresh), ("max-stale=5", 15, .fresh),
      ("max-stale=5", 16, .stale), ("max-age=60", 11, .stale),
    ] as [(String, Int, StoredUse)])
  func `what the request says`(directive: String, seconds: Int, expected: StoredUse) throws {
    #expect(
      try use([("Cache-Control", "max-age=10")], [("Cache-Control", directive)], after: seconds) == expected,
      "\(directive) after \(seconds) s")
  }

  @Test func `nothing stale is served past must-revalidate, however much the client would take`() throws {
    for directive in ["must-revalidate", "proxy-revalidate", "s-maxage=10"] {
      let response = [("Cache-Control", "max-age=10, \(directive)")]
      #expect(try use(response, [("Cache-Control", "max-stale")], after: 11) == .stale, "\(directive)")
    }
  }

  @Test(arguments: [(200, true), (203, true), (404, true), (410, true), (302, false), (500, false)])
  func `a tenth of the time since the last change is guessed for some statuses`(status: Int, isGuessed: Bool) throws {
    // Changed 1,000 s before.
    let response = [("Date", PictureKit.epochText), ("Last-Modified", "Sun, 06 Nov 1994 08:32:57 GMT")]
    guard isGuessed else {
      #expect(PictureKit.picture(response, status: status) == nil)
      return
    }
    #expect(try use(response, after: 99, status: status) == .fresh)
    #expect(try use(response, after: 100, status: status) == .stale)
  }

  @Test func `a guess is never longer than a week`() throws {
    let response = [("Date", PictureKit.epochText), ("Last-Modified", "Sat, 06 Nov 1954 08:49:37 GMT")]
    #expect(try use(response, after: 7 * 86_400 - 1) == .fresh)
    #expect(try use(response, after: 7 * 86_400) == .stale)
  }

  @Test(
    arguments: [
      ("max-age=1, stale-if-error=10", "", 11, true), ("max-age=1, stale-if-error=10", "", 12, false),
      ("max-age=1", "", 2, false), ("max-age=1", "stale-if-error=10", 5, true),
      ("max-age=1, must-revalidate, stale-if-error=10", "", 5, false), ("no-cache, stale-if-error=10", "", 1, false),
    ] as [(String, String, Int, Bool)])
  func `an error is covered where that is permitted`(
    response: String, request: String, seconds: Int, isCovered: Bool
  ) throws {
    let picture = try #require(PictureKit.picture([("Cache-Control", response)]))
    let terms = RequestTerms(PictureKit.fields(request.isEmpty ? [] : [("Cache-Control", request)]))
    #expect(picture.mayServeOnError(for: terms, now: PictureKit.milliseconds(seconds)) == isCovered)
  }

  @Test func `by access a picture is fresh for so long since its last use`() throws {
    let week = Freshness.access(maximumAge: 7 * 86_400_000)
    let picture = try #require(PictureKit.picture([("Cache-Control", "max-age=0")], week))
    let anything = RequestTerms(PictureKit.fields([("Cache-Control", "no-cache")]))
    #expect(picture.use(for: anything, now: PictureKit.milliseconds(3_600), week) == .fresh)
    picture.wasUsed(at: PictureKit.milliseconds(6 * 86_400))
    #expect(picture.use(for: anything, now: PictureKit.milliseconds(12 * 86_400), week) == .fresh)
    #expect(picture.use(for: anything, now: PictureKit.milliseconds(13 * 86_400), week) == .gone)
  }

  @Test func `the age counts the way of the response too`() throws {
    let question = PictureKit.question()
    let head = PictureKit.head(200, [("Cache-Control", "max-age=60"), ("Age", "5")])
    let picture = try #require(
      StoredPicture(
        question, head: head, body: PictureKit.gif, requested: PictureKit.milliseconds(0),
        received: PictureKit.milliseconds(4), .rfc9111))
    #expect(picture.age(at: PictureKit.milliseconds(10)) == 5 + 4 + 6)
  }
}
