import Testing

/// What the records of requests say (contract, section 5).
@Suite struct ExchangeRecordTests {
  @Test func `a complete record`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], more: "rules: { hosts: [{ host: '**.a.test', action: 'intercept' }] }"
    ) {
      proxy in
      let client = try await proxy.secured()
      await client.post("abc", "/p", fields: "User-Agent: Mozilla/5.0 (iPhone) AppleWebKit/605.1.15\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("12345")
      _ = try await client.response()
      let record = try await proxy.record()
      #expect(record["level"] == "info" && record["lane"] == "default" && record["context"] == "web")
      #expect(record["client"]?.hasPrefix("127.0.0.1:") == true && record["protocol"] == "http/1.1")
      #expect(record["decision.action"] == "intercept" && record["decision.decidedBy"] == "rule")
      #expect(record["decision.rule"] == "**.a.test" && record["ats.os"] == "18.4")
      #expect(record["origin.address"] == origin.address && !record.flag("origin.reused"))
      #expect(record["origin.tls.version"] == "TLSv1.3" && record["origin.tls.alpn"] == "http/1.1")
      #expect(record["timing.total"] != nil && record["timing.firstByte"] != nil && record["timing.connect"] != nil)
      #expect(!record.flag("request.restored") && !record.flag("response.fromCache"))
      #expect(record["time"]?.hasSuffix("Z") == true && record["id"] != nil && record["error"] == nil)
    }
  }

  @Test func `receipts can be switched off`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "bodies: { receipts: false }") { proxy in
      let client = try await proxy.secured()
      await client.post("abc")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer()
      _ = try await client.response()
      let record = try await proxy.record()
      #expect(record["request.bytes"] == "3" && record["request.sha256"] == nil)
    }
  }

  @Test func `bodies that were lost before they came are suspected, and told once`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      for _ in 0..<2 {
        await client.post("", fields: "Content-Type: application/json\r\n")
        _ = try await server.request()
        await server.answer()
        _ = try await client.response()
      }
      await proxy.drain()
      let records = try await proxy.allRecords()
      #expect(records.filter { $0["event"] == "bodies-stripped" }.map { $0["host"] } == ["a.test"])
      #expect(records.filter { $0.flag("request.suspectedStripped") }.count == 2)
    }
  }

  @Test func `nothing secret is in the log`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.post("secret-body", fields: "Authorization: Bearer secret-token\r\nCookie: secret-cookie\r\n")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("secret-answer", fields: "Set-Cookie: secret-cookie\r\n")
      _ = try await client.response()
      #expect(!(try await proxy.record().description.contains("secret-")))
    }
  }
}
