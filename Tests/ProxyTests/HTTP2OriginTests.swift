import Bytes
import HTTP
import TLS
import Testing

/// Connections to HTTP/2 origins: when a request is sent again, and on what.
@Suite struct HTTP2OriginTests {
  private func withPair(
    upstream: String = "", more: String = "", _ body: (TestProxy, Origin, HTTP2Peer, HTTP2Peer) async throws -> Void
  ) async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], upstream: upstream, more: more) { proxy in
      let client = try await proxy.http2()
      try await body(proxy, origin, client, try await origin.acceptHTTP2())
    }
  }

  @Test func `a refused stream is sent again, whatever its method`() async throws {
    try await withPair { proxy, _, client, server in
      let stream = try await client.request(.post, body: "order")
      try await server.reset(try await server.asked(0).stream, .refusedStream)
      let (again, heard) = try await server.asked(1)
      #expect(heard.text == "order" && heard.request?.head.method == .post)
      try await server.respond(again, body: "done")
      #expect(try await client.response(stream).text == "done")
      #expect(try await proxy.record()["error"] == nil)
    }
  }

  @Test func `a stream that is refused again is a 502`() async throws {
    try await withPair { proxy, _, client, server in
      let stream = try await client.request(.post, body: "order")
      for index in 0..<2 { try await server.reset(try await server.asked(index).stream, .refusedStream) }
      #expect(try await client.response(stream).status == 502)
      let record = try await proxy.record()
      #expect(record["error.detail"]?.contains("REFUSED_STREAM") == true)
      #expect(try await server.perform { $0.requests.count } == 2)
    }
  }

  @Test func `HTTP_1_1_REQUIRED is obeyed and remembered`() async throws {
    try await withPair { proxy, origin, client, server in
      let stream = try await client.request(.post, body: "order")
      try await server.reset(try await server.asked().stream, .http11Required)
      let other = try await origin.accept()
      #expect(try await other.request().text == "order")
      await other.answer("old")
      #expect(try await client.response(stream).text == "old")
      let next = try await client.request(.get, "/next")
      #expect(try await other.request().startLine == "GET /next HTTP/1.1")
      await other.answer("old too")
      #expect(try await client.response(next).text == "old too")
      #expect(try await server.perform { $0.requests.count } == 1)
    }
  }

  @Test func `streams that a GOAWAY leaves out go to another connection`() async throws {
    try await withPair { proxy, origin, client, server in
      let first = try await client.request(.post, "/1", body: "one")
      let (kept, _) = try await server.asked()
      try await server.perform { $0.session.finishDrain() }
      let second = try await client.request(.post, "/2", body: "two")
      let fresh = try await origin.acceptHTTP2()
      let (moved, heard) = try await fresh.asked()
      #expect(heard.path == "/2" && heard.text == "two")
      try await fresh.respond(moved, body: "second")
      #expect(try await client.response(second).text == "second")
      try await server.respond(kept, body: "first")
      #expect(try await client.response(first).text == "first")
      #expect(await server.peer.end() != nil, "a connection that drains is closed when it is idle")
    }
  }

  @Test func `a GET survives a kept connection that died, a POST does not`() async throws {
    try await withPair { proxy, origin, client, server in
      let warm = try await client.request(.get, "/warm")
      try await server.respond(try await server.asked().stream)
      _ = try await client.response(warm)
      let get = try await client.request(.get, "/get")
      let post = try await client.request(.post, "/post", body: "order")
      _ = try await server.asked(2)
      await server.peer.reset()
      let fresh = try await origin.acceptHTTP2()
      let (again, heard) = try await fresh.asked()
      #expect(heard.path == "/get")
      try await fresh.respond(again, body: "again")
      #expect(try await client.response(get).text == "again")
      #expect(try await client.response(post).status == 502)
    }
  }

  @Test func `a connection that was silent for long is asked before it is used`() async throws {
    try await withPair(upstream: "idleTimeout: '1900ms'") { proxy, origin, client, server in
      let warm = try await client.request(.get, "/warm")
      try await server.respond(try await server.asked().stream)
      _ = try await client.response(warm)
      try await Task.sleep(for: .milliseconds(1_000))
      let stream = try await client.request(.post, "/next", body: "order")
      // Alive: the answer to the PING is there before a new handshake.
      try await server.respond(try await server.asked(1).stream, body: "alive")
      #expect(try await client.response(stream).text == "alive")
    }
  }

  @Test func `a connection that died silently is replaced`() async throws {
    try await withPair(upstream: "idleTimeout: '1900ms'") { proxy, origin, client, server in
      let warm = try await client.request(.get, "/warm")
      try await server.respond(try await server.asked().stream)
      _ = try await client.response(warm)
      await server.peer.pause(true)
      try await Task.sleep(for: .milliseconds(1_000))
      let stream = try await client.request(.post, "/next", body: "order")
      let fresh = try await origin.acceptHTTP2()
      try await fresh.respond(try await fresh.asked().stream, body: "fresh")
      #expect(try await client.response(stream).text == "fresh")
      #expect(try await proxy.record()["status"] == "200")
    }
  }

  @Test func `a rule can keep both sides on HTTP/1.1`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', http2: false }] }") {
      proxy in
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test", alpn: ["h2", "http/1.1"]) == nil)
      #expect(await client.perform { $0.session?.negotiated?.alpn } == "http/1.1")
      #expect(try await exchange(client, try await origin.accept()).status == 200)
    }
  }
}
