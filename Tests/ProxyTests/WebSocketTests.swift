import Bytes
import COpenSSL
import HTTP
import Testing

@testable import Proxy
@testable import TLS

/// WebSockets through every combination of protocols (RFC 6455, RFC 8441).
@Suite struct WebSocketTests {
  private static let fields = [
    ("sec-websocket-version", "13"), ("sec-websocket-protocol", "chat"), ("origin", "https://a.test"),
  ]

  private func open(_ client: HTTP2Peer, _ path: String = "/ws") async throws -> Int32 {
    // The settings of the proxy have to be there first.
    #expect(await client.wait { $0.session.allowsConnectProtocol })
    return try await client.request(.get, path, fields: Self.fields, ends: false, connectProtocol: "websocket")
  }

  private func accept(_ server: Peer, fields: String = "") async throws -> Message {
    let request = try await server.request()
    let key = try #require(request["Sec-WebSocket-Key"])
    await server.send(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(WebSocketOpening.acceptance(of: key))\r\n\(fields)\r\n")
    return request
  }

  @Test func `the acceptance of RFC 6455, section 1.3`() {
    #expect(WebSocketOpening.acceptance(of: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(Base64.encode([]).isEmpty && Base64.encode([0]) == "AA==" && Base64.encode([255, 255]) == "//8=")
    #expect(Base64.encode(Array("foobar".utf8)) == "Zm9vYmFy")
  }

  @Test func `an extended CONNECT becomes an upgrade for an HTTP/1.1 origin`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client, "/ws?x=1")
      // What comes before the answer waits.
      try await client.write([1, 2, 3], on: stream)
      let server = try await origin.accept()
      let request = try await accept(server, fields: "Sec-WebSocket-Protocol: chat\r\n")
      #expect(request.startLine == "GET /ws?x=1 HTTP/1.1")
      #expect(request["Upgrade"] == "websocket" && request["Connection"]?.lowercased() == "upgrade")
      #expect(request["Sec-WebSocket-Version"] == "13" && request["Sec-WebSocket-Protocol"] == "chat")
      #expect(request["Host"] == "a.test" && request["Transfer-Encoding"] == nil)
      let answer = try await client.head(stream)
      #expect(answer.status == 200 && answer["sec-websocket-protocol"] == "chat")
      #expect(answer["sec-websocket-accept"] == nil && answer["upgrade"] == nil && !answer.hasEnded)
      #expect(await server.receive(3) == [1, 2, 3])
      await server.send("pong")
      #expect(await client.wait { $0[stream].text == "pong" })
      try await client.end(stream)
      #expect(await server.end() == .orderly)
      await server.send("bye")
      await server.finish()
      #expect(try await client.response(stream).text == "pongbye")
      let record = try await proxy.record()
      #expect(record["method"] == "CONNECT" && record["status"] == "200" && record["error"] == nil)
      #expect(record["request.bytes"] == "3" && record["response.bytes"] == "7" && record["stream"] == "1")
      #expect(await proxy.hasNoMoreRecords())
    }
  }

  @Test func `much passes both ways under flow control`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.accept()
      _ = try await accept(server)
      _ = try await client.head(stream)
      let bytes = Kit.bytes(2_500_000)
      try await client.write(bytes, on: stream)
      #expect(await server.receive(bytes.count) == bytes)
      await server.send(bytes)
      #expect(await client.wait { $0[stream].body.count >= bytes.count })
      #expect(try await client.perform { $0[stream].body } == bytes)
    }
  }

  @Test func `a refused upgrade reaches the client as it is`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Why: no\r\n\r\nno")
      let answer = try await client.response(stream)
      #expect(answer.status == 403 && answer.text == "no" && answer["x-why"] == "no")
      #expect(try await proxy.record()["status"] == "403")
    }
  }

  @Test(arguments: [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
  ])
  func `an answer that opens nothing is no success`(_ text: String) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send(text)
      #expect(try await client.response(stream).status == 502)
      #expect(try await proxy.record()["error.proxyStatus"] == "http_protocol_error")
    }
  }

  @Test func `an origin that offers it gets an extended CONNECT`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.acceptHTTP2()
      let (asked, heard) = try await server.asked(whole: false)
      #expect(heard.request?.connectProtocol == "websocket" && heard.path == "/ws")
      #expect(heard["sec-websocket-version"] == "13" && heard["sec-websocket-key"] == nil)
      try await server.respond(asked, fields: [("sec-websocket-protocol", "chat")], ends: false)
      #expect(try await client.head(stream)["sec-websocket-protocol"] == "chat")
      try await client.write([9, 8], on: stream)
      #expect(await server.wait { $0[asked].body == [9, 8] })
      try await server.write([7], on: asked)
      #expect(await client.wait { $0[stream].body == [7] })
      try await server.end(asked)
      #expect(try await client.response(stream).hasEnded)
      let record = try await proxy.record()
      #expect(record["origin.tls.alpn"] == "h2" && record["request.bytes"] == "2" && record["response.bytes"] == "1")
    }
  }

  @Test func `an origin that does not offer it is asked over HTTP/1.1`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.acceptHTTP2 { $0.offersConnectProtocol = false }
      let other = try await origin.accept()
      _ = try await accept(other)
      #expect(try await client.head(stream).status == 200)
      await other.send("x")
      #expect(await client.wait { $0[stream].text == "x" })
      #expect(try await server.perform { $0.requests.isEmpty })
    }
  }

  /// An origin that ends every handshake in which it cannot choose HTTP/2.
  private func strictOrigin() throws -> Origin {
    try Origin(PKI.server("a.test"), alpn: ["h2"]) { context in
      SSL_CTX_set_alpn_select_cb(
        context.pointer,
        { _, out, outCount, offered, count, _ in
          var index = 0
          while let offered, index < Int(count) {
            if offered[index] == 2, index + 2 < Int(count), offered[index + 1] == 0x68, offered[index + 2] == 0x32 {
              out?.pointee = offered + index + 1
              outCount?.pointee = 2
              return SSL_TLSEXT_ERR_OK
            }
            index += 1 + Int(offered[index])
          }
          return SSL_TLSEXT_ERR_ALERT_FATAL
        }, nil)
    }
  }

  @Test func `an upgrade reaches an origin that speaks HTTP/2 alone`() async throws {
    let origin = try strictOrigin()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      // Dialled with the tunnel.
      let server = try await origin.acceptHTTP2()
      await client.get(
        "/ws",
        fields: "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
      let failed = try await origin.accept(securing: false)
      #expect(try await origin.secure(failed) != nil)
      let (asked, heard) = try await server.asked(whole: false)
      #expect(heard.request?.connectProtocol == "websocket" && heard["sec-websocket-key"] == nil)
      try await server.respond(asked, ends: false)
      let answer = try await client.head()
      #expect(answer.status == 101 && answer["Upgrade"] == "websocket" && answer["Connection"] == "Upgrade")
      #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
      await client.send("ping")
      #expect(await server.wait { $0[asked].text == "ping" })
      try await server.write(Array("pong".utf8), on: asked)
      #expect(String(decoding: await client.receive(4), as: UTF8.self) == "pong")
      await client.finish()
      #expect(await server.wait { $0[asked].hasEnded })
      try await server.end(asked)
      #expect(await client.end() == .orderly)
      let record = try await proxy.record()
      #expect(record["status"] == "101" && record["method"] == "GET" && record["error"] == nil)
      #expect(record["request.bytes"] == "4" && record["response.bytes"] == "4")
    }
  }

  @Test func `a WebSocket without bytes ends, one with bytes does not`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { webSocketIdle: '3s' }") { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.accept()
      _ = try await accept(server)
      _ = try await client.head(stream)
      for _ in 0..<5 {
        try await Task.sleep(for: .milliseconds(800))
        await server.send("x")
      }
      #expect(await client.wait { $0[stream].text == "xxxxx" })
      #expect(try await client.response(stream).end == .reset(.cancel))
      #expect(await server.end() != nil)
      let record = try await proxy.record()
      #expect(record["status"] == "200" && record["error"] == nil)
    }
  }

  @Test func `a client that resets its stream ends the connection to the origin`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await open(client)
      let server = try await origin.accept()
      _ = try await accept(server)
      _ = try await client.head(stream)
      try await client.reset(stream, .cancel)
      #expect(await server.end() != nil)
      #expect(try await proxy.record()["error.detail"]?.contains("CANCEL") == true)
    }
  }

  @Test func `rules hold for WebSockets, and other protocols are not served`() async throws {
    try await TestProxy.run(more: "rules: { hosts: [{ host: 'b.test', action: 'reject' }] }") { proxy in
      let client = try await proxy.http2("a.test")
      #expect(await client.wait { $0.session.allowsConnectProtocol })
      let other = try await client.request(ends: false, connectProtocol: "connect-udp")
      #expect(try await client.response(other).status == 501)
      let elsewhere = try await client.request(authority: "b.test", ends: false, connectProtocol: "websocket")
      #expect(try await client.response(elsewhere).status == 421)
    }
  }
}
