import Bytes
import HTTP
import TLS
import Testing

/// Connections of HTTP/2 clients as a whole: their windows, their ends, their abuse.
@Suite struct HTTP2ConnectionTests {
  private static let size = 2 << 20

  /// Waits until a number no longer grows, and tells it.
  private func settled(_ ask: () async throws -> Int) async throws -> Int {
    var last = -1
    for _ in 0..<100 {
      let now = try await ask()
      if now == last, now > 0 { return now }
      last = now
      try await Task.sleep(for: .milliseconds(120))
    }
    return last
  }

  // MARK: windows

  @Test(arguments: EitherPeer.Spoken.allCases)
  func `a slow client stops the origin, and no neighbour`(_ spoken: EitherPeer.Spoken) async throws {
    let origin = try Origin.speaking(spoken)
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      try await client.perform { $0.consumes = false }
      let slow = try await client.request(.get, "/slow")
      let bytes = Kit.bytes(Self.size)
      let server = try await origin.accept(spoken)
      let (asked, _) = try await server.asked()
      switch server {
      case .http1(let server):
        await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
        await server.send(bytes)
      case .http2(let server):
        try await server.respond(asked, ends: false)
        try await server.write(bytes, on: asked)
        try await server.end(asked)
        let left = try await settled { try await server.perform { $0.session.waitingByteCount(asked) } }
        #expect(left > Self.size / 2, "the proxy took nearly everything")
      }
      let window = 256 << 10
      let received = try await settled { try await client.perform { $0[slow].body.count } }
      #expect(received <= window)
      // The neighbour, over the same connections.
      let quick = try await client.request(.get, "/quick")
      switch spoken {
      case .http1:
        let other = try await origin.accept()
        _ = try await other.request()
        await other.answer("quick")
      case .http2:
        guard case .http2(let server) = server else { return }
        try await server.respond(try await server.asked(1).stream, body: "quick")
      }
      #expect(try await client.response(quick).text == "quick")
      try await client.perform { $0.consumeAll() }
      #expect(await client.wait(.seconds(30)) { $0[slow].body.count == Self.size && $0[slow].hasEnded })
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases)
  func `a slow origin stops the client`(_ spoken: EitherPeer.Spoken) async throws {
    let origin = try Origin.speaking(spoken)
    try await TestProxy.run(["a.test:443": origin], more: "limits: { requestTimeout: '60s' }") { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.put, ends: false)
      let bytes = Kit.bytes(Self.size)
      let server = try await origin.accept(spoken)
      let asked: Int32
      switch server {
      case .http1(let server):
        asked = 0
        _ = try await server.head()
        await server.pause(true)
      case .http2(let server):
        try await server.perform { $0.consumes = false }
        asked = try await server.asked(whole: false).stream
      }
      try await client.write(bytes, on: stream)
      try await client.end(stream)
      let left = try await settled { try await client.perform { $0.session.waitingByteCount(stream) } }
      if case .http2 = server { #expect(left > Self.size / 2, "the proxy took nearly everything") }
      switch server {
      case .http1(let server):
        await server.pause(false)
        #expect(await server.wait(.seconds(30)) { $0.received.count > Self.size })
        await server.answer("all")
      case .http2(let server):
        try await server.perform { $0.consumeAll() }
        #expect(await server.wait(.seconds(30)) { $0[asked].hasEnded })
        #expect(try await server.perform { $0[asked].body } == bytes)
        try await server.respond(asked, body: "all")
      }
      #expect(try await client.response(stream).text == "all")
    }
  }

  @Test func `windows of one byte lose nothing`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2 { $0.streamWindow = 1 }
      let stream = try await client.request(.post, body: "question")
      let server = try await origin.acceptHTTP2()
      let (asked, heard) = try await server.asked()
      #expect(heard.text == "question")
      try await server.respond(asked, body: "byte by byte")
      #expect(try await client.response(stream).text == "byte by byte")
    }
  }

  // MARK: ends

  @Test func `a drain lets running streams finish and takes no new ones`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request()
      let server = try await origin.acceptHTTP2()
      let (asked, _) = try await server.asked()
      let ending = Task { await proxy.drain() }
      #expect(await client.wait { !$0.goaways.isEmpty })
      #expect(try await client.perform { $0.goaways.allSatisfy { $0 == .noError } })
      try await server.respond(asked, body: "to the end")
      #expect(try await client.response(stream).text == "to the end")
      #expect(await client.peer.end() != nil)
      await ending.value
    }
  }

  @Test func `an idle client is told before its connection ends`() async throws {
    try await TestProxy.run(more: "limits: { keepAlive: '1s' }") { proxy in
      let client = try await proxy.http2()
      #expect(await client.peer.end() != nil)
      #expect(try await client.perform { $0.goaways } == [.noError])
    }
  }

  // MARK: abuse

  @Test func `a client that resets too many streams is sent away, and that is logged`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { http2: { resets: 50 } }") { proxy in
      let client = try await proxy.http2()
      for _ in 0..<10 {
        try await client.perform { http2 in
          for _ in 0..<10 {
            let stream = try? http2.session.submitRequest(
              RequestHead(method: .get, target: "/", fields: HeaderList()), scheme: "https", authority: "a.test",
              framing: .none, via: nil)
            // The request has to be out, or it is never sent.
            http2.flush()
            if let stream { http2.session.reset(stream, .cancel) }
          }
        }
      }
      #expect(await client.peer.end() != nil)
      #expect(try await client.perform { $0.goaways.last } == .enhanceYourCalm)
      let record = try await proxy.record("http2-failed")
      #expect(record["code"] == "ENHANCE_YOUR_CALM" && record["level"] == "warning", "\(record)")
    }
  }

  @Test func `a head beyond the limit is answered 431, and the connection goes on`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { head: 8192 }") { proxy in
      let client = try await proxy.http2()
      let large = try await client.request(fields: [("x-large", String(repeating: "x", count: 10_000))])
      #expect(try await client.response(large).status == 431)
      let stream = try await client.request()
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, body: "ok")
      #expect(try await client.response(stream).text == "ok")
    }
  }
}
