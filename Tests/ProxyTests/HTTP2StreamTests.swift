import Bytes
import HTTP
import TLS
import Testing

/// Streams of HTTP/2 connections: each with its own decision and its own end.
@Suite struct HTTP2StreamTests {
  private func withPair(
    more: String = "", _ body: (TestProxy, Origin, HTTP2Peer, HTTP2Peer) async throws -> Void
  ) async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.http2()
      try await body(proxy, origin, client, try await origin.acceptHTTP2())
    }
  }

  @Test func `another authority is misdirected, and its neighbours are served`() async throws {
    try await withPair { proxy, _, client, server in
      let strange = try await client.request(authority: "b.test")
      let port = try await client.request(authority: "a.test:444")
      let good = try await client.request(authority: "A.test:443")
      let (stream, heard) = try await server.asked()
      #expect(heard.request?.authority == "a.test")
      try await server.respond(stream, body: "ok")
      #expect(try await client.response(good).text == "ok")
      #expect(try await client.response(strange).status == 421)
      #expect(try await client.response(port).status == 421)
      #expect(try await server.perform { $0.requests.count } == 1)
      let statuses = [try await proxy.record(), try await proxy.record(), try await proxy.record()].map { $0["status"] }
      #expect(statuses.filter { $0 == "421" }.count == 2)
    }
  }

  @Test func `a reload decides about the next stream`() async throws {
    try await withPair { proxy, origin, client, server in
      let running = try await client.request(.get, "/1")
      let (stream, _) = try await server.asked()
      try await proxy.reload(
        try proxy.configuration(
          ["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', action: 'reject' }] }"))
      let refused = try await client.request(.get, "/2")
      #expect(try await client.response(refused).status == 403)
      try await server.respond(stream, body: "still")
      #expect(try await client.response(running).text == "still")
      // The connection of the old rules is not kept.
      #expect(await server.peer.end() != nil)
      try await proxy.reload(try proxy.configuration(["a.test:443": origin]))
      let again = try await client.request(.get, "/3")
      let fresh = try await origin.acceptHTTP2()
      try await fresh.respond(try await fresh.asked().stream, body: "new")
      #expect(try await client.response(again).text == "new")
    }
  }

  @Test func `many exchanges share one connection to the origin`() async throws {
    try await withPair { proxy, origin, client, server in
      let second = try await proxy.http2()
      var streams: [(HTTP2Peer, Int32)] = []
      for index in 0..<40 {
        let asker = index % 2 == 0 ? client : second
        streams.append((asker, try await asker.request(.get, "/\(index)")))
      }
      #expect(await server.wait { $0.requests.count == 40 })
      for index in (0..<40).reversed() {
        let (stream, heard) = try await server.asked(index)
        try await server.respond(stream, body: heard.path)
      }
      for (index, (asker, stream)) in streams.enumerated() {
        #expect(try await asker.response(stream).text == "/\(index)")
      }
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `more streams than the origin takes use another connection`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let server = try await origin.acceptHTTP2 { $0.streamCount = 2 }
      let first = try await client.request(.get, "/first")
      try await server.respond(try await server.asked().stream)
      _ = try await client.response(first)
      var streams: [Int32] = []
      for index in 0..<4 { streams.append(try await client.request(.get, "/\(index)")) }
      let other = try await origin.acceptHTTP2()
      for index in 0..<2 {
        try await server.respond(try await server.asked(index + 1).stream, body: "one")
        try await other.respond(try await other.asked(index).stream, body: "two")
      }
      var texts: [String] = []
      for stream in streams { texts.append(try await client.response(stream).text) }
      #expect(texts.sorted() == ["one", "one", "two", "two"])
    }
  }

  // MARK: resets

  @Test func `a client's reset reaches the origin, and only that stream ends`() async throws {
    try await withPair { proxy, _, client, server in
      let doomed = try await client.request(.get, "/doomed")
      let other = try await client.request(.get, "/other")
      let (first, _) = try await server.asked(0)
      let (second, _) = try await server.asked(1)
      try await client.reset(doomed, .cancel)
      #expect(await server.wait { $0[first].end == .reset(.cancel) })
      let record = try await proxy.record()
      #expect(record["error.detail"]?.contains("client reset the stream with CANCEL") == true, "\(record)")
      #expect(record["stream"] == "\(doomed)")
      try await server.respond(second, body: "fine")
      #expect(try await client.response(other).text == "fine")
    }
  }

  @Test(arguments: [
    (HTTP2ErrorCode.cancel, HTTP2ErrorCode.cancel), (.internalError, .internalError),
    (.enhanceYourCalm, .enhanceYourCalm), (.protocolError, .internalError), (.refusedStream, .internalError),
    (.noError, .internalError),
  ])
  func `an origin's reset inside its answer reaches the client`(_ code: HTTP2ErrorCode, _ expected: HTTP2ErrorCode)
    async throws
  {
    try await withPair { proxy, _, client, server in
      let stream = try await client.request()
      let (asked, _) = try await server.asked()
      try await server.respond(asked, body: "half", ends: false)
      #expect(await client.wait { $0[stream].text == "half" })
      try await server.reset(asked, code)
      #expect(try await client.response(stream).end == .reset(expected))
      let record = try await proxy.record()
      #expect(record["status"] == "200" && record["error.code"] == "-1005")
      #expect(
        record["error.detail"]?.contains("reset the HTTP/2 stream of the request with \(code)") == true, "\(record)")
    }
  }

  @Test func `an origin's reset in place of an answer is a 502`() async throws {
    try await withPair { proxy, _, client, server in
      let stream = try await client.request(.post, body: "order")
      try await server.reset(try await server.asked().stream, .internalError)
      let answer = try await client.response(stream)
      #expect(answer.status == 502 && answer.end != .reset(.internalError))
      #expect(try await proxy.record()["error.detail"]?.contains("INTERNAL_ERROR") == true)
    }
  }

  @Test func `an HTTP/1.1 origin's cut inside its answer resets the stream`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request()
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      await server.close()
      #expect(try await client.response(stream).end == .reset(.internalError))
    }
  }

  @Test func `an origin's reset inside its answer cuts an HTTP/1.1 client off`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.acceptHTTP2()
      let (asked, _) = try await server.asked()
      try await server.respond(asked, body: "half", ends: false)
      #expect(await client.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains("half") })
      try await server.reset(asked, .cancel)
      #expect(try await client.response().isComplete == false)
    }
  }

  @Test func `a client that is gone takes its streams along`() async throws {
    try await withPair { proxy, origin, client, server in
      for index in 0..<3 { _ = try await client.request(.get, "/\(index)") }
      #expect(await server.wait { $0.requests.count == 3 })
      await client.peer.reset()
      #expect(
        await server.wait { http2 in http2.requests.allSatisfy { http2[$0].end == .reset(.cancel) } })
      for _ in 0..<3 { #expect(try await proxy.record()["error.proxyStatus"] == "connection_terminated") }
      // The origin's connection outlives it.
      let other = try await proxy.http2()
      let stream = try await other.request(.get, "/next")
      try await server.respond(try await server.asked(3).stream, body: "ok")
      #expect(try await other.response(stream).text == "ok")
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `an early answer stops the upload after it`() async throws {
    for spoken in EitherPeer.Spoken.allCases {
      let origin = try Origin.speaking(spoken)
      try await TestProxy.run(["a.test:443": origin]) { proxy in
        let client = try await proxy.http2()
        let stream = try await client.request(.post, body: "some", ends: false)
        switch try await origin.accept(spoken) {
        case .http1(let server):
          _ = try await server.head()
          await server.answer("enough")
        case .http2(let server):
          try await server.respond(try await server.asked(whole: false).stream, body: "enough")
        }
        #expect(await client.wait { $0[stream].end != nil })
        let answer = try await client.response(stream)
        #expect(answer.text == "enough" && answer.hasEnded && answer.end == .reset(.noError), "\(spoken)")
        #expect(try await proxy.record()["status"] == "200")
      }
    }
  }
}
