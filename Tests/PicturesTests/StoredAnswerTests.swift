import HTTP
import Testing

@testable import Pictures

/// How a stored picture answers conditions and ranges, and what a 304 makes of it.
@Suite struct StoredAnswerTests {
  private static let list = [
    ("Cache-Control", "max-age=60"), ("ETag", "\"1\""), ("Last-Modified", PictureKit.epochText),
    ("Content-Type", "image/gif"),
  ]

  private func answer(
    _ request: [(String, String)], method: HTTPMethod = .get, _ list: [(String, String)] = list,
    body: String = "GIF89a6789"
  ) throws -> StoredAnswer {
    let picture = try #require(PictureKit.picture(list, body: Array(body.utf8)))
    return StoredAnswer(picture, to: PictureKit.question(request, method: method), now: PictureKit.milliseconds(7))
  }

  @Test(
    arguments: [
      ([("If-None-Match", "\"1\"")], 304), ([("If-None-Match", "W/\"1\"")], 304),
      ([("If-None-Match", "\"0\", \"1\"")], 304),
      ([("If-None-Match", "*")], 304), ([("If-None-Match", "\"2\"")], 200), ([("If-None-Match", "1")], 200),
      ([("If-Modified-Since", PictureKit.epochText)], 304),
      ([("If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT")], 200),
      ([("If-Modified-Since", "nonsense")], 200),
      // The tag alone counts when there is one.
      ([("If-None-Match", "\"2\""), ("If-Modified-Since", PictureKit.epochText)], 200),
    ] as [([(String, String)], Int)])
  func `conditions`(request: [(String, String)], status: Int) throws {
    let answer = try answer(request)
    #expect(answer.head.status == status && answer.head.fields.first(.age) == "7")
    #expect(answer.hasBody == (status == 200) && answer.head.fields.first(.etag) == "\"1\"")
    #expect(answer.head.fields.contains(.contentType) == (status == 200))
  }

  @Test(
    arguments: [
      ("bytes=0-1", 206, 0..<2, "bytes 0-1/10"), ("bytes=4-", 206, 4..<10, "bytes 4-9/10"),
      ("bytes=-3", 206, 7..<10, "bytes 7-9/10"), ("bytes=-99", 206, 0..<10, "bytes 0-9/10"),
      ("bytes=8-99", 206, 8..<10, "bytes 8-9/10"), ("Bytes=0-0", 206, 0..<1, "bytes 0-0/10"),
      ("bytes=10-", 416, 0..<0, "bytes */10"), ("bytes=-0", 416, 0..<0, "bytes */10"), ("bytes=3-2", 200, 0..<10, nil),
      ("bytes=0-1,4-5", 200, 0..<10, nil), ("lines=0-1", 200, 0..<10, nil), ("bytes=x-1", 200, 0..<10, nil),
      ("bytes=0-99999999999999999999", 206, 0..<10, "bytes 0-9/10"),
    ] as [(String, Int, Range<Int>, String?)])
  func `ranges`(range: String, status: Int, part: Range<Int>, text: String?) throws {
    let answer = try answer([("Range", range)])
    #expect(answer.head.status == status && answer.range == part)
    #expect(answer.head.fields.first(.contentRange) == text)
  }

  @Test(
    arguments: [
      ("\"1\"", 206), ("\"2\"", 200), ("W/\"1\"", 200), (PictureKit.epochText, 206),
      ("Sun, 06 Nov 1994 08:49:38 GMT", 200),
    ] as [(String, Int)])
  func `a range counts only for this very picture`(condition: String, status: Int) throws {
    #expect(try answer([("Range", "bytes=0-1"), ("If-Range", condition)]).head.status == status)
  }

  @Test func `a HEAD knows no ranges`() throws {
    let answer = try answer([("Range", "bytes=0-1")], method: .head)
    #expect(answer.head.status == 200 && answer.range == 0..<10)
  }

  @Test func `a 304 renews the fields, but those of the bytes`() throws {
    let picture = try #require(PictureKit.picture(Self.list + [("X-Old", "1"), ("X-Both", "1"), ("Age", "9")]))
    let head = PictureKit.head(
      304,
      [
        ("Cache-Control", "max-age=5"), ("X-Both", "2"), ("X-Both", "3"), ("Content-Type", "text/plain"),
        ("Content-Length", "0"), ("X-New", "4"),
      ])
    let now = PictureKit.milliseconds(100)
    let renewed = picture.refreshed(by: head, requested: now, received: now)
    #expect(renewed.body == picture.body && renewed.age(at: now) == 0 && renewed.lifetime == 5)
    #expect(renewed.fields.values(named: "x-both") == ["2", "3"] && renewed.fields.first(named: "x-old") == "1")
    #expect(renewed.fields.first(named: "x-new") == "4" && renewed.fields.first(.contentType) == "image/gif")
    #expect(renewed.fields.first(.etag) == "\"1\"" && !renewed.fields.contains(.contentLength))
  }

  @Test func `the origin is asked with the validators of both`() throws {
    let picture = try #require(PictureKit.picture(Self.list))
    let question = PictureKit.question([("If-None-Match", "\"0\"")])
    let head = RequestHead(method: .get, target: "/a.png", fields: question.fields)
    let asked = question.validating(picture, head).fields
    #expect(asked.values(.ifNoneMatch) == ["\"1\", \"0\""] && asked.first(.ifModifiedSince) == PictureKit.epochText)
    #expect(question.isAbout(picture, PictureKit.head(304, [("ETag", "W/\"1\"")])))
    #expect(!question.isAbout(picture, PictureKit.head(304, [("ETag", "\"0\"")])))
    #expect(!question.isAbout(picture, PictureKit.head(304, [])), "which of both is meant is not known")
    #expect(PictureKit.question().isAbout(picture, PictureKit.head(304, [])))
  }
}
