import HTTP
import Testing

@testable import Pictures

/// RFC 9111, section 3: what a shared cache may keep.
@Suite struct StorageRuleTests {
  private static func box(_ size: UInt8, _ text: String) -> [UInt8] { [0, 0, 0, size] + Array(text.utf8) }

  @Test(
    arguments: [
      ("", "max-age=9", 200, true), ("", "no-store", 200, false), ("", "No-StOrE", 200, false),
      ("", "no-store, max-age=9", 200, false), ("", "private", 200, false), ("", "private=\"x\"", 200, false),
      ("", "max-age=9", 206, false), ("", "max-age=9", 304, false), ("", "max-age=9", 500, true), ("", "", 500, false),
      ("", "public", 500, true), ("", "max-age=9", 599, true), ("", "max-age=9, must-understand", 599, false),
      ("", "max-age=9, no-store, must-understand", 200, true), ("", "max-age=9, no-store, must-understand", 599, false),
      ("", "", 200, true), ("", "", 201, false), ("no-store", "max-age=9", 200, false),
    ] as [(String, String, Int, Bool)])
  func `directives and statuses`(request: String, response: String, status: Int, isStored: Bool) {
    let question = PictureKit.question(request.isEmpty ? [] : [("Cache-Control", request)])
    let list = response.isEmpty ? [("ETag", "\"1\"")] : [("Cache-Control", response)]
    #expect((PictureKit.picture(list, status: status, for: question) != nil) == isStored)
  }

  @Test(
    arguments: [
      ("max-age=9", false), ("max-age=9, public", true), ("max-age=9, must-revalidate", true), ("s-maxage=9", true),
      ("max-age=9, proxy-revalidate", false),
    ] as [(String, Bool)])
  func `what was asked for with credentials`(response: String, isStored: Bool) {
    let question = PictureKit.question([("Authorization", "Bearer a")])
    #expect((PictureKit.picture([("Cache-Control", response)], for: question) != nil) == isStored)
  }

  @Test(arguments: [("max-age=9", false), ("max-age=9, public", true), ("s-maxage=9", true)])
  func `what sets a cookie`(response: String, isStored: Bool) {
    #expect((PictureKit.picture([("Cache-Control", response), ("Set-Cookie", "a=b")]) != nil) == isStored)
  }

  @Test(arguments: ["*", "Accept, *", "*, *", ", *"]) func `what varies by everything`(vary: String) {
    #expect(PictureKit.picture([("Cache-Control", "max-age=9"), ("Vary", vary)]) == nil)
  }

  @Test func `by access neither what is for one nor what is no success is kept`() {
    let week = Freshness.access(maximumAge: 1)
    for list in [
      [("Cache-Control", "no-store")], [("Cache-Control", "private")],
      [("Set-Cookie", "a=b"), ("Cache-Control", "public")],
      [("Vary", "*")],
    ] {
      #expect(PictureKit.picture(list, week) == nil, "\(list)")
    }
    #expect(PictureKit.picture([], status: 404, week) == nil)
    #expect(
      PictureKit.picture([("Cache-Control", "public")], for: PictureKit.question([("Authorization", "a")]), week) == nil
    )
    #expect(PictureKit.picture([("Cache-Control", "no-cache")], week) != nil)
  }

  @Test func `fields that end at this hop are not kept`() throws {
    let picture = try #require(
      PictureKit.picture([
        ("Cache-Control", "max-age=9"), ("Connection", "X-Hop, close"), ("X-Hop", "1"), ("Keep-Alive", "1"),
        ("Proxy-Authenticate", "a"), ("Transfer-Encoding", "chunked"), ("X-Far", "2"), ("Content-Type", "image/gif"),
      ]))
    #expect("\(picture.fields)" == "Cache-Control: max-age=9\nX-Far: 2\nContent-Type: image/gif")
  }

  @Test(
    arguments: [
      (["Accept"], [("Accept", "a, b")], [("Accept", "a,b")], true),
      (["Accept"], [("Accept", "a")], [("Accept", "b")], false),
      (["Accept"], [], [("Accept", "b")], false), (["Accept"], [("Accept", "b")], [], false),
      (["Accept"], [], [], true),
      (["accept, X-A"], [("X-A", "1"), ("Accept", "a")], [("Accept", "a"), ("X-A", "1")], true),
      (["Accept", "X-A"], [("X-A", "1")], [("X-A", "2")], false),
      (["Accept"], [("Accept", "a"), ("Accept", "b")], [("Accept", "a, b")], true), ([""], [("A", "1")], [], true),
    ] as [([String], [(String, String)], [(String, String)], Bool)])
  func `variants`(vary: [String], first: [(String, String)], second: [(String, String)], isSame: Bool) throws {
    let variant = try #require(
      Variant(response: PictureKit.fields(vary.map { ("Vary", $0) }), request: PictureKit.fields(first)))
    #expect(variant.matches(PictureKit.fields(second)) == isSame)
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], PictureKind.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
      (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
      (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
      (Self.box(16, "ftypheic\0\0\0\0"), .heic), (Self.box(16, "ftypavif\0\0\0\0"), .avif),
      (Self.box(24, "ftypisom\0\0\0\0mif1avif"), .heic), (Array("GIF90a".utf8), nil), ([], nil),
      (Self.box(16, "ftypmp42\0\0\0\0"), nil), (Array("<!doctype html>".utf8), nil),
    ] as [([UInt8], PictureKind?)])
  func `formats are known by their first bytes`(bytes: [UInt8], kind: PictureKind?) {
    #expect(PictureKind(signature: bytes) == kind)
  }

  @Test(
    arguments: [
      ("image/png", "", "<!doctype html><p>sorry", false), ("image/png", "", "sorry", false),
      ("text/html", "", "<p>", false),
      ("text/plain", "", "GIF89a", true), ("", "", "GIF89a", true), ("image/svg+xml", "", "<svg xmlns=", true),
      ("image/x-icon", "", "\0\0\u{1}\0", true), ("image/x-icon", "", "<html>", false), ("image/png", "", "", false),
      ("image/svg+xml; charset=utf-8", "gzip", "\u{1F}\u{8B}", true), ("text/html", "gzip", "\u{1F}\u{8B}", false),
    ] as [(String, String, String, Bool)])
  func `a 200 that is no image`(type: String, coding: String, body: String, isPicture: Bool) {
    var list: [(String, String)] = []
    if !type.isEmpty { list.append(("Content-Type", type)) }
    if !coding.isEmpty { list.append(("Content-Encoding", coding)) }
    #expect(PictureCheck.isPicture(PictureKit.fields(list), start: Array(body.utf8)) == isPicture)
  }
}
