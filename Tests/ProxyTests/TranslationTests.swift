import Testing

/// The same exchange through all four combinations of protocols.
@Suite struct TranslationTests {
  /// A client and an origin with their protocols, and the proxy between them.
  private func withPair(
    _ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken,
    _ body: (TestProxy, EitherPeer, () async throws -> EitherPeer) async throws -> Void
  ) async throws {
    let listener = try Origin.speaking(origin)
    try await TestProxy.run(["a.test:443": listener]) { proxy in
      try await body(proxy, try await proxy.client(client)) { try await listener.accept(origin) }
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `a GET and its answer`(_ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken) async throws {
    try await withPair(client, origin) { proxy, client, accept in
      let question = try await client.ask("GET", "/x%2F?q=1", fields: [("X-One", "1"), ("TE", "trailers")])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.method == "GET" && asked.path == "/x%2F?q=1" && asked.fields["x-one"] == "1")
      #expect(asked.fields["host"] == "a.test")
      #expect(asked.fields["via"]?.hasPrefix(client.isHTTP2 ? "2 pinwarden-" : "1.1 pinwarden-") == true)
      #expect(asked.fields["content-length"] == nil && asked.fields["transfer-encoding"] == nil)
      try await server.answer(
        stream, fields: [("X-Two", "2"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")], body: "hi")
      let answer = try await client.answer(question)
      #expect(answer.status == 200 && answer.text == "hi" && answer.fields["x-two"] == "2")
      #expect(answer.fields["set-cookie"] == "a=1 + b=2")
      #expect(answer.fields["via"]?.hasPrefix(server.isHTTP2 ? "2 pinwarden-" : "1.1 pinwarden-") == true)
      let record = try await proxy.record()
      #expect(record["status"] == "200" && record["response.bytes"] == "2" && record["response.trailers"] == nil)
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `bodies with trailers both ways`(_ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken) async throws {
    try await withPair(client, origin) { proxy, client, accept in
      let question = try await client.ask(
        "POST", fields: [("Content-Type", "text/plain")], body: "question", trailers: [("X-Sum", "42")])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.method == "POST" && asked.text == "question" && asked.trailers == ["x-sum": "42"])
      try await server.answer(stream, body: "answer", trailers: [("grpc-status", "0")])
      let answer = try await client.answer(question)
      #expect(answer.text == "answer" && answer.trailers == ["grpc-status": "0"])
      let record = try await proxy.record()
      #expect(record.flag("request.trailers") && record.flag("response.trailers"))
      #expect(record["request.sha256"] != nil && record["request.sha256"] == record["request.sentSha256"])
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `interim answers`(_ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken) async throws {
    try await withPair(client, origin) { _, client, accept in
      let question = try await client.ask("GET")
      let server = try await accept()
      let (stream, _) = try await server.asked()
      try await server.answer(stream, informing: [103, 103], body: "late")
      let answer = try await client.answer(question)
      #expect(answer.informational == [103, 103] && answer.text == "late")
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases, EitherPeer.Spoken.allCases)
  func `answers without a body`(_ client: EitherPeer.Spoken, _ origin: EitherPeer.Spoken) async throws {
    try await withPair(client, origin) { _, client, accept in
      let head = try await client.ask("HEAD", "/head")
      let server = try await accept()
      let (first, asked) = try await server.asked()
      #expect(asked.method == "HEAD")
      try await server.answer(first, fields: [("Content-Length", "500")])
      let length = try await client.answer(head)
      #expect(length.status == 200 && length.fields["content-length"] == "500" && length.text.isEmpty)
      for (index, status) in [204, 304].enumerated() {
        let question = try await client.ask("GET", "/\(status)")
        let (stream, asked) = try await server.asked(index + 1)
        #expect(asked.path == "/\(status)")
        try await server.answer(stream, status, fields: [("ETag", "x")])
        let answer = try await client.answer(question)
        #expect(answer.status == status && answer.fields["etag"] == "x" && answer.text.isEmpty)
      }
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases)
  func `cookies are one field for an origin`(_ origin: EitherPeer.Spoken) async throws {
    try await withPair(.http2, origin) { _, client, accept in
      let question = try await client.ask("GET", fields: [("cookie", "a=1"), ("cookie", "b=2"), ("cookie", "c=3")])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.fields["cookie"] == "a=1; b=2; c=3")
      try await server.answer(stream)
      if case .http2 = server { #expect(try await client.answer(question).status == 200) }
    }
  }

  @Test func `an origin whose answer ends with its connection ends the stream`() async throws {
    try await withPair(.http2, .http1) { proxy, client, accept in
      let question = try await client.ask("GET")
      guard case .http1(let server) = try await accept() else { return }
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\n\r\nto the end")
      await server.finish()
      #expect(try await client.answer(question).text == "to the end")
      let record = try await proxy.record()
      #expect(record["protocol"] == "h2" && record["stream"] == "1" && record["response.framing"] == "close")
    }
  }
}
