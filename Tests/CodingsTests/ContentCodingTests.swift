import Codings
import Testing

@Suite struct ContentCodingTests {
  @Test(arguments: [
    ("gzip", ContentCoding.gzip), ("X-GZIP", .gzip), ("Deflate", .deflate), ("br", .brotli), ("zstd", .zstd),
    ("compress", nil), ("identity", nil),
  ])
  func tokensAreKnown(token: String, coding: ContentCoding?) {
    #expect(ContentCoding(token: token) == coding)
  }
}
