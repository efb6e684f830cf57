import Testing

/// Requests that get no further than the proxy.
@Suite struct RefusalTests {
  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "hello\r\n\r\n",
    "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nBad Name: x\r\n\r\n",
    "GET http://a.test/ HTTP/1.1\r\n\r\n", "GET ftp://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
    "CONNECT a.test HTTP/1.1\r\nHost: a.test\r\n\r\n",
    "CONNECT a.test:0 HTTP/1.1\r\nHost: a.test\r\n\r\n", "CONNECT a.test:99999 HTTP/1.1\r\nHost: a.test\r\n\r\n",
    "CONNECT 127.1:443 HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET http://u:p@a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
    "POST http://box/ HTTP/1.1\r\nHost: box\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET http://box/ HTTP/1.1\r\nHost: box\r\nX: a\r\n b\r\nContent-Length: +1\r\n\r\n",
    "\u{16}\u{3}\u{1}\u{0}\u{5}hello\r\n\r\n",
  ])
  func `malformed requests are answered 400 and the connection ends`(_ raw: String) async throws {
    let box = try Origin.plain()
    try await TestProxy.run(["box:80": box]) { proxy in
      let client = try await proxy.connect()
      await client.send(raw)
      let response = try await client.response()
      #expect(response.status == 400)
      #expect(response["Proxy-Status"]?.contains("error=http_request_error") == true)
      await client.send("GET http://box/smuggled HTTP/1.1\r\nHost: box\r\n\r\n")
      #expect(await client.end() == .orderly)
      let record = try await proxy.record()
      #expect(record["status"] == "400" && record["decision.decidedBy"] == nil)
      #expect(await proxy.hasNoMoreRecords())
      #expect(box.connectionCount == 0)
    }
  }

  @Test func `a head that is too large is answered 431`() async throws {
    try await TestProxy.run(more: "limits: { head: '4KiB' }") { proxy in
      let client = try await proxy.connect()
      await client.send(
        "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n"
          + String(repeating: "X: \(String(repeating: "y", count: 100))\r\n", count: 50))
      #expect(try await client.response().status == 431)
      #expect(await client.end() == .orderly)
      #expect(try await proxy.record()["status"] == "431")
    }
  }

  @Test func `a head of exactly the limit passes`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { head: '4KiB' }") { proxy in
      let client = try await proxy.secured()
      let head = "GET / HTTP/1.1\r\nHost: a.test\r\nX: "
      await client.send(head + String(repeating: "y", count: 4096 - head.utf8.count - 4) + "\r\n\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer()
      #expect(try await client.response().status == 200)
    }
  }

  @Test(arguments: ["b.test", "a.test:444", "a.test.", "evil.test\\@a.test"])
  func `a request for another host than the tunnel's is answered 421 or 400`(_ host: String) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get(host: host)
      let server = try await origin.accept()
      if host == "a.test." {
        // The same name, written absolutely.
        _ = try await server.request()
        return
      }
      let response = try await client.response()
      #expect([421, 400].contains(response.status))
      #expect(await server.peek().isEmpty)
      #expect(try await proxy.record()["decision.decidedBy"] == nil)
    }
  }

  @Test func `after a 421 the connection goes on`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get(host: "b.test")
      #expect(try await client.response().status == 421)
      let server = try await origin.accept()
      #expect(try await exchange(client, server, "/x").text == "/x")
      await client.get("/y", host: "A.TEST:443")
      #expect(try await server.request().startLine == "GET /y HTTP/1.1")
    }
  }

  @Test func `credentials are asked for, checked and kept out of the log`() async throws {
    let box = try Origin.plain()
    // The password is "secret".
    let file = "anna:\(Self.hash)\n"
    try await TestProxy.run(
      ["box:80": box], more: "access: { credentials: { htpasswd: 'users' } }", files: ["users": file]
    ) { proxy in
      let client = try await proxy.connect()
      func ask(_ credentials: String?) async {
        await client.send(
          "GET http://box/ HTTP/1.1\r\nHost: box\r\n\(credentials.map { "Proxy-Authorization: \($0)\r\n" } ?? "")\r\n")
      }
      for wrong in [nil, "Basic YW5uYTp3cm9uZw==", "Basic %%%", "Bearer x", "Basic Ym9iOnNlY3JldA=="] {
        await ask(wrong)
        let response = try await client.response()
        #expect(response.status == 407 && response["Proxy-Authenticate"]?.hasPrefix("Basic realm=") == true)
        let record = try await proxy.record()
        #expect(record["decision.decidedBy"] == "access" && record["status"] == "407", "\(wrong ?? "none"): \(record)")
        #expect(!record.description.contains("d3Jvbmc"))
      }
      await ask("Basic YW5uYTpzZWNyZXQ=")
      let server = try await box.accept()
      #expect(try await server.request()["Proxy-Authorization"] == nil)
      await server.answer("in")
      #expect(try await client.response().text == "in")
      #expect(!(try await proxy.record().description.contains("YW5uYTpzZWNyZXQ")))
    }
  }

  /// `openssl passwd -6 -salt testsalt secret`
  private static let hash =
    "$6$testsalt$51yaaBMXXXt5vK522YOlIMZ267vqHtMIzc2klcsu3EEv/bkRDU9g3UmkypXf.NvlpPpIPK1nX5zdbCeJBiQbB/"

  @Test func `a CONNECT without credentials is answered 407`() async throws {
    try await TestProxy.run(
      more: "access: { credentials: { htpasswd: 'users' } }", files: ["users": "anna:\(Self.hash)\n"]
    ) { proxy in
      let client = try await proxy.connect()
      await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
      #expect(try await client.response().status == 407)
      await client.send(
        "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic YW5uYTpzZWNyZXQ=\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
    }
  }

  @Test func `strangers are closed without an answer`() async throws {
    try await TestProxy.run(more: "access: { clients: ['10.0.0.0/8'] }") { proxy in
      let client = try await proxy.connect()
      await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.end() != nil)
      #expect(await client.peek().isEmpty)
      let warning = try await proxy.record("client-refused")
      #expect(warning["client"] == "127.0.0.1" && warning["level"] == "warning")
    }
  }

  @Test func `rules reject at the CONNECT, plain HTTP is denied, and the page says why`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["b.test:80": origin], more: "rules: { hosts: [{ host: '**.a.test', action: 'reject' }] }")
    { proxy in
      let client = try await proxy.connect()
      await client.send("CONNECT x.a.test:443 HTTP/1.1\r\nHost: x.a.test:443\r\n\r\n")
      #expect(try await client.response().status == 403)
      let rejected = try await proxy.record()
      #expect(
        rejected["decision.decidedBy"] == "rule" && rejected["decision.rule"] == "**.a.test"
          && rejected["error.code"] == "-1")
      await client.send("GET http://b.test/<script> HTTP/1.1\r\nHost: b.test\r\nAccept: text/html\r\n\r\n")
      let page = try await client.response()
      #expect(page.status == 403 && page["Content-Type"]?.hasPrefix("text/html") == true)
      #expect(
        page.text.contains("-1022") && page.text.contains("App Transport Security") && !page.text.contains("<script>"))
      #expect(try await proxy.record()["error.code"] == "-1022")
      #expect(origin.connectionCount == 0)
    }
  }

  @Test func `a Via that names this instance is a loop`() async throws {
    let box = try Origin.plain()
    try await TestProxy.run(["box:80": box]) { proxy in
      let client = try await proxy.connect()
      await client.get("http://box/", host: "box")
      let server = try await box.accept()
      let via = try #require(try await server.request()["Via"])
      await server.answer()
      _ = try await client.response()
      await client.get("http://box/", host: "box", fields: "Via: 1.1 other, \(via)\r\n")
      let response = try await client.response()
      #expect(response.status == 508 && response["Proxy-Status"]?.contains("proxy_loop_detected") == true)
    }
  }

  @Test func `the proxy's own listeners are a loop`() async throws {
    try await TestProxy.run { proxy in
      let address = proxy.address()
      let client = try await proxy.connect()
      await client.send("CONNECT \(address) HTTP/1.1\r\nHost: \(address)\r\n\r\n")
      #expect(try await client.response().status == 508)
      await client.get("http://\(address)/", host: address)
      #expect(try await client.response().status == 508)
      await client.get("http://localhost:\(address.split(separator: ":")[1])/", host: "localhost")
      #expect(try await client.response().status == 508)
    }
  }

  @Test func `too many connections are answered 503, and served again when there is room`() async throws {
    try await TestProxy.run(more: "limits: { connections: 2 }") { proxy in
      let first = try await proxy.connect()
      let second = try await proxy.connect()
      for client in [first, second] {
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n")
      }
      let third = try await proxy.connect()
      await third.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      let response = try await third.response()
      #expect(response.status == 503 && response["Proxy-Status"]?.contains("connection_limit_reached") == true)
      await first.close()
      await third.close()
      let isServed = await Kit.before(.seconds(3)) { () -> Bool? in
        guard let client = try? await proxy.connect() else { return nil }
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let status = try? await client.response().status
        await client.close()
        return status == 400 ? true : nil
      }
      #expect(isServed == true)
    }
  }

  @Test func `HEAD gets a refusal without its body`() async throws {
    try await TestProxy.run { proxy in
      let client = try await proxy.connect()
      await client.send(
        "HEAD http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\nGET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
      #expect(try await client.response(to: "HEAD").status == 403)
      #expect(try await client.response().status == 403)
    }
  }
}
