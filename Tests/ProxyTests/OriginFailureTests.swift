import Bytes
import Testing

/// Origins that fail, at every stage, and how the client is told.
@Suite struct OriginFailureTests {
  /// What a refusal must say (contract, section 4).
  private func expect(
    _ proxy: TestProxy, _ response: Message, _ status: Int, _ code: Int?, _ error: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
    #expect(
      response["Proxy-Status"]?.hasPrefix("pinwarden; error=\(error); details=\"") == true,
      sourceLocation: sourceLocation)
    #expect(response["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
    let problem = try Record(response.body)
    #expect(
      problem["status"] == "\(status)" && problem["nsurlError.code"] == code.map(String.init),
      sourceLocation: sourceLocation)
    let record = try await proxy.record(sourceLocation: sourceLocation)
    #expect(
      record["status"] == "\(status)" && record["error.code"] == code.map(String.init), "\(record)",
      sourceLocation: sourceLocation)
    #expect(record["error.proxyStatus"] == error, "\(record)", sourceLocation: sourceLocation)
  }

  @Test func `a refused connection`() async throws {
    let origin = try ClosedPort()
    try await TestProxy.withClient(origin) { proxy, client in
      for _ in 0..<2 {
        await client.get()
        try await expect(proxy, try await client.response(), 502, -1004, "connection_refused")
      }
    }
  }

  @Test func `a name that does not exist`() async throws {
    try await TestProxy.run { proxy in
      let client = try await proxy.secured("nowhere.invalid")
      await client.get(host: "nowhere.invalid")
      try await expect(proxy, try await client.response(), 502, -1003, "dns_error")
    }
  }

  @Test func `a handshake that never ends`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withClient(origin, upstream: "connectTimeout: '200ms'") { proxy, client in
      await client.get()
      _ = try await origin.accept(securing: false)
      try await expect(proxy, try await client.response(), 504, -1001, "connection_timeout")
    }
  }

  @Test func `an origin without TLS`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.withClient(origin) { proxy, client in
      await client.get()
      let server = try await origin.accept()
      await server.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
      try await expect(proxy, try await client.response(), 502, -1200, "tls_protocol_error")
    }
  }

  @Test(arguments: [true, false])
  func `a connection that ends during the handshake`(_ isReset: Bool) async throws {
    let origin = try Origin.tls()
    try await TestProxy.withClient(origin) { proxy, client in
      await client.get()
      let server = try await origin.accept(securing: false)
      if isReset { await server.reset() } else { await server.close() }
      try await expect(proxy, try await client.response(), 502, -1005, "connection_terminated")
    }
  }

  @Test(arguments: [true, false])
  func `a connection that ends without an answer`(_ isReset: Bool) async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      if isReset { await server.reset() } else { await server.finish() }
      try await expect(proxy, try await client.response(), 502, -1005, "connection_terminated")
      #expect(origin.connectionCount == 1, "a new connection that fails is not tried again")
    }
  }

  @Test(arguments: [
    "hello\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n",
  ])
  func `an answer that is no HTTP`(_ answer: String) async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      await server.send(answer)
      let response = try await client.response()
      #expect(response.status == 502 && response["Proxy-Status"]?.contains("http_protocol_error") == true)
      #expect(await server.end() != nil)
    }
  }

  @Test func `an answer that does not come`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { requestTimeout: '200ms' }") { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      try await expect(proxy, try await client.response(), 504, -1001, "connection_read_timeout")
      #expect(await server.end() != nil)
    }
  }

  @Test(arguments: [true, false])
  func `a body of known length that is cut`(_ isReset: Bool) async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      #expect(await client.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains("half") })
      if isReset { await server.reset() } else { await server.finish() }
      let response = try await client.response()
      #expect(response.text == "half" && !response.isComplete)
      #expect(await client.end() == .truncated, "a cut answer must not end in good order")
      let record = try await proxy.record()
      #expect(
        record["status"] == "200" && record["error.code"] == "-1005"
          && record["error.proxyStatus"] == "connection_terminated")
    }
  }

  @Test func `a chunked body that is cut gets no last chunk`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      await server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
      #expect(await client.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains("half") })
      await server.close()
      let response = try await client.response()
      #expect(!response.isComplete)
      #expect(await client.end() == .truncated)
    }
  }

  @Test func `a body to the end of a TLS stream that is cut`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      await server.send("HTTP/1.1 200 OK\r\n\r\nhalf")
      #expect(await client.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains("half") })
      // FIN without close_notify: somebody in between may have cut it.
      await server.close()
      #expect(await client.end() == .truncated)
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1005")
    }
  }

  @Test func `garbage in the middle of a chunked body`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      await server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n")
      #expect(await client.end() == .truncated)
      let record = try await proxy.record()
      #expect(record["error.proxyStatus"] == "http_protocol_error")
    }
  }

  @Test func `a failing host does not disturb another`() async throws {
    let good = try Origin.tls("b.test")
    let bad = try Origin.tls("a.test")
    try await TestProxy.run(["a.test:443": bad, "b.test:443": good]) { proxy in
      let stuck = try await proxy.secured("a.test")
      await stuck.get()
      let client = try await proxy.secured("b.test")
      await client.get(host: "b.test")
      let server = try await good.accept()
      _ = try await server.request()
      await server.answer("fine")
      #expect(try await client.response().text == "fine")
    }
  }
}
