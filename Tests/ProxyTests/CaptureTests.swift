import HTTP
import Proxy
import Records
import Testing

/// What the history gets of messages.
@Suite struct CaptureTests {
  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `both messages are kept as the device sent and got them, without secrets`(
    _ spoken: EitherPeer.Spoken, _ origin: EitherPeer.Spoken
  ) async throws {
    let recorder = Recorder()
    let listener = try Origin.speaking(origin)
    try await TestProxy.run(["a.test:443": listener], parts: TestProxy.Parts(recorder: recorder)) { proxy in
      let client = try await proxy.client(spoken)
      let question = try await client.ask(
        "POST", "/x?q=1",
        fields: [
          ("Authorization", "Bearer hush"), ("Cookie", "a=hush"), ("X-One", "1"), ("Proxy-Authorization", "Basic hush"),
        ], body: "question", trailers: [("X-Sum", "1")])
      let server = try await listener.accept(origin)
      let (stream, _) = try await server.asked()
      try await server.answer(
        stream, 201,
        fields: [("X-Two", "2"), ("Set-Cookie", "a=hush"), ("Keep-Alive", "timeout=1")].filter {
          origin == .http1 || $0.0 != "Keep-Alive"
        }, body: "answer", trailers: [("grpc-status", "0"), ("set-cookie", "b=hush")])
      let answer = try await client.answer(question)
      let kept = try await recorder.exchange()
      #expect(kept.record.status == 201 && kept.record.url.text == "https://a.test/x?q=1")
      let request = try #require(kept.request)
      #expect(request.text == "question" && !request.isTruncated)
      #expect(request["x-one"] == ["1"] && request["host"] == ["a.test"] && request["via"].isEmpty)
      // The tests' HTTP/2 client does not send what ends at a hop.
      for name in ["authorization", "cookie", "proxy-authorization"].prefix(spoken == .http1 ? 3 : 2) {
        #expect(request[name] == [CapturedMessage.Field.redacted], "\(name)")
      }
      let response = try #require(kept.response)
      #expect(response.text == "answer" && !response.isTruncated)
      #expect(response["x-two"] == ["2"] && response["keep-alive"].isEmpty && response["grpc-status"] == ["0"])
      #expect(response["via"] == [answer.fields["via"]])
      #expect(response["set-cookie"].allSatisfy { $0 == CapturedMessage.Field.redacted })
      #expect(!"\(kept)".contains("hush"))
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases, [(4, "ques", "answ"), (0, "", ""), (8, "question", "answer")])
  func `bodies are kept up to the lane's limit`(
    _ spoken: EitherPeer.Spoken, _ expected: (limit: Int, request: String, response: String)
  ) async throws {
    let recorder = Recorder()
    let listener = try Origin.speaking(spoken)
    try await TestProxy.run(
      ["a.test:443": listener], more: "bodies: { capture: \(expected.limit) }",
      parts: TestProxy.Parts(recorder: recorder)
    ) { proxy in
      let client = try await proxy.client(spoken)
      let question = try await client.ask("POST", body: "question")
      let server = try await listener.accept(spoken)
      try await server.answer(try await server.asked().0, fields: [("X-Two", "2")], body: "answer")
      #expect(try await client.answer(question).text == "answer")
      let kept = try await recorder.exchange()
      #expect(kept.request?.text == expected.request && kept.request?.isTruncated == (expected.limit < 8))
      #expect(kept.response?.text == expected.response && kept.response?.isTruncated == (expected.limit < 6))
      #expect(kept.response?["x-two"] == ["2"])
      #expect(kept.record.request.byteCount == 8 && kept.record.response.byteCount == 6)
    }
  }

  @Test func `a body that comes in pieces is kept without gaps`() async throws {
    let recorder = Recorder()
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], more: "bodies: { capture: '100KiB' }", parts: TestProxy.Parts(recorder: recorder)
    ) { proxy in
      let client = try await proxy.secured()
      let body = Kit.bytes(300_000)
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      for start in stride(from: 0, to: body.count, by: 50_000) {
        await server.send(Array(body[start..<start + 50_000]))
      }
      #expect(try await client.response().body == body)
      let response = try #require(try await recorder.exchange().response)
      #expect(response.isTruncated && response.body == Array(body[..<102_400]))
    }
  }

  @Test func `nothing is kept of what begins while nobody takes it`() async throws {
    let recorder = Recorder(admits: false)
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], parts: TestProxy.Parts(recorder: recorder)) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      try await exchange(client, server, "/1")
      _ = try await proxy.record()
      await client.get("/2")
      _ = try await server.request()
      recorder.admits = true
      await server.answer("two")
      _ = try await client.response()
      let kept = try await recorder.exchange()
      #expect(kept.record.url.text.hasSuffix("/2") && kept.request == nil && kept.response == nil)
      try await exchange(client, server, "/3")
      #expect(try await recorder.exchange(1).response?.text == "/3")
    }
  }

  @Test func `what the proxy answers itself is kept too`() async throws {
    let recorder = Recorder()
    try await TestProxy.run(
      more: "rules: { hosts: [{ host: 'no.test', action: 'reject' }] }", parts: TestProxy.Parts(recorder: recorder)
    ) { proxy in
      let client = try await proxy.connect()
      // By an exchange, by the admission of a tunnel, by a request that was not served, by the proxy's own site.
      await client.get("http://a.test/", host: "a.test", fields: "X-One: 1\r\n")
      #expect(try await client.response().status == 403)
      await client.send("CONNECT no.test:443 HTTP/1.1\r\nHost: no.test\r\nX-One: 1\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 403)
      await client.get("http://pinwarden.internal/ca.pem", host: "pinwarden.internal", fields: "X-One: 1\r\n")
      #expect(try await client.response().text == "PEM")
      await client.get("ftp://a.test/", host: "a.test", fields: "X-One: 1\r\n")
      let last = try await client.response()
      #expect(last.status == 400)
      for (index, status) in [403, 403, 200, 400].enumerated() {
        let kept = try await recorder.exchange(index)
        #expect(kept.record.status == status && kept.request?["x-one"] == ["1"], "\(index)")
        let response = try #require(kept.response)
        #expect(response["content-length"] == ["\(response.body.count)"], "\(index)")
        guard status != 200 else { continue }
        #expect(
          response["content-type"] == ["application/problem+json"] && response.text.contains("\"status\":\(status)"))
        #expect(response["proxy-status"].first?.hasPrefix("pinwarden; error=") == true)
      }
      #expect(try await recorder.exchange(3).response?.text == last.text)
    }
  }

  @Test func `refusals inside HTTP/2 are kept`() async throws {
    let recorder = Recorder()
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], parts: TestProxy.Parts(recorder: recorder)) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.get, "/", authority: "b.test", fields: [("x-one", "1")])
      let answer = try await client.response(stream)
      #expect(answer.status == 421)
      let kept = try await recorder.exchange()
      #expect(kept.request?["x-one"] == ["1"] && kept.response?.text == answer.text)
      #expect(kept.response?["content-length"] == ["\(answer.body.count)"])
    }
  }

  @Test func `an answer to HEAD has no body to keep`() async throws {
    let recorder = Recorder()
    try await TestProxy.run(parts: TestProxy.Parts(recorder: recorder)) { proxy in
      let client = try await proxy.connect()
      await client.send("HEAD http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
      #expect(try await client.response(to: "HEAD").status == 403)
      let response = try #require(try await recorder.exchange().response)
      #expect(response.body.isEmpty && !response.isTruncated && response["content-type"].count == 1)
    }
  }

  @Test func `only the handshake of a WebSocket is kept`() async throws {
    let recorder = Recorder()
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], parts: TestProxy.Parts(recorder: recorder)) { proxy in
      let client = try await proxy.secured()
      await client.get("/ws", fields: "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
      #expect(try await client.response().status == 101)
      await client.send("ping")
      #expect(await server.receive(4) == Array("ping".utf8))
      await client.finish()
      await server.finish()
      let kept = try await recorder.exchange()
      #expect(kept.record.status == 101 && kept.record.request.byteCount == 4)
      #expect(kept.request?["upgrade"] == ["websocket"] && kept.request?.body.isEmpty == true)
      #expect(kept.response?["upgrade"] == ["websocket"] && kept.response?.body.isEmpty == true)
    }
  }

  @Test func `what running exchanges keep is bounded, and what was not kept is counted`() async throws {
    let recorder = Recorder()
    let origin = try Origin.http2()
    try await TestProxy.run(
      ["a.test:443": origin], parts: TestProxy.Parts(recorder: recorder, captureByteLimit: 1_000)
    ) { proxy in
      let client = try await proxy.http2()
      let first = try await client.request(.post, "/1", body: String(repeating: "x", count: 2_000))
      let server = try await origin.acceptHTTP2()
      let (one, _) = try await server.asked()
      let second = try await client.request(.post, "/2", body: "y")
      let (two, _) = try await server.asked(1)
      try await server.respond(two, body: "second")
      #expect(try await client.response(second).text == "second")
      let unkept = try await recorder.exchange()
      #expect(unkept.record.url.text.hasSuffix("/2") && unkept.request == nil && unkept.response == nil)
      try await server.respond(one, body: "first")
      #expect(try await client.response(first).text == "first")
      let starved = try await recorder.exchange(1)
      let request = try #require(starved.request)
      #expect(request.isTruncated && (800..<1_000).contains(request.body.count))
      #expect(proxy.server.metricsText().contains("pinwarden_capture_skipped_total 2\n"))
      let third = try await client.request(.post, "/3", body: "z")
      try await server.respond(try await server.asked(2).stream, body: "third")
      #expect(try await client.response(third).text == "third")
      #expect(try await recorder.exchange(2).response?.text == "third")
    }
  }
}
