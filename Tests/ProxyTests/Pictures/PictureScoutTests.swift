import Bytes
import Codings
import HTTP
import Testing

@testable import Proxy

/// How much of a page is looked at.
@Suite struct PictureScoutTests {
  private static let page = "<img src=1.gif>\(String(repeating: " ", count: 300_000))<img src=2.gif>"

  private static func head(_ coding: String, type: String = "text/html") -> ResponseHead {
    ResponseHead(status: 200, fields: HeaderList([("Content-Type", type), ("Content-Encoding", coding)]))
  }

  private func found(_ coding: String, _ body: [UInt8], byteLimit: Int, pieces: Int = .max) throws -> [String] {
    var scout = try #require(PictureScout(Self.head(coding), byteLimit: byteLimit))
    var rest = body[...]
    while !rest.isEmpty {
      Array(rest.prefix(pieces)).withUnsafeBytes { scout.scan($0) }
      rest = rest.dropFirst(pieces)
    }
    while scout.isBehind { scout.readOn() }
    return scout.finish("https://a.test/")
  }

  private func coded(_ coding: String) throws -> [UInt8] {
    guard let coding = ContentCoding(token: coding) else { return Array(Self.page.utf8) }
    let encoder = try ContentEncoder(coding)
    let queue = ByteQueue()
    Array(Self.page.utf8).withUnsafeBytes { encoder.encode($0, into: queue) }
    encoder.finish(into: queue)
    return Array(queue.bytes)
  }

  @Test(arguments: ["identity", "gzip", "br", "zstd", "deflate"])
  func `what is far behind is not looked for`(coding: String) throws {
    let body = try coded(coding)
    for pieces in [1, 50, Int.max] where coding != "identity" || pieces > 1 {
      let near = try found(coding, body, byteLimit: 290_000, pieces: pieces)
      #expect(near == ["https://a.test/1.gif"], "in pieces of \(pieces)")
      let all = try found(coding, body, byteLimit: Self.page.utf8.count, pieces: pieces)
      #expect(all == ["https://a.test/1.gif", "https://a.test/2.gif"], "in pieces of \(pieces)")
    }
  }

  @Test func `a page that expands is looked at in turns`() throws {
    var scout = try #require(PictureScout(Self.head("br")))
    try coded("br").withUnsafeBytes { scout.scan($0) }
    #expect(scout.isBehind)
    var count = 0
    while scout.isBehind {
      scout.readOn()
      count += 1
    }
    #expect(count == 2)
    #expect(scout.finish("https://a.test/").count == 2)
  }

  @Test func `nothing is decoded behind the limit`() throws {
    // Its damage is behind what is looked at.
    let broken = try coded("gzip").dropLast(8) + [UInt8](repeating: 0xFF, count: 8)
    #expect(try found("gzip", Array(broken), byteLimit: 1_000) == ["https://a.test/1.gif"])
    #expect(try found("gzip", Array(broken), byteLimit: 1 << 20).isEmpty)
  }

  @Test(arguments: [("compress", "text/html"), ("gzip, br", "text/html"), ("gzip", "image/gif")])
  func `other answers are not looked at`(coding: String, type: String) {
    #expect(PictureScout(Self.head(coding, type: type)) == nil)
  }
}
