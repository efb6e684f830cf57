import Testing

/// Connections to origins: when one is used again, and what happens when it has died meanwhile.
@Suite struct OriginPoolTests {
  private func withPair(_ body: (TestProxy, Origin, Peer, Peer) async throws -> Void) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      try await exchange(client, server)
      _ = try await proxy.record()
      try await body(proxy, origin, client, server)
    }
  }

  @Test func `another client uses a connection that waits`() async throws {
    try await withPair { proxy, origin, _, server in
      let other = try await proxy.secured()
      #expect(try await exchange(other, server, "/2").text == "/2")
      let record = try await proxy.record()
      #expect(["1", "true"].contains(record["origin.reused"]) && record["timing.connect"] == nil)
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `a request that is safe to repeat survives a kept connection that died`() async throws {
    try await withPair { proxy, origin, client, server in
      await client.get("/again")
      _ = try await server.request()
      await server.close()
      let fresh = try await origin.accept()
      #expect(try await fresh.request().startLine == "GET /again HTTP/1.1")
      await fresh.answer("second try")
      #expect(try await client.response().text == "second try")
      let record = try await proxy.record()
      #expect(record["status"] == "200" && record["error"] == nil)
      #expect(await proxy.hasNoMoreRecords())
    }
  }

  @Test func `a PUT is repeated with its body`() async throws {
    try await withPair { proxy, origin, client, server in
      await client.send("PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nhello")
      #expect(try await server.request().text == "hello")
      await server.reset()
      let fresh = try await origin.accept()
      #expect(try await fresh.request().text == "hello")
      await fresh.answer()
      #expect(try await client.response().status == 200)
      let record = try await proxy.record()
      #expect(record["request.bytes"] == "5" && record["request.sha256"]?.hasPrefix("2cf24dba") == true)
    }
  }

  @Test func `a POST is never repeated`() async throws {
    try await withPair { proxy, origin, client, server in
      await client.post("order")
      _ = try await server.request()
      await server.close()
      let response = try await client.response()
      #expect(response.status == 502)
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1005" && record["error.proxyStatus"] == "connection_terminated", "\(record)")
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `a POST does not go into a connection that is known to be dead`() async throws {
    try await withPair { proxy, origin, client, server in
      await server.close()
      await client.post("order")
      let fresh = try await origin.accept()
      #expect(try await fresh.request().text == "order")
      await fresh.answer("ok")
      #expect(try await client.response().text == "ok")
    }
  }

  @Test func `a GET is repeated once only`() async throws {
    try await withPair { proxy, origin, client, server in
      await client.get()
      _ = try await server.request()
      await server.close()
      let fresh = try await origin.accept()
      _ = try await fresh.request()
      await fresh.close()
      #expect(try await client.response().status == 502)
      #expect(origin.connectionCount == 2)
    }
  }

  @Test func `a GET whose answer had begun is not repeated`() async throws {
    try await withPair { proxy, origin, client, server in
      await client.get()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Le")
      await server.close()
      #expect(try await client.response().status == 502)
      #expect(origin.connectionCount == 1)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
    "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
  ])
  func `a connection that the origin will not keep is not used again`(_ answer: String) async throws {
    try await withPair { _, origin, client, server in
      await client.get()
      _ = try await server.request()
      await server.send(answer)
      let response = try await client.response()
      #expect(response.text == "x" && response["Connection"] == nil, "the client's connection is another one")
      #expect(await server.end() != nil)
      await client.get("/2")
      let fresh = try await origin.accept()
      _ = try await fresh.request()
      await fresh.answer("2")
      #expect(try await client.response().text == "2")
    }
  }

  @Test func `bytes that nobody asked for end a connection`() async throws {
    try await withPair { _, origin, client, server in
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
      #expect(await server.end() != nil)
      await client.get("/clean")
      let fresh = try await origin.accept()
      _ = try await fresh.request()
      await fresh.answer("clean")
      #expect(try await client.response().text == "clean")
    }
  }

  @Test func `bytes after an answer never reach the next client`() async throws {
    try await withPair { _, origin, client, server in
      await client.get("/1")
      _ = try await server.request()
      await server.send(
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
      #expect(try await client.response().text == "1")
      await client.get("/2")
      let fresh = try await origin.accept()
      _ = try await fresh.request()
      await fresh.answer("2")
      #expect(try await client.response().text == "2")
    }
  }

  @Test func `two requests at once take two connections`() async throws {
    try await withPair { proxy, origin, client, server in
      let other = try await proxy.secured()
      await client.get("/1")
      #expect(try await server.request().startLine.contains("/1"))
      await other.get("/2")
      let second = try await origin.accept()
      #expect(try await second.request().startLine.contains("/2"))
      await second.answer("2")
      #expect(try await other.response().text == "2")
      await server.answer("1")
      #expect(try await client.response().text == "1")
    }
  }

  @Test func `an unused connection is closed after its time`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], upstream: "idleTimeout: '500ms'") { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      try await exchange(client, server)
      #expect(await server.end(within: .seconds(3)) != nil)
    }
  }

  @Test func `a quiet response is not an unused connection`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], upstream: "idleTimeout: '100ms'",
      more: "limits: { requestTimeout: '200ms', keepAlive: '100ms' }"
    ) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      await client.get()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      try await Task.sleep(for: .milliseconds(500))
      await server.send("cd")
      #expect(try await client.response().text == "abcd")
    }
  }
}
