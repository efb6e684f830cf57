import Bytes
import TLS
import Testing

/// Blind tunnels and relays: bytes as they are.
@Suite struct TunnelTests {
  private static let bypass = "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }"

  private func withTunnel(_ more: String = "", _ body: (TestProxy, Peer, Peer) async throws -> Void) async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin], more: "\(Self.bypass), \(more)") { proxy in
      let client = try await proxy.tunnel()
      try await body(proxy, client, try await origin.accept())
    }
  }

  @Test func `a server that speaks first is heard at once`() async throws {
    try await withTunnel { proxy, client, server in
      await server.send("220 mail\r\n")
      #expect(String(decoding: await client.receive(10), as: UTF8.self) == "220 mail\r\n")
      await client.send("QUIT\r\n")
      #expect(String(decoding: await server.receive(6), as: UTF8.self) == "QUIT\r\n")
      await client.close()
      #expect(await server.end() == .orderly)
      await server.close()
      let record = try await proxy.record("tunnel")
      #expect(record["sent"] == "6" && record["received"] == "10" && record["target"] == "a.test:443")
      #expect(record["sni"] == nil && !record.flag("suspectedPinning"))
    }
  }

  @Test func `TLS passes end to end, and its hello is recorded`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.bypass) { proxy in
      let client = try await proxy.tunnel()
      async let accepted = origin.accept()
      #expect(try await client.secure("a.test", alpn: ["http/1.1"], trusting: PKI.origins) == nil)
      let server = try await accepted
      #expect(try await exchange(client, server, "/through").text == "/through")
      await client.finish()
      await server.finish()
      let record = try await proxy.record("tunnel")
      #expect(record["sni"] == "a.test" && record["alpn"]?.contains("http/1.1") == true)
    }
  }

  @Test func `either side may end first`() async throws {
    try await withTunnel { proxy, client, server in
      await client.send("\u{1}request")
      await client.finish()
      #expect(await server.receiveAll() == "\u{1}request")
      await server.send("late answer")
      await server.finish()
      #expect(await client.receiveAll() == "late answer")
      let record = try await proxy.record("tunnel")
      #expect(record["received"] == "11")
    }
    try await withTunnel { _, client, server in
      await server.send("banner")
      await server.finish()
      #expect(await client.receiveAll() == "banner")
      await client.send("\u{1}more")
      #expect(String(decoding: await server.receive(5), as: UTF8.self) == "\u{1}more")
      await client.finish()
      #expect(await server.end() == .orderly)
    }
  }

  @Test func `a reset on one side ends the other`() async throws {
    try await withTunnel { _, client, server in
      await client.send("\u{1}x")
      _ = await server.receive(2)
      await client.reset()
      #expect(await server.end() != nil)
    }
    try await withTunnel { _, client, server in
      await server.reset()
      #expect(await client.end() != nil)
    }
  }

  @Test(arguments: ["GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
  func `plain HTTP in a blind tunnel is denied`(_ bytes: String) async throws {
    try await withTunnel { _, client, server in
      for byte in bytes.utf8 { await client.send([byte]) }
      let response = try await client.response()
      #expect(response.status == 403 && response.text.contains("-1022"))
      #expect(await server.end() != nil)
      #expect(await server.peek().isEmpty, "not one byte may pass")
    }
  }

  @Test func `plain HTTP in a blind tunnel passes where the policy permits it`() async throws {
    let origin = try Origin.plain()
    let more =
      "\(Self.bypass), ats: { dictionary: { NSExceptionDomains: { 'a.test': { NSExceptionAllowsInsecureHTTPLoads: true } } } }"
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.tunnel()
      await client.get("/plain")
      let server = try await origin.accept()
      #expect(try await server.request().names == ["Host"], "nothing is added")
      await server.answer("ok")
      #expect(try await client.response().text == "ok")
    }
  }

  @Test func `plain HTTP in an intercepted tunnel is judged by request`() async throws {
    try await TestProxy.run { proxy in
      let client = try await proxy.tunnel("b.test:443")
      await client.get(host: "b.test:443")
      let response = try await client.response()
      #expect(response.status == 403 && response.text.contains("-1022"))
    }
  }

  @Test func `much passes both ways while each side is slow for a time, and nothing is lost or moved`() async throws {
    try await withTunnel { proxy, client, server in
      await client.send([0, 1])
      #expect(await server.receive(2) == [0, 1])
      let up = Kit.bytes(6_000_000)
      let down = Kit.bytes(7_000_001)
      await server.pause(true)
      await client.pause(true)
      await client.send(up)
      await server.send(down)
      await server.pause(false)
      #expect(await server.receive(up.count) == up)
      await client.pause(false)
      #expect(await client.receive(down.count) == down)
      await client.send("end")
      await client.finish()
      #expect(await server.receiveAll() == "end")
      await server.send("bye")
      await server.finish()
      #expect(await client.receiveAll() == "bye")
      let record = try await proxy.record("tunnel")
      #expect(record["sent"] == "6000005" && record["received"] == "7000004", "\(record)")
    }
  }

  @Test func `what a server said before it broke off reaches the client`() async throws {
    try await withTunnel { proxy, client, server in
      await client.send([0, 1])
      _ = await server.receive(2)
      await server.send("too large")
      await server.reset()
      #expect(String(decoding: await client.receive(9), as: UTF8.self) == "too large")
      #expect(await client.end() != nil)
      let record = try await proxy.record("tunnel")
      #expect(record["received"] == "9")
    }
  }

  @Test func `what is neither TLS nor HTTP is refused in an intercepted tunnel`() async throws {
    try await TestProxy.run { proxy in
      let client = try await proxy.tunnel("b.test:443")
      await client.send("SSH-2.0-x\r\n\r\n")
      #expect(await client.end() != nil)
      #expect(await client.receiveAll().hasPrefix("HTTP/1.1 400 "))
      let record = try await proxy.record()
      #expect(record["status"] == "400" && record["url"]?.hasPrefix("https://b.test:443") == true, "\(record)")
      #expect(record["error.detail"]?.contains("bypass") == true)
    }
  }

  @Test func `a tunnel in which nothing is said is recorded`() async throws {
    try await TestProxy.run(more: "limits: { headTimeout: '200ms' }") { proxy in
      let silent = try await proxy.tunnel("b.test:25")
      #expect(await silent.end() != nil)
      let record = try await proxy.record("tunnel")
      #expect(record["target"] == "b.test:25" && record["detail"]?.contains("said nothing") == true)
      let gone = try await proxy.tunnel("b.test:443")
      await gone.finish()
      #expect(try await proxy.record("tunnel")["detail"]?.contains("before it had said anything") == true)
    }
  }

  @Test func `an origin that cannot be reached is told to the asker`() async throws {
    let origin = try ClosedPort()
    try await TestProxy.run(["a.test:443": origin], more: Self.bypass) { proxy in
      let client = try await proxy.connect()
      await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 502 && response["Proxy-Status"]?.contains("connection_refused") == true)
    }
  }

  @Test func `bytes right behind the CONNECT are not lost`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin], more: Self.bypass) { proxy in
      let client = try await proxy.connect()
      await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n\u{1}early")
      let server = try await origin.accept()
      #expect(String(decoding: await server.receive(6), as: UTF8.self) == "\u{1}early")
      #expect(try await client.response(to: "CONNECT").status == 200)
    }
  }

  @Test func `a CONNECT of HTTP 1.0 works`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin], more: Self.bypass) { proxy in
      let client = try await proxy.connect()
      await client.send("CONNECT a.test:443 HTTP/1.0\r\nHost: a.test\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
      let server = try await origin.accept()
      await server.send("hi")
      #expect(await client.receive(2) == Array("hi".utf8))
    }
  }

  @Test func `an idle tunnel is closed after its time`() async throws {
    try await withTunnel("limits: { tunnelIdle: '150ms' }") { proxy, client, server in
      #expect(await client.end(within: .seconds(3)) != nil)
      #expect(await server.end(within: .seconds(3)) != nil)
      _ = try await proxy.record("tunnel")
    }
  }

  // MARK: WebSocket

  private static let upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
  private static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

  /// A client and a connection that has served HTTP/1 before. A WebSocket cannot wait for a dial that may end in HTTP/2.
  private func pairInUse(_ proxy: TestProxy, _ origin: Origin) async throws -> (client: Peer, server: Peer) {
    let client = try await proxy.secured()
    let server = try await origin.accept()
    try await exchange(client, server)
    _ = try await proxy.record()
    return (client, server)
  }

  @Test func `after 101 bytes are relayed untouched`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let (client, server) = try await pairInUse(proxy, origin)
      await client.get("/ws", fields: Self.upgrade)
      let request = try await server.request()
      #expect(request["Upgrade"] == "websocket" && request["Connection"]?.lowercased() == "upgrade")
      // The first frame may come with the head.
      await server.send(Self.switching + "\u{1}frame")
      let response = try await client.response()
      #expect(response.status == 101 && response["Upgrade"] == "websocket")
      #expect(String(decoding: await client.receive(6), as: UTF8.self) == "\u{1}frame")
      await client.send("GET / HTTP/1.1\r\n\r\n")
      #expect(String(decoding: await server.receive(18), as: UTF8.self) == "GET / HTTP/1.1\r\n\r\n")
      await client.finish()
      #expect(await server.end() == .orderly)
      await server.send("bye")
      await server.finish()
      #expect(await client.receive(3) == Array("bye".utf8))
      let record = try await proxy.record()
      #expect(
        record["status"] == "101" && record["request.bytes"] == "18" && record["response.bytes"] == "9", "\(record)")
    }
  }

  @Test func `a refused upgrade is an ordinary answer`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let (client, server) = try await pairInUse(proxy, origin)
      await client.get("/ws", fields: Self.upgrade)
      _ = try await server.request()
      await server.answer("no")
      #expect(try await client.response().text == "no")
      #expect(try await exchange(client, server, "/next").text == "/next")
    }
  }

  @Test func `101 without being asked is no answer`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get("/plain")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send(Self.switching)
      let response = try await client.response()
      #expect(response.status == 502, "\(response.startLine)")
    }
  }

  @Test func `other upgrades are not asked for`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get(
        fields: "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n")
      let server = try await origin.accept()
      let request = try await server.request()
      #expect(request["Upgrade"] == nil && request["HTTP2-Settings"] == nil)
    }
  }

  @Test func `an idle WebSocket is closed after its time and recorded`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { webSocketIdle: '150ms' }") { proxy in
      let (client, server) = try await pairInUse(proxy, origin)
      await client.get("/ws", fields: Self.upgrade)
      _ = try await server.request()
      await server.send(Self.switching)
      #expect(try await client.response().status == 101)
      #expect(await client.end(within: .seconds(3)) != nil)
      #expect(await server.end(within: .seconds(3)) != nil)
      #expect(try await proxy.record()["status"] == "101")
    }
  }
}
