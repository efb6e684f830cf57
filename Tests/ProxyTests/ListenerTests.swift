import Testing

/// The other ways in: SOCKS, reverse, PROXY protocol, Unix sockets, the onboarding host, and what remote clients may not reach.
@Suite struct ListenerTests {
  // MARK: SOCKS

  private static let socks = "[{ address: '127.0.0.1:0', mode: 'socks5' }]"

  private func request(_ name: String, _ port: UInt16) -> [UInt8] {
    [5, 1, 0, 3, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(port >> 8), UInt8(port & 255)]
  }

  private func socksClient(_ proxy: TestProxy, _ name: String, _ port: UInt16 = 443) async throws -> (Peer, [UInt8]) {
    let client = try await proxy.connect()
    await client.send([5, 1, 0])
    #expect(await client.receive(2) == [5, 0])
    await client.send(request(name, port))
    return (client, await client.receive(10))
  }

  @Test func `SOCKS leads into interception`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], listeners: Self.socks) { proxy in
      let (client, reply) = try await socksClient(proxy, "a.test")
      #expect(reply == [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      #expect(try await client.secure("a.test") == nil)
      #expect(try await exchange(client, try await origin.accept(), "/s").text == "/s")
      #expect(try await proxy.record()["url"] == "https://a.test/s")
    }
  }

  @Test func `SOCKS to a bypassed host is a blind tunnel`() async throws {
    let origin = try Origin.plain()
    let more = "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }"
    try await TestProxy.run(["a.test:25": origin], listeners: Self.socks, more: more) { proxy in
      let (client, reply) = try await socksClient(proxy, "a.test", 25)
      #expect(reply.starts(with: [5, 0]))
      let server = try await origin.accept()
      await server.send("220")
      #expect(await client.receive(3) == Array("220".utf8))
    }
  }

  @Test func `SOCKS tells what is refused`() async throws {
    let closed = try ClosedPort()
    let more = "rules: { hosts: [{ host: 'no.test', action: 'reject' }, { host: 'off.test', action: 'bypass' }] }"
    try await TestProxy.run(["off.test:443": closed], listeners: Self.socks, more: more) { proxy in
      #expect(try await socksClient(proxy, "no.test").1.prefix(2) == [5, 2])
      #expect(try await proxy.record()["decision.decidedBy"] == "rule")
      #expect(try await socksClient(proxy, "off.test").1.prefix(2) != [5, 0])
      let old = try await proxy.connect()
      await old.send([4, 1, 0, 80, 1, 2, 3, 4, 0])
      #expect(await old.end() != nil)
      let wantsPassword = try await proxy.connect()
      await wantsPassword.send([5, 1, 2])
      #expect(await wantsPassword.receive(2) == [5, 0xFF])
      let bind = try await proxy.connect()
      await bind.send([5, 1, 0])
      _ = await bind.receive(2)
      await bind.send([5, 2, 0, 1, 1, 2, 3, 4, 0, 80])
      #expect(await bind.receive(2) == [5, 7])
    }
  }

  @Test func `SOCKS in single bytes, and everything at once`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], listeners: Self.socks) { proxy in
      let slow = try await proxy.connect()
      for byte in [5, 2, 2, 0] + request("a.test", 443) { await slow.send([byte]) }
      #expect(await slow.receive(12) == [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      #expect(try await slow.secure("a.test") == nil)
    }
  }

  private static let users =
    "me:$6$salt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4XMS130MTSuDDl3aCI6WouIL9AjRbLCelDCy.g.\n"

  @Test func `SOCKS asks for a password, and the user chooses the lane`() async throws {
    let more = """
      access: { credentials: { htpasswd: 'users' } },
      lanes: { mine: { users: ['me'], rules: { hosts: [{ host: 'a.test', action: 'reject' }] } } }
      """
    try await TestProxy.run(listeners: Self.socks, more: more, files: ["users": Self.users]) { proxy in
      let without = try await proxy.connect()
      await without.send([5, 1, 0])
      #expect(await without.receive(2) == [5, 0xFF])
      #expect(try await proxy.record()["status"] == "407")
      let wrong = try await proxy.connect()
      await wrong.send([5, 2, 0, 2])
      #expect(await wrong.receive(2) == [5, 2])
      await wrong.send([1, 2] + Array("me".utf8) + [5] + Array("wrong".utf8) + request("a.test", 443))
      #expect(await wrong.receive(2) == [1, 1])
      #expect(await wrong.end() != nil)
      #expect(try await proxy.record()["decision.decidedBy"] == "access")
      let right = try await proxy.connect()
      // All at once, and byte by byte.
      let bytes = [5, 1, 2, 1, 2] + Array("me".utf8) + [8] + Array("password".utf8) + request("a.test", 443)
      await right.send(bytes)
      #expect(await right.receive(6) == [5, 2, 1, 0, 5, 2])
      #expect(try await proxy.record()["lane"] == "mine")
      let slow = try await proxy.connect()
      for byte in bytes { await slow.send([byte]) }
      #expect(await slow.receive(6) == [5, 2, 1, 0, 5, 2])
    }
  }

  @Test func `an address target takes its name from the hello`() async throws {
    let origin = try Origin.tls("named.test")
    let port = try #require(UInt16(origin.address.split(separator: ":")[1]))
    try await TestProxy.run(listeners: Self.socks) { proxy in
      let client = try await proxy.connect()
      await client.send([5, 1, 0])
      _ = await client.receive(2)
      await client.send([5, 1, 0, 1, 127, 0, 0, 1, UInt8(port >> 8), UInt8(port & 255)])
      #expect(await client.receive(10).starts(with: [5, 0]))
      #expect(try await client.secure("named.test") == nil)
      // The origin that was dialled for the address is no use; the one for the name is.
      await client.get(host: "named.test:\(port)")
      let answered = await Kit.before(Peer.patience) { () -> Bool? in
        guard let server = try? await origin.accept(securing: false),
          (try? await origin.secure(server)) == nil, let request = try? await server.request()
        else { return nil }
        await server.answer("named")
        return request["Host"] == "named.test:\(port)"
      }
      #expect(answered == true)
      #expect(try await client.response().text == "named")
    }
  }

  // MARK: reverse, PROXY protocol, Unix

  @Test func `a reverse listener stands for its origin`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], listeners: "[{ address: '127.0.0.1:0', mode: 'reverse', origin: 'https://a.test' }]"
    ) { proxy in
      let client = try await proxy.connect()
      await client.get("/r?x=1", host: "whatever:8080")
      let server = try await origin.accept()
      let request = try await server.request()
      #expect(request.startLine == "GET /r?x=1 HTTP/1.1" && request["Host"] == "a.test")
      await server.answer("r")
      #expect(try await client.response().text == "r")
      #expect(try await proxy.record()["url"] == "https://a.test/r?x=1")
      await client.send("CONNECT b.test:443 HTTP/1.1\r\nHost: b.test:443\r\n\r\n")
      #expect(try await client.response().status == 400)
    }
  }

  private static let balanced = "[{ address: '127.0.0.1:0', proxyProtocol: ['127.0.0.0/8'] }]"
  private static let admitsRemote = "access: { clients: ['192.0.2.0/24', '2001:db8::/32'] }"

  @Test(
    arguments: [
      (Array("PROXY TCP4 192.0.2.9 192.0.2.1 4711 8080\r\n".utf8), "192.0.2.9:4711"),
      (Array("PROXY TCP6 2001:db8::9 2001:db8::1 4711 8080\r\n".utf8), "[2001:db8::9]:4711"),
      (
        [
          0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11, 0, 12, 192, 0, 2, 9, 192,
          0, 2, 1, 0x12, 0x67, 0x1F, 0x90,
        ],
        "192.0.2.9:4711"
      ),
    ] as [([UInt8], String)])
  func `a balancer tells the client's address`(_ header: [UInt8], _ client: String) async throws {
    try await TestProxy.run(listeners: Self.balanced, more: Self.admitsRemote) { proxy in
      let peer = try await proxy.connect()
      await peer.send(header + Array("GET http://x.test/ HTTP/1.1\r\nHost: x.test\r\n\r\n".utf8))
      #expect(try await peer.response().status == 403)
      #expect(try await proxy.record()["client"] == client)
    }
  }

  @Test func `a balancer's header in single bytes, and one that speaks for itself`() async throws {
    let v6 =
      [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x21, 0, 41] as [UInt8]
      + [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9] + [UInt8](repeating: 1, count: 16)
      + [0x12, 0x67, 0x1F, 0x90] + [0x04, 0, 2, 7, 7]
    let request = Array("GET http://x.test/ HTTP/1.1\r\nHost: x.test\r\n\r\n".utf8)
    let more = "access: { clients: ['2001:db8::/32', '127.0.0.1'] }"
    try await TestProxy.run(listeners: Self.balanced, more: more) { proxy in
      let slow = try await proxy.connect()
      for byte in v6 + request { await slow.send([byte]) }
      #expect(try await slow.response().status == 403)
      #expect(try await proxy.record()["client"] == "[2001:db8::9]:4711")
      // LOCAL: a health check of the balancer, whose own address counts.
      let local = try await proxy.connect()
      await local.send(Array(v6.prefix(12)) + [0x20, 0, 0, 0] + request)
      #expect(try await local.response().status == 403)
      #expect(try await proxy.record()["client"]?.hasPrefix("127.0.0.1:") == true)
    }
  }

  @Test func `a balancer on a Unix socket is believed`() async throws {
    let listeners = "[{ address: 'unix:b.sock', proxyProtocol: [] }]"
    try await TestProxy.run(listeners: listeners, more: Self.admitsRemote) { proxy in
      let peer = try await proxy.connect()
      await peer.send(
        "PROXY TCP4 192.0.2.9 192.0.2.1 4711 8080\r\nGET http://x.test/ HTTP/1.1\r\nHost: x.test\r\n\r\n")
      #expect(try await peer.response().status == 403)
      #expect(try await proxy.record()["client"] == "192.0.2.9:4711")
    }
  }

  @Test func `the told address is what access looks at`() async throws {
    try await TestProxy.run(listeners: Self.balanced, more: Self.admitsRemote) { proxy in
      let peer = try await proxy.connect()
      await peer.send("PROXY TCP4 198.51.100.1 192.0.2.1 1 2\r\nGET http://x.test/ HTTP/1.1\r\nHost: x.test\r\n\r\n")
      #expect(await peer.end() != nil)
      #expect(await peer.peek().isEmpty)
      let nonsense = try await proxy.connect()
      await nonsense.send("GET http://x.test/ HTTP/1.1\r\nHost: x.test\r\n\r\n")
      #expect(await nonsense.end() != nil)
      #expect(await nonsense.peek().isEmpty)
    }
  }

  @Test func `only balancers may tell an address`() async throws {
    try await TestProxy.run(listeners: "[{ address: '127.0.0.1:0', proxyProtocol: ['10.0.0.0/8'] }]") { proxy in
      let peer = try await proxy.connect()
      await peer.send("PROXY TCP4 192.0.2.9 192.0.2.1 4711 8080\r\n\r\n")
      #expect(try await peer.response().status == 400)
    }
  }

  @Test func `remote clients do not reach this machine`() async throws {
    let origin = try Origin.plain()
    let more =
      "\(Self.admitsRemote), ats: { mode: 'observe' }"
    try await TestProxy.run(["mapped:80": origin], listeners: Self.balanced, more: more) { proxy in
      let port = origin.address.split(separator: ":")[1]
      for target in [
        "127.0.0.1:\(port)", "localhost:\(port)", "[::ffff:127.0.0.1]:\(port)", "0.0.0.0:\(port)", "169.254.169.254:80",
      ] {
        let peer = try await proxy.connect()
        await peer.send(
          "PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\nGET http://\(target)/ HTTP/1.1\r\nHost: \(target)\r\n\r\n")
        let response = try await peer.response()
        #expect(response.status == 403, "\(target)")
        #expect(response["Proxy-Status"]?.contains("destination_ip_prohibited") == true, "\(target)")
        let record = try await proxy.record()
        #expect(record["decision.decidedBy"] == "target", "\(record)")
      }
      let tunnel = try await proxy.connect()
      await tunnel.send("PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\nCONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try await tunnel.response().status == 403)
      #expect(origin.connectionCount == 0)
      // What the operator maps is meant.
      let mapped = try await proxy.connect()
      await mapped.send("PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\nGET http://mapped/ HTTP/1.1\r\nHost: mapped\r\n\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("ok")
      #expect(try await mapped.response().text == "ok")
    }
  }

  @Test func `a rule may let remote clients through`() async throws {
    let origin = try Origin.plain()
    let port = origin.address.split(separator: ":")[1]
    let more =
      "\(Self.admitsRemote), rules: { hosts: [{ host: 'localhost', allowAddresses: ['127.0.0.0/8', '::1/128'] }] }"
    try await TestProxy.run(listeners: Self.balanced, more: more) { proxy in
      let peer = try await proxy.connect()
      await peer.send(
        "PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\nGET http://localhost:\(port)/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("ok")
      #expect(try await peer.response().text == "ok")
    }
  }

  @Test func `a Unix socket serves`() async throws {
    try await TestProxy.run(listeners: "[{ address: 'unix:p.sock' }]") { proxy in
      let client = try await proxy.connect()
      await client.get("http://x.test/", host: "x.test")
      #expect(try await client.response().status == 403)
    }
  }

  @Test func `the unspecified IPv6 address takes IPv4 clients too`() async throws {
    try await TestProxy.run(listeners: "[{ address: '[::]:0' }]") { proxy in
      let port = try #require(proxy.address().split(separator: ":").last)
      for (address, client) in [("127.0.0.1", "127.0.0.1:"), ("[::1]", "[::1]:")] {
        let peer = try await Kit.connect("\(address):\(port)")
        await peer.get("http://x.test/", host: "x.test")
        #expect(try await peer.response().status == 403)
        #expect(try await proxy.record()["client"]?.hasPrefix(client) == true)
        // It is a listener of ours by either address.
        await peer.get("http://\(address):\(port)/", host: "x")
        #expect(try await peer.response().status != 200)
        await peer.close()
        _ = try await proxy.record()
      }
    }
  }

  // MARK: the onboarding host

  @Test func `the onboarding host answers itself, in plain and in TLS`() async throws {
    try await TestProxy.run(more: "rules: { default: 'reject' }") { proxy in
      let plain = try await proxy.connect()
      await plain.get("http://pinwarden.internal/x?y", host: "pinwarden.internal")
      #expect(try await plain.response().text == "/x?y by \(proxy.address())")
      await plain.get("http://pinwarden.internal/ca.pem", host: "pinwarden.internal")
      let file = try await plain.response()
      #expect(file["Content-Disposition"] == "attachment; filename=\"ca.pem\"" && file.text == "PEM")
      let secured = try await proxy.secured("pinwarden.internal")
      await secured.get("/s", host: "pinwarden.internal")
      #expect(try await secured.response().text == "/s by \(proxy.address())")
      await secured.send("HEAD /s HTTP/1.1\r\nHost: pinwarden.internal\r\n\r\n")
      #expect(try await secured.response(to: "HEAD").status == 200)
    }
  }

  // MARK: plain HTTP

  @Test func `an absolute target becomes a path, and decides the host`() async throws {
    let box = try Origin.plain()
    try await TestProxy.run(["box:80": box]) { proxy in
      let client = try await proxy.connect()
      await client.send("GET http://box?q=1 HTTP/1.1\r\nHost: other\r\n\r\n")
      let server = try await box.accept()
      let request = try await server.request()
      #expect(request.startLine == "GET /?q=1 HTTP/1.1" && request["Host"] == "box")
      await server.answer("b")
      #expect(try await client.response().text == "b")
    }
  }
}
