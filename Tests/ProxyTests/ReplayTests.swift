import Proxy
import Records
import Testing

/// Requests that the console sends once more.
@Suite struct ReplayTests {
  private func request(
    _ method: String = "GET", _ url: String = "https://a.test/x?q=1", _ fields: [(String, String)] = [],
    body: String = "", lane: String = "default", client: String? = "127.0.0.1:9"
  ) -> ReplayRequest {
    ReplayRequest(
      method: method, url: url, fields: fields.map { CapturedMessage.Field(name: $0.0, value: $0.1) },
      body: Array(body.utf8), lane: lane, client: client)
  }

  private func result(_ proxy: TestProxy, within limit: Duration) async -> Result<ReplayOutcome, ReplayFault> {
    do throws(ReplayFault) {
      return .success(try await proxy.server.replay(request(), within: limit))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: EitherPeer.Spoken.allCases)
  func `what was captured is sent again as it was, without secrets`(_ spoken: EitherPeer.Spoken) async throws {
    let recorder = Recorder()
    let origin = try Origin.speaking(spoken)
    try await TestProxy.run(["a.test:443": origin], parts: TestProxy.Parts(recorder: recorder)) { proxy in
      let client = try await proxy.client(spoken)
      let question = try await client.ask(
        "POST", "/x%2F?q=1", fields: [("Cookie", "a=hush"), ("X-One", "1"), ("Accept", "*/*")], body: "question")
      let server = try await origin.accept(spoken)
      try await server.answer(try await server.asked().0, body: "first")
      _ = try await client.answer(question)
      let first = try await recorder.exchange()
      let kept = try #require(first.request)
      async let outcome = proxy.server.replay(
        ReplayRequest(
          method: first.record.method, url: first.record.url.text, fields: kept.fields, body: kept.body,
          lane: first.record.lane, client: first.record.client))
      let (stream, asked) = try await server.asked(1)
      #expect(asked.method == "POST" && asked.path == "/x%2F?q=1" && asked.text == "question")
      #expect(asked.fields["x-one"] == "1" && asked.fields["host"] == "a.test" && asked.fields["cookie"] == nil)
      #expect(asked.fields["via"]?.hasPrefix("1.1 pinwarden-") == true)
      try await server.answer(stream, 202, body: "second")
      let second = try await recorder.exchange(1)
      let repeated = try await outcome
      #expect(repeated == ReplayOutcome(identifier: second.record.identifier, status: 202))
      #expect(second.record.client == "console" && second.record.url.text == first.record.url.text)
      #expect(second.record.origin?.isReused == true && second.response?.text == "second")
      #expect(second.request?.text == "question" && second.request?["cookie"].isEmpty == true)
      let now = try await proxy.metrics("connections_open{listener=\"replay\"}", reach: 0)
      #expect(now["connections_total{listener=\"replay\"}"] == 1)
    }
  }

  @Test func `the policy of the lane decides`() async throws {
    try await TestProxy.run(
      more: "lanes: { strict: { rules: { hosts: [{ host: 'a.test', action: 'reject' }] } } }"
    ) { proxy in
      #expect(try await proxy.server.replay(request("GET", "http://a.test/")).status == 403)
      #expect(try await proxy.record()["decision.decidedBy"] == "ats")
      #expect(try await proxy.server.replay(request(lane: "strict")).status == 403)
      let record = try await proxy.record()
      #expect(record["decision.decidedBy"] == "rule" && record["lane"] == "strict" && record["client"] == "console")
      await #expect(throws: ReplayFault.unknownLane("gone")) { try await proxy.server.replay(request(lane: "gone")) }
      #expect(await proxy.hasNoMoreRecords())
    }
  }

  @Test func `an origin that is not trusted is refused as for a device`() async throws {
    let origin = try Origin(PKI.server("a.test", by: PKI.stranger))
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      async let outcome = proxy.server.replay(request())
      _ = try await origin.secure(try await origin.accept(securing: false))
      let repeated = try await outcome
      #expect(repeated.status == 502)
      #expect(try await proxy.record()["decision.decidedBy"] == "trust")
    }
  }

  @Test func `it needs neither an admitted address nor credentials, and opens no door for others`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], more: "access: { clients: ['192.0.2.0/24'], credentials: { htpasswd: 'users' } }",
      files: ["users": "u:$5$salt$Gcm6FsVtF/Qa77ZKD.iwsJlCVPY0XSMgLJL0Hnww/c1\n"]
    ) { proxy in
      async let outcome = proxy.server.replay(request())
      let server = try await origin.accept()
      #expect(try await server.request().startLine == "GET /x?q=1 HTTP/1.1")
      await server.answer()
      let repeated = try await outcome
      #expect(repeated.status == 200)
      let client = try await proxy.connect()
      #expect(await client.end() != nil, "a device is closed as before")
    }
  }

  @Test func `what was closed to the first client stays closed`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(more: "ats: { mode: 'observe' }") { proxy in
      let url = "http://\(origin.address)/"
      for client in ["192.0.2.1:5", nil, "console", "nonsense"] {
        #expect(try await proxy.server.replay(request("GET", url, client: client)).status == 403)
        #expect(try await proxy.record()["error.proxyStatus"] == "destination_ip_prohibited")
      }
      async let outcome = proxy.server.replay(request("GET", url))
      let server = try await origin.accept()
      #expect(try await server.request().startLine == "GET / HTTP/1.1")
      await server.answer()
      let repeated = try await outcome
      #expect(repeated.status == 200)
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `the proxy itself is out of reach`() async throws {
    try await TestProxy.run(more: "ats: { mode: 'observe' }") { proxy in
      let repeated = try await proxy.server.replay(request("GET", "http://\(proxy.address())/"))
      #expect(repeated.status == 508)
    }
  }

  @Test(arguments: [
    ("CONNECT", "https://a.test/", [("X", "1")]), ("GET", "/x", []), ("GET", "ftp://a.test/", []),
    ("GET", "https://a.test/ x", []), ("GET", "https://a.test/\r\nX: 1", []), ("GE T", "https://a.test/", []),
    ("GET", "https://u:p@a.test/", []), ("GET", "https://a.test/", [("X", "1\r\nY: 2")]),
    ("GET", "https://a.test/", [("X Y", "1")]),
    ("GET", "https://a.test/", [("Connection", "Upgrade"), ("Upgrade", "websocket")]),
  ])
  func `what cannot be sent is not`(_ method: String, _ url: String, _ fields: [(String, String)]) async throws {
    try await TestProxy.run { proxy in
      let fault = await #expect(throws: ReplayFault.self) {
        try await proxy.server.replay(request(method, url, fields))
      }
      guard case .invalid(let reason) = fault else {
        Issue.record("\(String(describing: fault))")
        return
      }
      #expect(!reason.isEmpty)
      #expect(await proxy.hasNoMoreRecords())
    }
  }

  @Test func `an answer that does not come in time is given up, and recorded`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let limit = Duration.milliseconds(300)
      async let outcome = self.result(proxy, within: limit)
      let server = try await origin.accept()
      _ = try await server.request()
      let result = await outcome
      #expect(result == .failure(.timedOut(limit)))
      #expect(try await proxy.record()["status"] == nil)
      #expect(await server.end() != nil)
    }
  }

  @Test func `the end of the proxy ends it`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { drain: '100ms' }") { proxy in
      async let outcome = self.result(proxy, within: .seconds(30))
      let server = try await origin.accept()
      _ = try await server.request()
      await proxy.drain()
      let result = await outcome
      guard case .failure(.unavailable) = result else {
        Issue.record("\(result)")
        return
      }
      await #expect(throws: ReplayFault.self) { try await proxy.server.replay(request()) }
    }
  }

  @Test func `a request that announced an empty body announces it again`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      async let outcome = proxy.server.replay(
        request("POST", "https://a.test/x", [("Content-Length", "7"), ("Expect", "100-continue"), ("Host", "b.test")]))
      let server = try await origin.accept()
      let asked = try await server.request()
      #expect(asked["Content-Length"] == "0" && asked["Expect"] == nil && asked["Host"] == "a.test")
      await server.answer()
      let repeated = try await outcome
      #expect(repeated.status == 200)
    }
  }
}
