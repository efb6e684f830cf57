import Bytes
import Codings
import Testing

private func coded(_ text: String, _ codings: ContentCoding...) throws -> [UInt8] {
  try codings.reduce(Array(text.utf8)) { bytes, coding in
    let encoder = try ContentEncoder(coding)
    let queue = ByteQueue()
    bytes.withUnsafeBytes { encoder.encode($0, into: queue) }
    encoder.finish(into: queue)
    return Array(queue.bytes)
  }
}

@Suite struct DecodedBodyTests {
  @Test func severalCodingsAreUndoneFromTheLast() throws {
    let body = DecodedBody(try coded("page", .brotli, .gzip), contentEncoding: "br, GZIP", limit: 100)
    #expect(body.bytes == Array("page".utf8))
    #expect(body.gap == nil)
  }

  @Test(arguments: ["", "identity", " , "])
  func withoutACodingTheBytesStay(contentEncoding: String) {
    let body = DecodedBody(Array("page".utf8), contentEncoding: contentEncoding, limit: 4)
    #expect(body.bytes == Array("page".utf8))
    #expect(body.gap == nil)
  }

  @Test(arguments: ["gzip", "identity"])
  func noMoreIsShownThanIsWanted(contentEncoding: String) throws {
    let bytes = contentEncoding == "gzip" ? try coded("page", .gzip) : Array("page".utf8)
    let body = DecodedBody(bytes, contentEncoding: contentEncoding, limit: 3)
    #expect(body.bytes == Array("pag".utf8))
    #expect(body.gap == .limit)
  }

  @Test func anUnknownCodingIsNamed() {
    #expect(DecodedBody([1, 2], contentEncoding: "gzip, compress", limit: 9).gap == .unknown(coding: "compress"))
  }

  @Test func aCutCopyShowsItsBeginning() throws {
    let whole = String(repeating: "0123456789 page\n", count: 9) + "end"
    let body = DecodedBody(Array(try coded(whole, .gzip).dropLast(8)), contentEncoding: "gzip", limit: 1_000)
    #expect(body.gap == .cut)
    #expect(Array(whole.utf8).starts(with: body.bytes))
  }

  @Test func bytesThatAreNoneOfTheCodingAreTold() {
    #expect(DecodedBody([UInt8](repeating: 0xFF, count: 99), contentEncoding: "br", limit: 9).gap == .corrupt(.brotli))
  }
}
