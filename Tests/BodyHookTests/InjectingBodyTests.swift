import Bytes
import Codings
import HTML
import HTTP
import Testing

@testable import BodyHook

private func coded(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
  let encoder = try ContentEncoder(coding)
  let queue = ByteQueue()
  bytes.withUnsafeBytes { encoder.encode($0, into: queue) }
  encoder.finish(into: queue)
  return Array(queue.bytes)
}

private func plan(_ decoding: ContentCoding?, _ encoding: ContentCoding?) -> InjectionPlan {
  InjectionPlan(
    script: Samples.script(), place: .page(.html, declared: nil), uploadURL: "https://a.test/u", decoding: decoding,
    encoding: encoding)
}

@Suite struct InjectingBodyTests {
  private static let page = "<!doctype html><head><title>t</title>" + String(repeating: "<p>text</p>", count: 5_000)
  private static let expected = page.replacing("<head>", with: "<head><script>hook()</script>")

  @Test(arguments: ContentCoding.allCases, [1, 999_999])
  func aCodedPageGetsTheScript(coding: ContentCoding, size: Int) throws {
    for encoding in [ContentCoding.gzip, nil] {
      let pipe = try InjectingBody(plan(coding, encoding))
      let output = ByteQueue()
      try coded(Array(Self.page.utf8), coding).forEachPiece(of: size) { piece in
        pipe.receive(piece)
        while pipe.hasMore { try pipe.produce(into: output) }
      }
      #expect(pipe.finish(into: output))
      let body = DecodedBody(Array(output.bytes), contentEncoding: encoding?.rawValue ?? "", limit: 1 << 20)
      #expect(body.bytes == Array(Self.expected.utf8))
      #expect(body.gap == nil)
    }
  }

  @Test func whatHasComeCanBeReadAtOnce() throws {
    let encoder = try ContentEncoder(.zstd)
    let pipe = try InjectingBody(plan(.zstd, .gzip))
    let output = ByteQueue()
    let wire = ByteQueue()
    for part in ["<!doctype html><head>", "<title>"] {
      Array(part.utf8).withUnsafeBytes { encoder.encode($0, into: wire) }
      encoder.flush(into: wire)
      pipe.receive(wire.bytes)
      wire.removeAll()
      while pipe.hasMore { try pipe.produce(into: output) }
      let body = DecodedBody(Array(output.bytes), contentEncoding: "gzip", limit: 1_000)
      #expect(String(decoding: body.bytes, as: UTF8.self).hasSuffix(part == "<title>" ? part : "</script>"))
    }
  }

  @Test func aCallMakesNoMoreThanAPiece() throws {
    let bomb = try coded(Array("<p>".utf8) + [UInt8](repeating: 0x20, count: 4 << 20), .brotli)
    let pipe = try InjectingBody(plan(.brotli, nil))
    let output = ByteQueue()
    bomb.withUnsafeBytes { pipe.receive($0) }
    var total = 0
    while pipe.hasMore {
      try pipe.produce(into: output)
      #expect(output.count <= (32 << 10) + 100)
      total += output.count
      output.removeAll()
    }
    #expect(total == (4 << 20) + 3 + "<script>hook()</script>".utf8.count)
  }

  @Test func aCutBodyStaysCut() throws {
    let pipe = try InjectingBody(plan(.gzip, .gzip))
    let output = ByteQueue()
    Array(try coded(Array(Self.page.utf8), .gzip).dropLast(10)).withUnsafeBytes { pipe.receive($0) }
    while pipe.hasMore { try pipe.produce(into: output) }
    #expect(!pipe.finish(into: output))
    #expect(DecodedBody(Array(output.bytes), contentEncoding: "gzip", limit: 1 << 20).gap == .cut)
  }

  @Test func whatCannotBeDecodedIsAFault() throws {
    let pipe = try InjectingBody(plan(.gzip, .gzip))
    let output = ByteQueue()
    Array("<!doctype html>".utf8).withUnsafeBytes { pipe.receive($0) }
    #expect(throws: CodingFault.corrupt(.gzip)) { try pipe.produce(into: output) }
    #expect(!pipe.hasMore)
  }
}
