import Testing

@testable import Proxy

/// Bodies that the device lost come back before the request goes on.
@Suite struct RestoringTests {
  static let hook = "bodies: { hook: { hosts: ['a.test'], limit: '1MiB' } }"
  static let identifier = "00112233445566778899aabbccddeeff"
  static let accept = "*/*, application/x-pb.\(identifier)"
  private static let text = ("Content-Type", "text/plain")

  typealias Spoken = EitherPeer.Spoken

  private func withPair(
    _ client: Spoken = .http1, _ origin: Spoken = .http1, hook: String = hook,
    _ body: (TestProxy, EitherPeer, () async throws -> EitherPeer) async throws -> Void
  ) async throws {
    let listener = try Origin.speaking(origin)
    try await TestProxy.run(["a.test:443": listener, "b.test:443": listener], more: hook) { proxy in
      try await body(proxy, try await proxy.client(client)) { try await listener.accept(origin) }
    }
  }

  /// Sends a body ahead, as the script does.
  private func upload(_ client: EitherPeer, _ parts: [[(String, String)]]) async throws {
    for part in parts {
      let answer = try await client.answer(
        try await client.ask("POST", "/.well-known/pb/u", fields: part + [("Origin", "https://a.test")], body: ""))
      #expect(answer.status == 200 && answer.fields["access-control-allow-origin"] == "https://a.test", "\(answer)")
    }
  }

  // MARK: channels

  @Test(arguments: Spoken.allCases, Spoken.allCases)
  func `a body comes back from the fields of its own request`(_ spoken: Spoken, _ other: Spoken) async throws {
    try await withPair(spoken, other) { proxy, client, accept in
      let question = try await client.ask(
        "POST", "/x?y=1", fields: [Self.text] + Sent.inline("l\u{F6}st"), body: "")
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.text == "l\u{F6}st" && asked.fields["content-length"] == "5" && asked.path == "/x?y=1")
      #expect(asked.fields["content-type"] == "text/plain" && asked.fields.keys.allSatisfy { !$0.hasPrefix("x-pb") })
      try await server.answer(stream, body: "ok")
      #expect(try await client.answer(question).text == "ok")
      let record = try await proxy.record()
      #expect(record.flag("request.restored") && record["request.sentBytes"] == "5" && record["request.bytes"] == "0")
      #expect(record["request.sentSha256"] != nil && record["request.sentSha256"] != record["request.sha256"])
      #expect(record["request.suspectedStripped"] == nil)
    }
  }

  @Test(arguments: Spoken.allCases, Spoken.allCases)
  func `a large body comes back from the parts that came ahead`(_ spoken: Spoken, _ other: Spoken) async throws {
    try await withPair(spoken, other) { _, client, accept in
      let body = String(decoding: Kit.bytes(300_000).map { $0 & 0x7F }, as: UTF8.self)
      try await upload(client, Sent.parts(Array(body.utf8), Self.identifier).shuffled())
      let question = try await client.ask("POST", fields: [Self.text, ("Accept", Self.accept)], body: "")
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.text == body && asked.fields["accept"] == "*/*" && asked.fields["content-length"] == "300000")
      try await server.answer(stream, body: "ok")
      #expect(try await client.answer(question).text == "ok")
    }
  }

  @Test func `a form's body is written by the proxy in the page's charset`() async throws {
    try await withPair { _, client, accept in
      let entries = Sent.entries([["k", "\u{4E2D}\u{1F600}"], ["f", "\u{540D}.bin", "", "file"]])
      try await upload(client, Sent.parts(entries, Self.identifier, more: ",\"f\":\"u\",\"c\":\"GBK\""))
      _ = try await client.ask(
        "POST", "/form?a=1&__pb=\(Self.identifier)",
        fields: [
          ("Content-Type", "application/x-www-form-urlencoded"),
          ("Referer", "https://a.test/before?__pb=\(Self.identifier)"),
        ], body: "")
      let server = try await accept()
      let (_, asked) = try await server.asked()
      #expect(asked.text == "k=%D6%D0%26%23128512%3B&f=%C3%FB.bin" && asked.path == "/form?a=1")
      #expect(asked.fields["referer"] == "https://a.test/before")
    }
  }

  @Test(arguments: Spoken.allCases)
  func `a body whose length was never announced is missed at its end`(_ origin: Spoken) async throws {
    try await withPair(.http2, origin) { proxy, client, accept in
      let question = try await client.ask(
        "POST", fields: [Self.text] + Sent.inline("lost"), body: nil, trailers: [("x-end", "1")])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.text == "lost" && asked.fields["content-length"] == "4")
      try await server.answer(stream)
      if origin == .http2 { _ = try await client.answer(question) }
    }
  }

  // MARK: what arrives anyway

  @Test(arguments: [("same", false), ("other", true)])
  func `a body that arrives is used as it is`(_ body: String, _ isTold: Bool) async throws {
    try await withPair { proxy, client, accept in
      let question = try await client.ask("POST", fields: [Self.text] + Sent.inline("same"), body: body)
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.text == body && asked.fields.keys.allSatisfy { !$0.hasPrefix("x-pb") })
      try await server.answer(stream, body: "ok")
      _ = try await client.answer(question)
      if isTold { #expect(try await proxy.record("body-differs")["host"] == "a.test") }
      let record = try await proxy.record()
      #expect(!record.flag("request.restored") && record["request.sha256"] == record["request.sentSha256"])
    }
  }

  @Test func `a chunked body that arrives is used as it is`() async throws {
    try await withPair { _, client, accept in
      _ = try await client.ask(
        "POST", fields: [Self.text] + Sent.inline("same"), body: "same", trailers: [("x-end", "1")])
      let (_, asked) = try await accept().asked()
      #expect(asked.text == "same" && asked.fields["transfer-encoding"] == "chunked")
    }
  }

  // MARK: what is not restored

  @Test func `a redirect to GET keeps no body and no field`() async throws {
    try await withPair { _, client, accept in
      _ = try await client.ask("GET", "/after", fields: Sent.inline("lost") + [("Accept", Self.accept)])
      let (_, asked) = try await accept().asked()
      #expect(asked.text.isEmpty && asked.fields["content-length"] == nil && asked.fields["accept"] == "*/*")
      #expect(asked.fields.keys.allSatisfy { !$0.hasPrefix("x-pb") })
    }
  }

  @Test func `a redirect that keeps the method gets the body again`() async throws {
    try await withPair { _, client, accept in
      try await upload(client, Sent.parts(Array("lost".utf8), Self.identifier))
      var server: EitherPeer?
      for index in 0..<3 {
        let question = try await client.ask(
          "POST", "/\(index)", fields: [Self.text, ("Accept", Self.accept)], body: "")
        if server == nil { server = try await accept() }
        let (stream, asked) = try await #require(server).asked(index)
        #expect(asked.text == "lost")
        try await #require(server).answer(stream, 307, fields: [("Location", "/next")], body: "")
        #expect(try await client.answer(question).status == 307)
      }
    }
  }

  @Test func `a body may come a little later than its request`() async throws {
    try await withPair { proxy, client, accept in
      _ = try await client.ask("POST", fields: [Self.text, ("Accept", Self.accept)], body: "")
      try await upload(try await proxy.client(.http2), Sent.parts(Array("lost".utf8), Self.identifier))
      let (_, asked) = try await accept().asked()
      #expect(asked.text == "lost")
    }
  }

  @Test func `what never comes is not waited for long, and told`() async throws {
    try await withPair { proxy, client, accept in
      let uploader = try await proxy.client(.http1)
      try await upload(uploader, Array(Sent.parts(Kit.bytes(100_000), Self.identifier).dropLast()))
      let forged = String(Self.identifier.reversed())
      let other = try await proxy.client(.http1)
      _ = try await other.ask(
        "POST", "/forged", fields: [Self.text, ("Accept", "a/b, application/x-pb.\(forged)")], body: "")
      let question = try await client.ask("POST", "/partly", fields: [Self.text, ("Accept", Self.accept)], body: "")
      for _ in 0..<2 {
        let server = try await accept()
        let (stream, asked) = try await server.asked()
        #expect(asked.text.isEmpty && asked.fields["content-length"] == "0")
        #expect(asked.fields["accept"] == (asked.path == "/forged" ? "a/b" : "*/*"))
        try await server.answer(stream, body: "")
      }
      _ = try await client.answer(question)
      var reasons: Set<String> = []
      for _ in 0..<2 { reasons.insert(try #require(try await proxy.record("body-not-restored")["detail"])) }
      #expect(reasons.contains { $0.contains("forged") } && reasons.contains { $0.contains("have not come") })
      let record = try await proxy.record()
      #expect(!record.flag("request.restored") && record.flag("request.suspectedStripped"))
    }
  }

  @Test func `a body over the limit is refused ahead, and its request goes on as it came`() async throws {
    try await withPair { proxy, client, accept in
      let body = Kit.bytes((1 << 20) + 1)
      let first = try #require(Sent.parts(body, Self.identifier).first)
      let refused = try await client.answer(try await client.ask("POST", "/.well-known/pb/u", fields: first, body: ""))
      #expect(refused.status == 413 && refused.text.contains("bodies.hook.limit"))
      try await upload(client, [Array(Sent.parts([], Self.identifier, more: ",\"o\":true")[0])])
      _ = try await client.ask("POST", fields: [Self.text, ("Accept", Self.accept)], body: "")
      let (_, asked) = try await accept().asked()
      #expect(asked.text.isEmpty && asked.fields["content-length"] == "0")
      #expect(try await proxy.record("body-not-restored")["detail"]?.contains("bodies.hook.limit, 1048576") == true)
    }
  }

  @Test func `what is damaged is no body`() async throws {
    try await withPair { proxy, client, accept in
      let meta = Sent.inline("lost")[0]
      _ = try await client.ask(
        "POST", fields: [Self.text, meta, ("x-pb-d", Sent.base64URL(Array("l0st".utf8)))], body: "")
      let (_, asked) = try await accept().asked()
      #expect(asked.text.isEmpty)
      #expect(try await proxy.record("body-not-restored")["detail"]?.contains("do not make up") == true)
    }
  }

  @Test func `hosts that are not hooked never see the channel, and get nothing back`() async throws {
    try await withPair(hook: "bodies: { hook: { hosts: ['b.test'] } }") { proxy, client, accept in
      _ = try await client.ask(
        "POST", "/?__pb=\(Self.identifier)", fields: [Self.text, ("Accept", Self.accept)] + Sent.inline("lost"),
        body: "")
      let (_, asked) = try await accept().asked()
      #expect(asked.text.isEmpty && asked.path == "/" && asked.fields["accept"] == "*/*")
      #expect(asked.fields.keys.allSatisfy { !$0.hasPrefix("x-pb") })
    }
  }

  @Test func `without the hook nothing is touched`() async throws {
    try await withPair(hook: "") { proxy, client, accept in
      _ = try await client.ask(
        "POST", "/?__pb=\(Self.identifier)", fields: [Self.text, ("Accept", Self.accept)] + Sent.inline("lost"),
        body: "")
      let (_, asked) = try await accept().asked()
      #expect(asked.path == "/?__pb=\(Self.identifier)" && asked.fields["accept"] == Self.accept)
      #expect(asked.fields["x-pb-m"] != nil && asked.text.isEmpty)
      #expect(try await proxy.record("bodies-stripped")["detail"]?.contains("bodies.hook.hosts") == true)
    }
  }

  // MARK: repeated requests

  @Test func `a request that is repeated has its whole body again`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.hook) { proxy in
      let client = EitherPeer.http1(try await proxy.secured())
      let first = try await client.ask("GET")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer()
      _ = try await client.answer(first)
      let put = try await client.ask(
        "PUT", "/again", fields: [Self.text] + Sent.inline("lost", method: "PUT"), body: "")
      #expect(try await server.request().text == "lost")
      await server.reset()
      let other = try await origin.accept()
      #expect(try await other.request().text == "lost")
      await other.answer("ok")
      #expect(try await client.answer(put).text == "ok")
    }
  }

  // MARK: CORS

  @Test func `preflights of the script's own messages are answered here`() async throws {
    try await withPair { _, client, _ in
      let answer = try await client.answer(
        try await client.ask(
          "OPTIONS", "/.well-known/pb/u",
          fields: [
            ("Origin", "null"), ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "x-pb-d,x-pb-id"),
          ]))
      #expect(answer.status == 200 && answer.fields["access-control-allow-origin"] == "null")
      #expect(answer.fields["access-control-allow-headers"]?.contains("x-pb-id") == true)
      #expect(answer.fields["access-control-allow-credentials"] == "true")
    }
  }

  @Test func `a preflight that is there for the script's sake alone is answered here`() async throws {
    try await withPair { _, client, _ in
      let answer = try await client.answer(
        try await client.ask(
          "OPTIONS", "/api",
          fields: [
            ("Origin", "https://c.test"), ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "x-pb-d,x-pb-m"),
          ]))
      #expect(answer.status == 200 && answer.fields["access-control-allow-headers"] == "x-pb-d, x-pb-m")
    }
  }

  @Test func `another preflight goes on without the script's fields, and comes back with them`() async throws {
    try await withPair { _, client, accept in
      let question = try await client.ask(
        "OPTIONS", "/api",
        fields: [
          ("Origin", "https://c.test"), ("Access-Control-Request-Method", "POST"),
          ("Access-Control-Request-Headers", "content-type,x-pb-d,x-pb-m"),
        ])
      let server = try await accept()
      let (stream, asked) = try await server.asked()
      #expect(asked.fields["access-control-request-headers"] == "content-type")
      try await server.answer(
        stream, fields: [("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Headers", "content-type")],
        body: "")
      let answer = try await client.answer(question)
      #expect(answer.fields["access-control-allow-headers"] == "content-type, x-pb-d, x-pb-m")
    }
  }
}
