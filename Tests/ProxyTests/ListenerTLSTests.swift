import Bytes
import HTTP
import TLS
import Testing

/// Listeners that devices speak TLS to (`listeners[].tls`).
@Suite struct ListenerTLSTests {
  private static let listeners = "[{ address: '127.0.0.1:0', tls: { names: ['proxy.test', 'other.test'] } }]"

  /// A client in TLS with the proxy.
  private func door(_ proxy: TestProxy, _ name: String = "proxy.test") async throws -> Peer {
    let client = try await proxy.connect()
    #expect(try await client.secure(name) == nil)
    return client
  }

  @Test func `TLS to the origin inside TLS to the proxy`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], listeners: Self.listeners) { proxy in
      let client = try await door(proxy).inside()
      await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
      #expect(try await client.secure("a.test") == nil)
      let server = try await origin.accept()
      #expect(try await exchange(client, server, "/in").text == "/in")
      let bytes = Kit.bytes(1_200_000)
      await client.send("PUT /up HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(bytes.count)\r\n\r\n")
      await client.send(bytes)
      #expect(try await server.request().body == bytes)
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
      await server.send(bytes)
      #expect(try await client.response().body == bytes)
      #expect(try await proxy.record()["url"] == "https://a.test/in")
    }
  }

  @Test func `HTTP 2 inside`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], listeners: Self.listeners) { proxy in
      let client = try await door(proxy).inside()
      await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
      #expect(try await client.secure("a.test", alpn: ["h2"]) == nil)
      let http2 = try await HTTP2Peer(client, .client, { _ in }, sourceLocation: #_sourceLocation)
      let stream = try await http2.request(.get, "/2")
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, body: "two")
      #expect(try await http2.response(stream).text == "two")
    }
  }

  @Test func `plain requests, and plain ones inside a tunnel`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:80": origin], listeners: Self.listeners, more: "ats: { mode: 'observe' }") {
      proxy in
      let client = try await door(proxy)
      await client.get("http://a.test/x", host: "a.test")
      let server = try await origin.accept()
      #expect(try await server.request().startLine == "GET /x HTTP/1.1")
      await server.answer("x")
      #expect(try await client.response().text == "x")
      await client.send("CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
      await client.get("/y")
      #expect(try await server.request().startLine == "GET /y HTTP/1.1")
      await server.answer("y")
      #expect(try await client.response().text == "y")
    }
  }

  @Test func `a blind tunnel inside, closed as it should be`() async throws {
    let origin = try Origin.plain()
    let more = "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }"
    try await TestProxy.run(["a.test:25": origin], listeners: Self.listeners, more: more) { proxy in
      let client = try await door(proxy)
      await client.send("CONNECT a.test:25 HTTP/1.1\r\nHost: a.test:25\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
      let server = try await origin.accept()
      await server.send("220\r\n")
      #expect(String(decoding: await client.receive(5), as: UTF8.self) == "220\r\n")
      await client.send("QUIT\r\n")
      #expect(String(decoding: await server.receive(6), as: UTF8.self) == "QUIT\r\n")
      await server.send("221\r\n")
      await server.finish()
      #expect(await client.receiveAll() == "221\r\n")
      #expect(await client.perform { $0.end } == .orderly)
    }
  }

  @Test func `the device chooses among the names`() async throws {
    try await TestProxy.run(listeners: Self.listeners) { proxy in
      for (asked, shown) in [("proxy.test", "proxy.test"), ("other.test", "other.test")] {
        let client = try await door(proxy, asked)
        #expect(await client.perform { ($0.judge as? ProxyJudge)?.leaf?.commonName } == shown)
      }
      // For any other name there is the first, which is not for it.
      let stranger = try await proxy.connect()
      #expect(try await stranger.secure("third.test") != nil)
    }
  }

  @Test func `plain text gets an answer in plain text`() async throws {
    try await TestProxy.run(listeners: Self.listeners) { proxy in
      let client = try await proxy.connect()
      await client.get("http://a.test/", host: "a.test")
      let response = try await client.response()
      #expect(response.status == 400 && response.text.contains("https://"), "\(response.text)")
    }
  }

  @Test func `credentials are asked for inside`() async throws {
    let users = "me:$6$salt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4XMS130MTSuDDl3aCI6WouIL9AjRbLCelDCy.g.\n"
    try await TestProxy.run(
      listeners: Self.listeners, more: "access: { credentials: { htpasswd: 'users' } }, ats: { mode: 'off' }",
      files: ["users": users]
    ) { proxy in
      let client = try await door(proxy)
      await client.get("http://a.test/", host: "a.test")
      #expect(try await client.response().status == 407)
      await client.get(
        "http://a.test/", host: "a.test", fields: "Proxy-Authorization: Basic bWU6cGFzc3dvcmQ=\r\n")
      #expect(try await client.response().status == 403)
    }
  }

  @Test func `a reverse listener and SOCKS in TLS`() async throws {
    let origin = try Origin.tls()
    let listeners = """
      [{ address: '127.0.0.1:0', mode: 'reverse', origin: 'https://a.test', tls: { names: ['proxy.test'] } },
        { address: '127.0.0.1:0', mode: 'socks5', tls: { names: ['proxy.test'] } }]
      """
    try await TestProxy.run(["a.test:443": origin], listeners: listeners) { proxy in
      let client = try await door(proxy)
      await client.get("/r", host: "proxy.test")
      let server = try await origin.accept()
      #expect(try await server.request()["Host"] == "a.test")
      await server.answer("r")
      #expect(try await client.response().text == "r")
      let outer = try await proxy.connect(1)
      #expect(try await outer.secure("proxy.test") == nil)
      let socks = try await outer.inside()
      await socks.send([5, 1, 0, 5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187])
      #expect(await socks.receive(12).prefix(4) == [5, 0, 5, 0])
      #expect(try await socks.secure("a.test") == nil)
      await socks.get("/s")
      #expect(try await server.request().startLine == "GET /s HTTP/1.1")
      await server.answer("s")
      #expect(try await socks.response().text == "s")
    }
  }
}
