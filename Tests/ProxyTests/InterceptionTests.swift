import Bytes
import TLS
import Testing

/// What passes through an intercepted tunnel, byte for byte.
@Suite struct InterceptionTests {
  /// A client in TLS and the connection that its first request opens to the origin.
  private func withPair(_ more: String = "", _ body: (TestProxy, Peer, Peer) async throws -> Void) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.secured()
      try await body(proxy, client, try await origin.accept())
    }
  }

  @Test func `a GET arrives as it was sent`() async throws {
    try await withPair { proxy, client, server in
      await client.send(
        "GET /x%2F//?q=1&%zz HTTP/1.1\r\nHost: a.test\r\nX-AbC: 1\r\nx-dup: a\r\nX-Dup: b\r\nX-Empty:\r\n\r\n")
      let request = try await server.request()
      #expect(request.startLine == "GET /x%2F//?q=1&%zz HTTP/1.1")
      #expect(request.names == ["Host", "X-AbC", "x-dup", "X-Dup", "X-Empty", "Via"])
      #expect(request["Via"]?.hasPrefix("1.1 pinwarden-") == true)
      await server.send(
        "HTTP/1.1 200 Fine\r\nX-zeBRA: 1\r\nSet-Cookie: a=1\r\nContent-Length: 2\r\nset-cookie: b=2\r\n\r\nhi")
      let response = try await client.response()
      #expect(response.startLine == "HTTP/1.1 200 Fine" && response.text == "hi")
      #expect(response.names == ["X-zeBRA", "Set-Cookie", "Content-Length", "set-cookie", "Via"])
    }
  }

  @Test func `Via names the version in which a message came`() async throws {
    try await withPair { _, client, server in
      await client.send("GET / HTTP/1.0\r\nHost: a.test\r\n\r\n")
      let request = try await server.request()
      #expect(request["Via"]?.hasPrefix("1.0 pinwarden-") == true)
      await server.send("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
      let response = try await client.response()
      #expect(response["Via"]?.hasPrefix("1.0 pinwarden-") == true)
    }
  }

  @Test func `fields of one connection stay on it`() async throws {
    try await withPair("bodies: { stripHeaders: ['Guard'] }") { _, client, server in
      await client.get(
        fields:
          "Connection: keep-alive, X-Drop\r\nX-Drop: 1\r\nKeep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\n"
          + "Proxy-Authorization: Basic dTpw\r\ngUARD: 1\r\nTE: gzip\r\nX-Keep: 2\r\n")
      let request = try await server.request()
      for name in ["X-Drop", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Guard"] {
        #expect(request[name] == nil, "\(name)")
      }
      #expect(request["X-Keep"] == "2")
      await server.send("HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-End: 2\r\nContent-Length: 0\r\n\r\n")
      let response = try await client.response()
      #expect(response["X-Hop"] == nil && response["X-End"] == "2")
    }
  }

  @Test func `bodies of known length pass both ways and are receipted`() async throws {
    try await withPair { proxy, client, server in
      await client.post("hello", fields: "Content-Type: text/plain\r\n")
      let request = try await server.request()
      #expect(request.text == "hello" && request["Content-Length"] == "5" && request["Transfer-Encoding"] == nil)
      await server.answer("world")
      #expect(try await client.response().text == "world")
      let record = try await proxy.record()
      #expect(record["request.bytes"] == "5" && record["request.framing"] == "length")
      #expect(record["request.sha256"] == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
      #expect(record["request.sentSha256"] == record["request.sha256"])
      #expect(record["response.bytes"] == "5" && record["response.framing"] == "length")
    }
  }

  @Test func `chunked bodies stay chunked, with their trailers`() async throws {
    try await withPair { proxy, client, server in
      await client.send(
        "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n"
      )
      let request = try await server.request()
      #expect(request.text == "hello!" && request["Transfer-Encoding"] == "chunked" && request["Content-Length"] == nil)
      #expect(request.trailers.map(\.name) == ["X-Sum"])
      await server.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n3\r\nabc\r\n0\r\nX-End: 42\r\n\r\n")
      let response = try await client.response()
      #expect(response.text == "abc" && response.trailers.map(\.value) == ["42"])
      let record = try await proxy.record()
      #expect(record["request.framing"] == "chunked" && record["response.framing"] == "chunked")
      #expect(record["request.bytes"] == "6" && record["response.bytes"] == "3")
    }
  }

  @Test func `a body that ends with the connection ends with the client's`() async throws {
    try await withPair { proxy, client, server in
      await client.get()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\n\r\nto the end")
      await server.finish()
      let response = try await client.response()
      #expect(response.text == "to the end" && response.isComplete)
      #expect(try await proxy.record()["response.framing"] == "close")
    }
  }

  @Test func `requests in a row and in a pipeline are answered in order over one connection`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      for index in 0..<3 { #expect(try await exchange(client, server, "/\(index)").text == "/\(index)") }
      await client.send((3..<8).map { "GET /\($0) HTTP/1.1\r\nHost: a.test\r\n\r\n" }.joined())
      for index in 3..<8 {
        let request = try await server.request()
        #expect(request.startLine == "GET /\(index) HTTP/1.1")
        #expect(await server.peek().isEmpty, "the next one waits for the answer")
        await server.answer("\(index)")
      }
      for index in 3..<8 { #expect(try await client.response().text == "\(index)") }
      for index in 0..<8 {
        let record = try await proxy.record()
        #expect(
          record["origin.reused"] == (index == 0 ? "0" : "1")
            || record["origin.reused"] == (index == 0 ? "false" : "true"))
      }
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `a client that asks to close is obeyed`() async throws {
    try await withPair { _, client, server in
      await client.get(fields: "Connection: close\r\n")
      let request = try await server.request()
      #expect(request["Connection"]?.lowercased() != "close", "the connection to the origin is the proxy's own")
      await server.answer("bye")
      let response = try await client.response()
      #expect(response.text == "bye" && response["Connection"] == "close")
      #expect(await client.end() == .orderly)
    }
  }

  @Test func `an old client gets no chunks`() async throws {
    try await withPair { _, client, server in
      await client.send("GET / HTTP/1.0\r\nHost: a.test\r\n\r\n")
      #expect(try await server.request().startLine == "GET / HTTP/1.1")
      await server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
      let response = try await client.response()
      #expect(response["Transfer-Encoding"] == nil && response.text == "hello")
    }
  }

  @Test func `interim responses pass, and the body waits for 100`() async throws {
    try await withPair { proxy, client, server in
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
      #expect(try await server.head()["Expect"] == "100-continue")
      await server.send("HTTP/1.1 103 Early Hints\r\nLink: </s>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
      let hints = try await client.response()
      #expect(hints.status == 103 && hints["Link"] == "</s>")
      #expect(try await client.response().status == 100)
      await client.send("body")
      #expect(String(decoding: await server.receive(4), as: UTF8.self) == "body")
      await server.answer("done")
      #expect(try await client.response().text == "done")
      #expect(try await proxy.record()["status"] == "200")
    }
  }

  @Test func `an old client gets no interim responses`() async throws {
    try await withPair { _, client, server in
      await client.send("GET / HTTP/1.0\r\nHost: a.test\r\n\r\n")
      _ = try await server.request()
      await server.send("HTTP/1.1 103 Early Hints\r\n\r\n")
      await server.answer("x")
      #expect(try await client.response().status == 200)
    }
  }

  @Test func `a refused expectation ends the exchange without a body`() async throws {
    try await withPair { _, client, server in
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
      _ = try await server.head()
      await server.send("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 417 && response["Connection"] == "close")
    }
  }

  @Test func `an answer before the end of the request passes at once`() async throws {
    try await withPair { proxy, client, server in
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1000000\r\n\r\nstart")
      _ = try await server.head()
      await server.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig")
      let response = try await client.response()
      #expect(response.status == 413 && response.text == "big" && response["Connection"] == "close")
      await client.close()
      let record = try await proxy.record()
      #expect(record["status"] == "413" && record["error"] == nil)
      #expect(await server.end() != nil, "half a request must not leave the connection in use")
    }
  }

  @Test func `while an answer streams the upload goes on`() async throws {
    try await withPair { _, client, server in
      await client.send("POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
      _ = try await server.head()
      await server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nONE\r\n")
      _ = try await client.head()
      #expect(String(decoding: await client.receive(8), as: UTF8.self) == "3\r\nONE\r\n")
      await client.send("3\r\ntwo\r\n0\r\n\r\n")
      #expect(await server.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains("two") })
      await server.send("3\r\nTWO\r\n0\r\n\r\n")
      #expect(String(decoding: await client.receive(13), as: UTF8.self) == "3\r\nTWO\r\n0\r\n\r\n")
    }
  }

  @Test(arguments: ["Content-Length: 1488324", "Transfer-Encoding: chunked"])
  func `HEAD has no body and the connection goes on`(_ framing: String) async throws {
    try await withPair { proxy, client, server in
      await client.send("HEAD /one HTTP/1.1\r\nHost: a.test\r\n\r\n")
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\n\(framing)\r\nX-N: 1\r\n\r\n")
      let response = try await client.response(to: "HEAD")
      #expect(response["X-N"] == "1")
      if framing.hasPrefix("Content") { #expect(response["Content-Length"] == "1488324") }
      #expect(try await exchange(client, server, "/two").text == "/two")
      #expect(try await proxy.record()["response.bytes"] == "0")
    }
  }

  @Test(arguments: [204, 304])
  func `an answer without a body leaves the connection usable`(_ status: Int) async throws {
    try await withPair { _, client, server in
      await client.get(fields: "If-None-Match: \"1\"\r\n")
      _ = try await server.request()
      await server.send("HTTP/1.1 \(status) X\r\nETag: \"1\"\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == status && response["Transfer-Encoding"] == nil)
      #expect(try await exchange(client, server, "/next").text == "/next")
    }
  }

  @Test func `a large body passes whole in both directions`() async throws {
    try await withPair { proxy, client, server in
      let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      await client.send("PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(body.count)\r\n\r\n")
      await client.send(body)
      let request = try await server.request()
      #expect(request.body == body)
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      await server.send(body)
      let response = try await client.response()
      #expect(response.body == body)
      #expect(try await proxy.record()["response.bytes"] == "\(body.count)")
    }
  }

  @Test func `any byte may be the last of a segment`() async throws {
    try await withPair { _, client, server in
      for byte in "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n".utf8 {
        await client.send([byte])
      }
      let request = try await server.request()
      #expect(request.text == "hi")
      for byte in "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nho\r\n0\r\n\r\n".utf8 {
        await server.send([byte])
      }
      let response = try await client.response()
      #expect(response.text == "ho")
    }
  }

  @Test func `the leaf is for the name of the CONNECT, whatever the hello names`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.tunnel("a.test:443")
      let end = try await client.secure("b.test")
      #expect(end == .tls(.refusedByJudge))
    }
  }

  @Test func `absolute targets inside a tunnel and OPTIONS with an asterisk`() async throws {
    try await withPair { _, client, server in
      await client.send("GET https://a.test/abs HTTP/1.1\r\nHost: a.test\r\n\r\n")
      #expect(try await server.request().startLine == "GET /abs HTTP/1.1")
      await server.answer("1")
      _ = try await client.response()
      await client.send("OPTIONS * HTTP/1.1\r\nHost: a.test\r\n\r\n")
      #expect(try await server.request().startLine == "OPTIONS * HTTP/1.1")
      await server.answer("2")
      #expect(try await client.response().text == "2")
    }
  }
}
