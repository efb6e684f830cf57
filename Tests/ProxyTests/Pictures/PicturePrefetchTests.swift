import BodyHook
import Bytes
import Codings
import HTTP
import Names
import TLS
import Testing

@testable import Proxy

/// Pictures that pages in a content coding name.
@Suite struct PicturePrefetchTests {
  private static let settings = "pictures: { hosts: ['a.test'], prefetch: true }"

  private static func page(_ picture: String) -> String { "<!doctype html><head><title>t</title><img src=\(picture)>" }

  private static func coded(_ text: String, _ coding: ContentCoding) throws -> [UInt8] {
    let encoder = try ContentEncoder(coding)
    let queue = ByteQueue()
    Array(text.utf8).withUnsafeBytes { encoder.encode($0, into: queue) }
    encoder.finish(into: queue)
    return Array(queue.bytes)
  }

  private func answer(_ server: HTTP2Peer, _ stream: Int32, _ coding: String, _ body: [UInt8]) async throws {
    try await server.respond(
      stream, fields: [("content-type", "text/html"), ("content-encoding", coding)], ends: false)
    try await server.write(body, on: stream)
    try await server.end(stream)
  }

  /// The origin is asked for the picture next, and it is loaded.
  private func expectLoading(_ path: String, _ server: HTTP2Peer, _ index: Int, _ proxy: TestProxy) async throws {
    let (stream, asked) = try await server.asked(index)
    #expect(asked.path == path)
    try await server.respond(stream, fields: [("cache-control", "max-age=60")], body: Pictures.gif)
    let metrics = try await proxy.metrics("picture_cache_prefetched_total", reach: 1)
    #expect(metrics["picture_cache_prefetched_total"] == 1)
  }

  @Test(arguments: ContentCoding.allCases)
  func `pictures of a coded page are loaded ahead, and the page stays as it is`(_ coding: ContentCoding) async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: Self.settings) { proxy in
      let client = try await proxy.secured()
      await client.get(fields: "Accept-Encoding: \(coding.rawValue)\r\n")
      let server = try await origin.acceptHTTP2()
      let body = try Self.coded(String(repeating: " ", count: 300_000) + Self.page("1.gif"), coding)
      try await answer(server, try await server.asked().0, coding.rawValue, body)
      let got = try await client.response()
      #expect(got.body == body && got["Content-Encoding"] == coding.rawValue)
      try await expectLoading("/1.gif", server, 1, proxy)
      await client.get("/1.gif")
      #expect(try await client.response().text == Pictures.gif)
      #expect(try proxy.metrics()["picture_cache_hits_total"] == 1)
    }
  }

  enum Fault: CaseIterable {
    case broken, cut, unknown, twice
  }

  private func faulty(_ fault: Fault) throws -> (coding: String, body: [UInt8]) {
    let long = Self.page("1.gif") + String(decoding: Kit.bytes(2_000).map { 0x30 | $0 & 0x0F }, as: UTF8.self)
    let whole = try Self.coded(long, .gzip)
    switch fault {
    case .broken: return ("gzip", whole.dropLast(100) + [UInt8](repeating: 0xFF, count: 100))
    case .cut: return ("gzip", whole.dropLast(9))
    case .unknown: return ("compress", whole)
    case .twice: return ("gzip, gzip", whole)
    }
  }

  @Test(arguments: Fault.allCases)
  func `what cannot be decoded passes untouched, and nothing is loaded for it`(_ fault: Fault) async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: Self.settings) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.acceptHTTP2()
      let (coding, body) = try faulty(fault)
      try await answer(server, try await server.asked().0, coding, body)
      let got = try await client.response()
      #expect(got.body == body && got.isComplete && got["Content-Encoding"] == coding)
      // What the first page names would be asked for before what the second one names.
      await client.get("/second")
      let (stream, asked) = try await server.asked(1)
      #expect(asked.path == "/second")
      try await answer(server, stream, "gzip", try Self.coded(Self.page("2.gif"), .gzip))
      _ = try await client.response()
      try await expectLoading("/2.gif", server, 2, proxy)
    }
  }

  @Test func `a page that gets the script is read as the origin sent it`() async throws {
    let origin = try Origin.http2()
    let more = "\(Self.settings), bodies: { hook: { hosts: ['a.test'] } }"
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.secured()
      await client.get(fields: "Sec-Fetch-Dest: document\r\nAccept-Encoding: gzip\r\n")
      let server = try await origin.acceptHTTP2()
      let page = Self.page("1.gif")
      try await answer(server, try await server.asked().0, "br", try Self.coded(page, .brotli))
      let got = try await client.response()
      let text = DecodedBody(got.body, contentEncoding: got["Content-Encoding"] ?? "", limit: 1 << 20)
      let script = HookScript(hosts: [try HostPattern("a.test")], limit: 32 << 20, headLimit: 64 << 10).document
      let bytes = try #require(InjectedScript(bytes: script, digest: Digest.sha256(script))).bytes
      let tag = "<head><script>\(String(decoding: bytes, as: UTF8.self))</script>"
      #expect(text.gap == nil && String(decoding: text.bytes, as: UTF8.self) == page.replacing("<head>", with: tag))
      try await expectLoading("/1.gif", server, 1, proxy)
    }
  }
}
