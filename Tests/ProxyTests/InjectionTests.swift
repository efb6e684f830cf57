import BodyHook
import Bytes
import Codings
import Names
import Records
import TLS
import Testing

@testable import Proxy

/// Pages of hooked hosts on their way through the proxy.
@Suite struct InjectionTests {
  private static let hooked = "bodies: { hook: { hosts: ['a.test'] } }"
  private static let page = "<!doctype html><head><title>t</title>"
  private static let document = [("Sec-Fetch-Dest", "document"), ("Accept-Encoding", "gzip, deflate, br, zstd, dcb")]

  private struct Script {
    let text: String
    let version: String

    init() throws {
      let bytes = HookScript(hosts: [try HostPattern("a.test")], limit: 32 << 20, headLimit: 64 << 10).document
      let script = try #require(InjectedScript(bytes: bytes, digest: Digest.sha256(bytes)))
      text = String(decoding: script.bytes, as: UTF8.self)
      version = script.version
    }

    /// `page` as a client gets it.
    func page(_ page: String = InjectionTests.page) -> String {
      page.replacing("<head>", with: "<head><script>\(text)</script>")
    }
  }

  private func withPair(
    _ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken, parts: TestProxy.Parts = TestProxy.Parts(),
    _ body: (TestProxy, EitherPeer, () async throws -> EitherPeer) async throws -> Void
  ) async throws {
    let listener = try Origin.speaking(origin)
    try await TestProxy.run(["a.test:443": listener], more: Self.hooked, parts: parts) { proxy in
      try await body(proxy, try await proxy.client(client)) { try await listener.accept(origin) }
    }
  }

  private static func coded(_ text: String, _ coding: ContentCoding) throws -> [UInt8] {
    let encoder = try ContentEncoder(coding)
    let queue = ByteQueue()
    Array(text.utf8).withUnsafeBytes { encoder.encode($0, into: queue) }
    encoder.finish(into: queue)
    return Array(queue.bytes)
  }

  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `a page gets the script and its head is adapted`(
    _ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken
  ) async throws {
    let script = try Script()
    try await withPair(client, origin) { proxy, client, accept in
      let question = try await client.ask(
        "GET",
        fields: Self.document + [("If-None-Match", "\"old\""), ("If-Modified-Since", "x"), ("Range", "bytes=1-")])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.fields["accept-encoding"] == "gzip, deflate, br, zstd")
      for name in ["if-none-match", "if-modified-since", "range"] { #expect(asked.fields[name] == nil) }
      try await server.answer(
        stream,
        fields: [
          ("Content-Type", "text/html"), ("ETag", "\"v1\""), ("Last-Modified", "x"), ("Accept-Ranges", "bytes"),
          ("Content-Security-Policy", "script-src 'self'"),
        ], body: Self.page)
      let answer = try await client.answer(question)
      #expect(answer.text == script.page())
      #expect(answer.fields["etag"] == "W/\"pb\(script.version).v1\"")
      #expect(answer.fields["content-security-policy"]?.hasPrefix("script-src 'self' 'sha256-") == true)
      for name in ["content-length", "last-modified", "accept-ranges"] { #expect(answer.fields[name] == nil) }
      let record = try await proxy.record()
      #expect(record["response.bytes"] == "\(script.page().utf8.count)")
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `trailers follow the changed body`(_ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken) async throws {
    let script = try Script()
    try await withPair(client, origin) { _, client, accept in
      let question = try await client.ask("GET", fields: Self.document)
      let server = try await accept()
      let (stream, _) = try await server.asked()
      try await server.answer(
        stream, fields: [("Content-Type", "text/html")], body: Self.page, trailers: [("X-Sum", "1")])
      let answer = try await client.answer(question)
      #expect(answer.text == script.page())
      #expect(answer.trailers == ["x-sum": "1"])
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases)
  func `what the client has is confirmed with adapted fields`(_ origin: EitherPeer.Spoken) async throws {
    let script = try Script()
    try await withPair(.http1, origin) { _, client, accept in
      let tag = "W/\"pb\(script.version).v1\""
      let question = try await client.ask("GET", fields: Self.document + [("If-None-Match", tag)])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.fields["if-none-match"] == "\"v1\"")
      try await server.answer(
        stream, 304, fields: [("ETag", "\"v1\""), ("Content-Security-Policy", "connect-src 'self'")])
      let answer = try await client.answer(question)
      #expect(answer.status == 304 && answer.fields["etag"] == tag)
      #expect(answer.fields["content-security-policy"] == "connect-src 'self' blob:")
    }
  }

  private static let others: [(method: String, asked: [(String, String)], answered: [(String, String)], status: Int)] =
    [
      ("GET", [("Sec-Fetch-Dest", "empty")], [("Content-Type", "text/html")], 200),
      ("HEAD", document, [("Content-Type", "text/html"), ("Content-Length", "5")], 200),
      ("GET", document, [("Content-Type", "application/json")], 200),
      ("GET", document, [("Content-Type", "text/html"), ("Content-Disposition", "attachment")], 200),
      ("GET", document, [("Content-Type", "text/html"), ("Content-Range", "bytes 0-1/9")], 206),
      ("GET", document, [("Content-Type", "text/html"), ("Cache-Control", "no-transform")], 200),
      ("GET", document, [("Content-Type", "text/html"), ("Content-Encoding", "compress")], 200),
    ]

  @Test(arguments: others.indices)
  func `other answers stay as they are`(_ index: Int) async throws {
    let (method, asked, answered, status) = Self.others[index]
    try await withPair(.http1, .http1) { _, client, accept in
      let question = try await client.ask(method, fields: asked)
      let server = try await accept()
      let (stream, _) = try await server.asked()
      let fields = answered + [("ETag", "\"v1\""), ("Last-Modified", "x")]
      try await server.answer(stream, status, fields: fields, body: method == "HEAD" ? nil : Self.page)
      let answer = try await client.answer(question)
      #expect(answer.status == status && answer.text == (method == "HEAD" ? "" : Self.page))
      #expect(answer.fields["etag"] == "\"v1\"" && answer.fields["last-modified"] == "x")
      #expect(answer.fields["vary"] == nil)
    }
  }

  @Test func `a host that is not hooked is left alone`() async throws {
    let origin = try Origin.tls("b.test")
    try await TestProxy.run(["b.test:443": origin], more: Self.hooked) { proxy in
      let client = try await proxy.secured("b.test")
      await client.get(host: "b.test", fields: "Sec-Fetch-Dest: document\r\nIf-None-Match: \"x\"\r\n")
      let server = try await origin.accept()
      #expect(try await server.request()["If-None-Match"] == "\"x\"")
      await server.answer(Self.page, fields: "Content-Type: text/html\r\n")
      #expect(try await client.response().text == Self.page)
    }
  }

  @Test func `an HTTP 1.0 client gets the page until the end of the connection`() async throws {
    let script = try Script()
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.hooked) { proxy in
      let client = try await proxy.secured()
      await client.send("GET / HTTP/1.0\r\nHost: a.test\r\nAccept: text/html\r\n\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer(Self.page, fields: "Content-Type: text/html\r\n")
      let answer = try await client.response()
      #expect(answer.text == script.page())
      #expect(answer["Content-Length"] == nil && answer["Transfer-Encoding"] == nil)
    }
  }

  @Test(arguments: ContentCoding.allCases)
  func `the first bytes of a coded page leave before the last are there`(_ coding: ContentCoding) async throws {
    let script = try Script()
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.hooked) { proxy in
      let client = try await proxy.secured()
      await client.get(fields: "Sec-Fetch-Dest: document\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      let encoder = try ContentEncoder(coding)
      let queue = ByteQueue()
      Array(Self.page.utf8).withUnsafeBytes { encoder.encode($0, into: queue) }
      encoder.flush(into: queue)
      await server.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: \(coding.rawValue)\r\nConnection: close\r\n\r\n"
      )
      await server.send(Array(queue.bytes))
      // The client reads no coding, so it gets none.
      let wanted = script.page()
      let isThere = await client.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains(wanted) }
      #expect(isThere)
      queue.removeAll()
      encoder.finish(into: queue)
      await server.send(Array(queue.bytes))
      await server.finish()
      let answer = try await client.response()
      #expect(answer.text == wanted && answer.isComplete && answer["Content-Encoding"] == nil)
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases)
  func `a page that is cut stays cut`(_ spoken: EitherPeer.Spoken) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.hooked) { proxy in
      let client = try await proxy.client(spoken)
      let question = try await client.ask("GET", fields: Self.document)
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n\(Self.page)")
      await server.finish()
      switch client {
      case .http1(let peer): #expect(try await !peer.response().isComplete)
      case .http2(let peer): #expect(try await !peer.response(question.stream).hasEnded)
      }
      #expect(try await proxy.record()["error.proxyStatus"] != nil)
    }
  }

  @Test(arguments: [true, false])
  func `a coded body that is cut or broken never looks whole`(_ isBroken: Bool) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.hooked) { proxy in
      let client = try await proxy.secured()
      await client.get(fields: "Sec-Fetch-Dest: document\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      let whole = try Self.coded(Self.page, .gzip)
      let body = isBroken ? whole.prefix(10) + [UInt8](repeating: 0xFF, count: 50) : whole.dropLast(9)
      await server.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
      await server.send(Array(body))
      #expect(try await !client.response().isComplete)
      #expect(try await proxy.record()["error.detail"]?.contains(isBroken ? "decoded" : "content coding") == true)
    }
  }

  @Test func `a body that expands meets the back-pressure of its client`() async throws {
    let size = 16 << 20
    let bomb = try Self.coded(Self.page + String(repeating: " ", count: size), .gzip)
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.hooked) { proxy in
      let client = try await proxy.secured()
      await client.pause(true)
      await client.get(fields: "Sec-Fetch-Dest: document\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      await server.send(bomb)
      // Another client of the same loop is served meanwhile.
      let other = try await proxy.secured()
      await other.get("/other")
      let second = try await origin.accept()
      _ = try await second.request()
      await second.answer("other")
      #expect(try await other.response().text == "other")
      await client.pause(false)
      let isWhole = await client.wait(.seconds(60)) { $0.received.count > size }
      #expect(isWhole)
    }
  }

  @Test func `what is kept of a page is what the client got`() async throws {
    let script = try Script()
    let recorder = Recorder()
    let parts = TestProxy.Parts(recorder: recorder)
    try await withPair(.http1, .http1, parts: parts) { proxy, client, accept in
      let question = try await client.ask("GET", fields: [("Sec-Fetch-Dest", "iframe")])
      let server = try await accept()
      let (stream, _) = try await server.asked()
      try await server.answer(
        stream, fields: [("Content-Type", "text/html"), ("ETag", "\"v1\"")], body: Self.page)
      _ = try await client.answer(question)
      let response = try #require(try await recorder.exchange().response)
      #expect(response.text == script.page())
      #expect(response["etag"] == ["W/\"pb\(script.version).v1\""] && response["content-length"].isEmpty)
    }
  }
}
