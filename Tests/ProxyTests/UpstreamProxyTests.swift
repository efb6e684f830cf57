import Bytes
import HTTP
import Names
import TLS
import Testing

/// Another proxy on the way to the origins.
@Suite struct UpstreamProxyTests {
  private func through(
    _ company: Company, url: String? = nil, origins: [String: any Destination] = [:], upstream: String = "",
    more: String = "", _ body: (TestProxy) async throws -> Void
  ) async throws {
    try await TestProxy.run(origins, upstream: "proxy: '\(url ?? company.url)', \(upstream)", more: more, body)
  }

  // MARK: CONNECT

  @Test func `an https origin is reached by CONNECT, and judged behind the proxy`() async throws {
    let company = try Company()
    try await through(company) { proxy in
      let client = try await proxy.secured()
      let (way, request) = try await company.grant(as: PKI.server("a.test"))
      #expect(request.startLine == "CONNECT a.test:443 HTTP/1.1" && request["Host"] == "a.test:443")
      #expect(request["Via"] != nil && request["Proxy-Authorization"] == nil)
      #expect(try await exchange(client, way, "/x").text == "/x")
      let record = try await proxy.record()
      #expect(record["origin.address"] == company.door.address && record["origin.proxy"] == company.url)
      #expect(record["timing.dns"] == nil && record["ats.verdict"] == "pass")
      // The connection is kept, and is the origin's.
      #expect(try await exchange(client, way, "/y").text == "/y")
      #expect(try await proxy.record().flag("origin.reused"))
    }
  }

  @Test func `a wrong certificate behind the proxy is refused as everywhere`() async throws {
    let company = try Company()
    try await through(company) { proxy in
      let client = try await proxy.secured()
      let (way, _) = try await company.grant()
      let identity = try PKI.server("other.test")
      Task { try await way.secure(as: identity, try .init()) }
      await client.get()
      let response = try await client.response()
      #expect(response.status == 502 && response.text.contains("-1202"), "\(response.text)")
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1202" && record["origin.proxy"] == company.url)
    }
  }

  @Test func `HTTP 2 goes through it`() async throws {
    let company = try Company()
    try await through(company) { proxy in
      let client = try await proxy.http2()
      let (way, _) = try await company.grant(as: PKI.server("a.test"), alpn: ["h2"])
      let server = try await HTTP2Peer(way, .server, { _ in }, sourceLocation: #_sourceLocation)
      let stream = try await client.request(.get, "/2")
      try await server.respond(try await server.asked().stream, body: "two")
      #expect(try await client.response(stream).text == "two")
      #expect(try await proxy.record()["origin.proxy"] == company.url)
    }
  }

  @Test func `credentials go to the proxy and no further`() async throws {
    let company = try Company()
    let url = "http://user:pa%20ss@\(company.door.address)"
    try await through(company, url: url, more: "ats: { mode: 'observe' }") { proxy in
      let client = try await proxy.secured()
      let (way, request) = try await company.grant(as: PKI.server("a.test"))
      #expect(request["Proxy-Authorization"] == "Basic dXNlcjpwYSBzcw==")
      await client.get("/", fields: "Proxy-Authorization: Basic bWluZQ==\r\n")
      #expect(try await way.request()["Proxy-Authorization"] == nil)
      await way.answer()
      _ = try await client.response()
      let plain = try await proxy.connect()
      await plain.get("http://b.test/", host: "b.test", fields: "Proxy-Authorization: Basic bWluZQ==\r\n")
      let (other, forwarded) = try await company.asked()
      #expect(forwarded["Proxy-Authorization"] == "Basic dXNlcjpwYSBzcw==")
      #expect(forwarded.names.count { $0 == "Proxy-Authorization" } == 1)
      await other.answer("b")
      #expect(try await plain.response().text == "b")
      for _ in 0..<2 {
        let record = try await proxy.record()
        #expect(record["origin.proxy"] == company.url && !record.description.contains("pa ss"))
      }
    }
  }

  @Test func `an IPv6 target is bracketed, an international name an A-label`() async throws {
    let company = try Company()
    try await through(company) { proxy in
      for (target, wanted) in [
        ("[2001:db8::1]:443", "[2001:db8::1]:443"), ("XN--BCHER-KVA.Test:443", "xn--bcher-kva.test:443"),
      ] {
        let client = try await proxy.connect()
        await client.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n")
        #expect(try await client.response(to: "CONNECT").status == 200)
        let (_, request) = try await company.asked()
        #expect(request.startLine == "CONNECT \(wanted) HTTP/1.1" && request["Host"] == wanted)
      }
    }
  }

  @Test func `a blind tunnel goes through it, and early bytes of the server are not lost`() async throws {
    let company = try Company()
    let more = "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }"
    try await through(company, more: more) { proxy in
      let client = try await proxy.connect()
      await client.send("CONNECT a.test:25 HTTP/1.1\r\nHost: a.test:25\r\n\r\n")
      let (way, request) = try await company.grant(early: "220 mail\r\n")
      #expect(request.startLine == "CONNECT a.test:25 HTTP/1.1")
      #expect(try await client.response(to: "CONNECT").status == 200)
      #expect(String(decoding: await client.receive(10), as: UTF8.self) == "220 mail\r\n")
      await client.send("QUIT\r\n")
      #expect(String(decoding: await way.receive(6), as: UTF8.self) == "QUIT\r\n")
      await client.finish()
      await way.finish()
      let record = try await proxy.record("tunnel")
      #expect(record["proxy"] == company.url && record["received"] == "10" && record["sent"] == "6")
    }
  }

  // MARK: plain HTTP

  private static let observe = "ats: { mode: 'observe' }"

  @Test func `plain HTTP goes with absolute targets, over one connection`() async throws {
    let company = try Company()
    try await through(company, more: Self.observe) { proxy in
      let client = try await proxy.connect()
      await client.get("http://a.test:8080/x?y=1", host: "a.test:8080")
      let (way, request) = try await company.asked()
      #expect(request.startLine == "GET http://a.test:8080/x?y=1 HTTP/1.1" && request["Host"] == "a.test:8080")
      await way.answer("1")
      #expect(try await client.response().text == "1")
      await client.send("OPTIONS http://a.test:8080 HTTP/1.1\r\nHost: a.test:8080\r\n\r\n")
      let options = try await way.request()
      #expect(options.startLine.hasPrefix("OPTIONS http://a.test:8080") && options["Host"] == "a.test:8080")
      await way.answer("2")
      #expect(try await client.response().text == "2")
      #expect(company.door.connectionCount == 1)
      let first = try await proxy.record()
      #expect(first["origin.proxy"] == company.url && first["origin.address"] == company.door.address)
    }
  }

  @Test func `a WebSocket in plain text goes by CONNECT`() async throws {
    let company = try Company()
    try await through(company, more: Self.observe) { proxy in
      let client = try await proxy.connect()
      await client.get("http://a.test/page", host: "a.test")
      let (forwarding, _) = try await company.asked()
      await forwarding.answer("page")
      #expect(try await client.response().text == "page")
      let upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      await client.get("http://a.test/ws", host: "a.test", fields: upgrade)
      let (way, request) = try await company.grant()
      #expect(request.startLine == "CONNECT a.test:80 HTTP/1.1")
      #expect(try await way.request().startLine == "GET /ws HTTP/1.1")
      await way.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello")
      #expect(try await client.response().status == 101)
      #expect(String(decoding: await client.receive(5), as: UTF8.self) == "hello")
    }
  }

  @Test func `a 407 for a plain request is not the device's`() async throws {
    let company = try Company()
    try await through(company, more: Self.observe) { proxy in
      let client = try await proxy.connect()
      await client.get("http://a.test/", host: "a.test")
      let (way, _) = try await company.asked()
      await way.send(
        "HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 502 && response["Proxy-Authenticate"] == nil)
      #expect(response.text.contains("407 (Who are you)"), "\(response.text)")
    }
  }

  // MARK: what goes wrong

  @Test(arguments: [
    ("HTTP/1.1 407 Auth\r\nContent-Length: 3\r\n\r\nwho", "proxy_configuration_error", "407 (Auth)"),
    ("HTTP/1.1 403 Forbidden\r\n\r\n", "connection_refused", "403 (Forbidden)"),
    ("HTTP/1.0 502 Caf\u{E9}\r\n\r\n", "connection_refused", "502 (Caf?)"),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\n\r\n", "connection_refused", "503 (Busy)"),
    ("SSH-2.0-x\r\n", "http_protocol_error", "another protocol"),
    ("", "connection_terminated", "closed the connection"),
  ])
  func `its refusal is told as what it is`(_ answer: String, _ type: String, _ words: String) async throws {
    let company = try Company()
    try await through(company) { proxy in
      let client = try await proxy.secured()
      await client.get()
      // The dial that was begun with the tunnel is the request's.
      let (way, _) = try await company.asked()
      await way.send(answer)
      await way.finish()
      let response = try await client.response()
      #expect(response.status == 502)
      #expect(response["Proxy-Status"]?.hasPrefix("pinwarden; error=\(type); ") == true, "\(response.fields)")
      #expect(response.text.contains(words), "\(response.text)")
      let record = try await proxy.record()
      #expect(record["origin.proxy"] == company.url || type == "connection_terminated", "\(record)")
    }
  }

  @Test func `a proxy that is not there`() async throws {
    let closed = try ClosedPort()
    try await TestProxy.run(upstream: "proxy: 'http://\(closed.address)'") { proxy in
      let client = try await proxy.secured()
      await client.get()
      let response = try await client.response()
      #expect(response.status == 502 && response.text.contains("http://\(closed.address)"), "\(response.text)")
      #expect(response["Proxy-Status"]?.contains("error=connection_refused") == true)
      // A blind tunnel tells it in the answer to CONNECT.
      #expect(try await proxy.record()["error.code"] == "-1004")
    }
  }

  @Test func `a proxy whose name is not known`() async throws {
    try await TestProxy.run(upstream: "proxy: 'http://corp.invalid:3128'") { proxy in
      let client = try await proxy.secured()
      await client.get()
      let response = try await client.response()
      #expect(response.status == 502 && response.text.contains("corp.invalid"), "\(response.text)")
      #expect(response["Proxy-Status"]?.contains("error=dns_error") == true)
    }
  }

  @Test func `the time to connect covers the proxy's answer`() async throws {
    let company = try Company()
    try await through(company, upstream: "connectTimeout: '300ms'") { proxy in
      let client = try await proxy.secured()
      await client.get()
      let response = try await client.response()
      #expect(response.status == 504 && response.text.contains("through \(company.url)"), "\(response.text)")
    }
  }

  @Test func `a loop through it is found`() async throws {
    let company = try Company()
    try await through(company) { proxy in
      _ = try await proxy.tunnel()
      let (_, request) = try await company.asked()
      let via = try #require(request["Via"])
      let again = try await proxy.connect()
      await again.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nVia: \(via)\r\n\r\n")
      #expect(try await again.response(to: "CONNECT").status == 508)
      #expect(try await proxy.record()["decision.decidedBy"] == "loop")
    }
  }

  // MARK: who goes which way

  @Test func `mapped, exempt and excepted hosts are dialled directly`() async throws {
    let company = try Company()
    let mapped = try Origin.plain()
    let direct = try Origin.plain()
    let port = direct.address.split(separator: ":")[1]
    let more = "\(Self.observe), rules: { hosts: [{ host: 'localhost:\(port)', proxy: 'direct' }] }"
    try await through(
      company, origins: ["mapped.test:80": mapped], upstream: "noProxy: ['127.0.0.0/8']", more: more
    ) { proxy in
      for (name, origin) in [
        ("mapped.test", mapped), ("127.0.0.1:\(port)", direct), ("localhost:\(port)", direct),
      ] {
        let client = try await proxy.connect()
        await client.get("http://\(name)/", host: name)
        let server = try await origin.accept()
        #expect(try await server.request().startLine == "GET / HTTP/1.1")
        await server.answer(name)
        #expect(try await client.response().text == name)
        #expect(try await proxy.record()["origin.proxy"] == nil)
      }
      #expect(company.door.connectionCount == 0)
    }
  }

  @Test func `a rule and a lane have proxies of their own`() async throws {
    let general = try Company()
    let lanes = try Company()
    let rules = try Company()
    let more = """
      \(Self.observe), rules: { hosts: [{ host: 'rule.test', proxy: '\(rules.url)' }] },
      lanes: { lab: { listeners: ['127.0.0.1:0'], proxy: '\(lanes.url)' } }
      """
    // Without the lane's listener.
    try await through(general, upstream: "noProxy: ['rule.test']", more: more) { proxy in
      for (name, company) in [("rule.test", rules), ("other.test", lanes)] {
        let client = try await proxy.connect()
        await client.get("http://\(name)/", host: name)
        let (way, request) = try await company.asked()
        #expect(request.startLine == "GET http://\(name)/ HTTP/1.1")
        await way.answer(name)
        #expect(try await client.response().text == name)
      }
      #expect(general.door.connectionCount == 0)
    }
  }

  @Test func `the target guard judges literal targets, and localhost`() async throws {
    let company = try Company()
    let listeners = "[{ address: '127.0.0.1:0', proxyProtocol: ['127.0.0.0/8'] }]"
    let more = "access: { clients: ['192.0.2.0/24'] }, \(Self.observe)"
    try await TestProxy.run(listeners: listeners, upstream: "proxy: '\(company.url)'", more: more) { proxy in
      for target in ["127.0.0.1:80", "localhost", "x.localhost:8080", "[::1]:80", "169.254.169.254"] {
        for request in [
          "GET http://\(target)/ HTTP/1.1", "CONNECT \(target.contains(":") ? target : target + ":443") HTTP/1.1",
        ] {
          let client = try await proxy.connect()
          await client.send("PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\n\(request)\r\nHost: x\r\n\r\n")
          let response = try await client.response()
          #expect(response.status == 403, "\(request)")
          #expect(response["Proxy-Status"]?.contains("destination_ip_prohibited") == true, "\(request)")
        }
      }
      #expect(company.door.connectionCount == 0)
    }
  }

  // MARK: TLS with the proxy itself

  @Test func `TLS to the origin inside TLS to the proxy`() async throws {
    let company = try Company(PKI.server("corp.test"))
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["corp.test:8443": company.door], upstream: "proxy: 'https://corp.test:8443'"
    ) { proxy in
      let client = try await proxy.secured()
      let (way, request) = try await company.grant()
      #expect(request.startLine == "CONNECT a.test:443 HTTP/1.1")
      way.join(try await Kit.connect(origin.address))
      let server = try await origin.accept()
      #expect(try await exchange(client, server, "/nested").text == "/nested")
      // Much, both ways.
      let bytes = Kit.bytes(1_500_000)
      await client.send("PUT /big HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(bytes.count)\r\n\r\n")
      await client.send(bytes)
      #expect(try await server.request().body == bytes)
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
      await server.send(bytes)
      #expect(try await client.response().body == bytes)
      #expect(try await proxy.record()["origin.proxy"] == "https://corp.test:8443")
    }
  }

  @Test func `a proxy in TLS forwards plain requests and blind tunnels`() async throws {
    let company = try Company(PKI.server("corp.test"))
    let more = "\(Self.observe), rules: { hosts: [{ host: 'b.test', action: 'bypass' }] }"
    try await TestProxy.run(
      ["corp.test:443": company.door], upstream: "proxy: 'https://corp.test'", more: more
    ) { proxy in
      let client = try await proxy.connect()
      await client.get("http://a.test/", host: "a.test")
      let (way, request) = try await company.asked()
      #expect(request.startLine == "GET http://a.test/ HTTP/1.1")
      await way.answer("a")
      #expect(try await client.response().text == "a")
      let tunnel = try await proxy.connect()
      await tunnel.send("CONNECT b.test:25 HTTP/1.1\r\nHost: b.test:25\r\n\r\n")
      let (mail, _) = try await company.grant(early: "220\r\n")
      #expect(try await tunnel.response(to: "CONNECT").status == 200)
      await tunnel.send("QUIT\r\n")
      #expect(String(decoding: await tunnel.receive(5), as: UTF8.self) == "220\r\n")
      #expect(String(decoding: await mail.receive(6), as: UTF8.self) == "QUIT\r\n")
      await mail.finish()
      #expect(await tunnel.end() == .orderly)
      await tunnel.finish()
      #expect(await mail.end() == .orderly)
    }
  }

  @Test(arguments: [("other.test", true, "not for corp.test"), ("corp.test", false, "issuer is not known")])
  func `a proxy that is not trusted gets nothing`(_ name: String, _ isKnown: Bool, _ words: String) async throws {
    let company = try Company(PKI.server(name, by: isKnown ? PKI.origins : PKI.stranger))
    let upstream = "proxy: 'https://user:secret@corp.test'"
    try await TestProxy.run(["corp.test:443": company.door], upstream: upstream) { proxy in
      let client = try await proxy.secured()
      let way = try await company.door.accept(securing: false)
      #expect(try await company.door.secure(way) != nil)
      #expect(await way.peek().isEmpty)
      await client.get()
      let response = try await client.response()
      #expect(response.status == 502 && response.text.contains(words), "\(response.text)")
      #expect(response["Proxy-Status"]?.contains("error=tls_certificate_error") == true)
    }
  }

  @Test func `a proxy that speaks no TLS`() async throws {
    let company = try Company()
    try await through(company, url: "https://\(company.door.address)") { proxy in
      let client = try await proxy.secured()
      await client.get()
      await (try await company.door.accept()).send("HTTP/1.1 400 Bad Request\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 502 && response["Proxy-Status"]?.contains("error=tls_protocol_error") == true)
    }
  }

  // MARK: SOCKS

  @Test func `SOCKS resolves the name and carries TLS`() async throws {
    let company = try Company()
    try await through(company, url: company.socksURL) { proxy in
      let client = try await proxy.secured()
      let way = try await company.door.accept()
      #expect(await way.receive(3) == [5, 1, 0])
      await way.send([5, 0])
      #expect(await way.receive(13) == [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187])
      await way.send([5, 0, 0, 1, 1, 2, 3, 4, 5, 6])
      #expect(try await way.secure(as: PKI.server("a.test"), try .init()) == nil)
      #expect(try await exchange(client, way, "/s").text == "/s")
      #expect(try await proxy.record()["origin.proxy"] == "socks5://\(company.door.address)")
    }
  }

  @Test func `SOCKS with a password, for plain HTTP to an IPv6 address`() async throws {
    let company = try Company()
    let url = "socks5://me:secret@\(company.door.address)"
    try await through(company, url: url, more: Self.observe) { proxy in
      let client = try await proxy.connect()
      await client.get("http://[2001:db8::1]/", host: "[2001:db8::1]")
      let way = try await company.door.accept()
      #expect(await way.receive(4) == [5, 2, 0, 2])
      await way.send([5, 2])
      #expect(await way.receive(11) == [1, 2] + Array("me".utf8) + [6] + Array("secret".utf8))
      await way.send([1, 0])
      #expect(await way.receive(22).prefix(6) == [5, 1, 0, 4, 0x20, 1])
      await way.send([5, 0, 0, 1, 1, 2, 3, 4, 5, 6])
      #expect(try await way.request().startLine == "GET / HTTP/1.1")
      await way.answer("six")
      #expect(try await client.response().text == "six")
    }
  }

  @Test(
    arguments: [
      ([5, 0, 5, 5], "connection_refused", "reply 5 (connection refused)"),
      ([5, 0, 5, 4], "destination_ip_unroutable", "reply 4 (host unreachable)"),
      ([5, 0xFF], "proxy_configuration_error", "without a user and a password"),
      ([4, 0], "http_protocol_error", "SOCKS 5"),
    ] as [([UInt8], String, String)])
  func `what SOCKS refuses`(_ answer: [UInt8], _ type: String, _ words: String) async throws {
    let company = try Company()
    try await through(company, url: company.socksURL) { proxy in
      let client = try await proxy.secured()
      await client.get()
      await (try await company.door.accept()).send(answer)
      let response = try await client.response()
      #expect(response.status == 502 && response["Proxy-Status"]?.contains("error=\(type)") == true)
      #expect(response.text.contains(words), "\(response.text)")
    }
  }
}
