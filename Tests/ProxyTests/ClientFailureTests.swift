import Bytes
import TLS
import Testing

/// Clients that leave, stall or send nonsense, at every stage.
@Suite struct ClientFailureTests {
  private let origin: Origin

  init() throws {
    origin = try Origin.tls()
  }

  /// Whether the proxy still serves, which it must whatever happened.
  private func expectService(_ proxy: TestProxy) async throws {
    let client = try await proxy.connect()
    await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try await client.response().status == 400)
  }

  @Test(arguments: ["", "G", "CONNECT a.test:443 HTT", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.te"])
  func `leaving before the CONNECT is complete`(_ sent: String) async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      for ending in 0..<3 {
        let client = try await proxy.connect()
        await client.send(sent)
        switch ending {
        case 0: await client.close()
        case 1: await client.reset()
        default: await client.finish()
        }
      }
      try await expectService(proxy)
      #expect(origin.connectionCount == 0)
    }
  }

  @Test func `leaving after the CONNECT gives the prepared connection back`() async throws {
    try await TestProxy.run(["a.test:443": origin], upstream: "idleTimeout: '100ms'") { proxy in
      let client = try await proxy.tunnel()
      await client.close()
      let server = try await origin.accept()
      #expect(await server.end(within: .seconds(3)) != nil)
    }
  }

  @Test(arguments: [1, 5, 60])
  func `leaving in the middle of the hello`(_ count: Int) async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.tunnel()
      await client.send([0x16, 3, 1, 1, 0] + [UInt8](repeating: 1, count: count))
      await client.close()
      try await expectService(proxy)
    }
  }

  @Test func `a client that pins ends the handshake, and the tunnel's record says so`() async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test", trusting: PKI.stranger) == .tls(.refusedByJudge))
      let record = try await proxy.record("tunnel")
      #expect(
        ["1", "true"].contains(record["suspectedPinning"]) && record["sni"] == "a.test"
          && record["target"] == "a.test:443")
    }
  }

  @Test(arguments: [true, false])
  func `leaving in the middle of a request body`(_ isReset: Bool) async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 100\r\n\r\nhalf")
      let server = try await origin.accept()
      _ = try await server.head()
      if isReset { await client.reset() } else { await client.close() }
      #expect(await server.end() != nil, "the origin must see that the request was cut")
      let record = try await proxy.record()
      #expect(record["error.proxyStatus"] != nil && record["status"] == nil)
      #expect(await proxy.hasNoMoreRecords())
    }
  }

  @Test func `a cut chunked body does not look complete to the origin`() async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
      let server = try await origin.accept()
      _ = try await server.head()
      await client.finish()
      let rest = await server.receiveAll()
      #expect(rest.contains("half") && !rest.contains("\r\n0\r\n"))
    }
  }

  @Test func `a malformed chunk is refused and cut towards the origin`() async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
      let server = try await origin.accept()
      _ = try await server.head()
      await client.send("zz\r\n")
      #expect(try await client.response().status == 400)
      #expect(!(await server.receiveAll()).contains("\r\n0\r\n"))
      #expect(try await proxy.record()["status"] == "400")
    }
  }

  @Test(arguments: [true, false])
  func `leaving before the answer releases the origin`(_ isReset: Bool) async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      if isReset { await client.reset() } else { await client.finish() }
      #expect(await server.end() != nil)
      let record = try await proxy.record()
      #expect(record["status"] == nil && record["error.proxyStatus"] == "connection_terminated")
    }
  }

  @Test func `leaving in the middle of the answer releases the origin`() async throws {
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      _ = try await client.head()
      await client.reset()
      #expect(await server.end() != nil)
      let record = try await proxy.record()
      #expect(record["status"] == "200" && record["error"] != nil)
      #expect(await proxy.hasNoMoreRecords())
    }
  }

  @Test func `leaving while the origin is dialled`() async throws {
    try await TestProxy.run(["a.test:443": origin], upstream: "idleTimeout: '100ms'") { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept(securing: false)
      // A reset may overtake the request before it, which then never was.
      try await Task.sleep(for: .milliseconds(200))
      await client.reset()
      let record = try await proxy.record()
      #expect(record["error.proxyStatus"] == "connection_terminated")
      _ = try await origin.secure(server)
      #expect(await server.end(within: .seconds(3)) != nil, "nobody wants this connection")
    }
  }

  // MARK: slow ones

  @Test func `a head that never comes ends the connection silently`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { headTimeout: '150ms' }") { proxy in
      let client = try await proxy.connect()
      #expect(await client.end(within: .seconds(3)) == .orderly)
      #expect(await client.peek().isEmpty)
    }
  }

  @Test func `a head that is not completed is answered 408`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { headTimeout: '150ms' }") { proxy in
      let client = try await proxy.connect()
      await client.send("GET http://a.test/ HTTP/1.1\r\nX:")
      #expect(try await client.response().status == 408)
      #expect(await client.end() == .orderly)
      #expect(try await proxy.record()["status"] == "408")
    }
  }

  @Test func `a head that drips does not hold the connection longer`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { headTimeout: '300ms' }") { proxy in
      let client = try await proxy.connect()
      let begin = ContinuousClock.now
      await client.send("GET http://a.test/ HTTP/1.1\r\nX: ")
      while await client.perform({ $0.received.isEmpty && $0.end == nil }), ContinuousClock.now - begin < .seconds(8) {
        await client.send("a")
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(ContinuousClock.now - begin < .seconds(8), "each byte gave it more time")
    }
  }

  @Test func `a hello that is not completed ends the connection`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { headTimeout: '150ms' }") { proxy in
      let silent = try await proxy.tunnel()
      let half = try await proxy.tunnel()
      await half.send([0x16, 3, 1, 1, 0, 1])
      #expect(await silent.end(within: .seconds(3)) != nil)
      #expect(await half.end(within: .seconds(3)) != nil)
    }
  }

  @Test func `an announced body that never comes is given up`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { requestTimeout: '500ms' }") { proxy in
      let client = try await proxy.secured()
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\n")
      let server = try await origin.accept()
      _ = try await server.head()
      #expect(try await client.response().status == 408)
      #expect(await server.end(within: .seconds(3)) != nil)
    }
  }

  @Test func `a body that stalls is given up`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { requestTimeout: '500ms' }") { proxy in
      let client = try await proxy.secured()
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\nabc")
      let server = try await origin.accept()
      _ = try await server.head()
      #expect(try await client.response().status == 408)
      #expect(await server.end(within: .seconds(3)) != nil)
    }
  }

  @Test func `a connection without a next request is closed after its time`() async throws {
    try await TestProxy.run(["a.test:443": origin], more: "limits: { keepAlive: '150ms' }") { proxy in
      let client = try await proxy.secured()
      try await exchange(client, try await origin.accept())
      #expect(await client.end(within: .seconds(3)) != nil)
    }
  }
}
