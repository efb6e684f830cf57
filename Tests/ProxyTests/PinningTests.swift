import TLS
import Testing

/// Clients that do not take our certificate, and lanes that let them through.
@Suite struct PinningTests {
  private static let failOpen = "lanes: { default: { failOpen: true } }"

  /// A client that wants another certificate, so often.
  private func refuse(_ proxy: TestProxy, _ name: String = "a.test", times: Int = 3) async throws {
    for _ in 0..<times {
      let client = try await proxy.tunnel("\(name):443")
      #expect(try await client.secure(name, trusting: PKI.stranger) == .tls(.refusedByJudge))
      let record = try await proxy.record("tunnel")
      #expect(record.flag("suspectedPinning") && record["detail"]?.contains("bad_certificate (42)") == true)
    }
  }

  /// Another host whose certificate the client takes.
  private func accept(_ proxy: TestProxy, _ origin: Origin) async throws {
    let client = try await proxy.secured("b.test")
    await client.get(host: "b.test")
    let server = try await origin.accept()
    _ = try await server.request()
    await server.answer()
    _ = try await client.response()
  }

  /// A tunnel that passes unseen: the client sees the origin's own certificate.
  private func expectPassed(_ proxy: TestProxy, _ origin: Origin) async throws {
    let client = try await proxy.tunnel()
    async let accepted = origin.accept()
    #expect(try await client.secure("a.test", trusting: PKI.origins) == nil)
    let server = try await accepted
    #expect(try await exchange(client, server, "/through").text == "/through")
    await client.close()
    await server.close()
    let record = try await proxy.record("tunnel")
    #expect(record.flag("failedOpen") && !record.flag("suspectedPinning") && record["sni"] == "a.test")
  }

  @Test func `a client that keeps refusing one host is told of once, with what to do`() async throws {
    let origin = try Origin.tls()
    let other = try Origin.tls("b.test")
    try await TestProxy.run(["a.test:443": origin, "b.test:443": other]) { proxy in
      try await accept(proxy, other)
      for _ in 0..<5 {
        let client = try await proxy.tunnel()
        _ = try await client.secure("a.test", trusting: PKI.stranger)
        _ = await client.end()
      }
      await proxy.drain()
      let events = try await proxy.allRecords().filter { $0["event"] == "pinning-suspected" }
      #expect(events.count == 1)
      let event = try #require(events.first)
      #expect(event["level"] == "warning" && event["client"] == "127.0.0.1" && event["host"] == "a.test")
      #expect(event["reason"] == "pinned" && event["refusals"] == "3" && event["lane"] == "default")
      #expect(event["detail"]?.contains("\"https://a.test\" to rules.whitelist") == true)
    }
  }

  @Test func `a client that refuses every host does not trust the authority, and nothing fails open`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.failOpen) { proxy in
      let stranger = try await proxy.tunnel("c.test:443")
      _ = try await stranger.secure("c.test", trusting: PKI.stranger)
      for _ in 0..<3 {
        let client = try await proxy.tunnel()
        _ = try await client.secure("a.test", trusting: PKI.stranger)
      }
      let event = try await proxy.record("pinning-suspected")
      #expect(event["reason"] == "authority-not-trusted")
      #expect(event["detail"]?.contains("http://pinwarden.internal/") == true)
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test") == nil, "still intercepted")
    }
  }

  @Test func `a lane that fails open passes the host on unseen, until a reload`() async throws {
    let origin = try Origin.tls()
    let other = try Origin.tls("b.test")
    let origins: [String: any Destination] = ["a.test:443": origin, "b.test:443": other]
    try await TestProxy.run(origins, more: Self.failOpen) { proxy in
      try await accept(proxy, other)
      try await refuse(proxy)
      // The dial that began with the first tunnel.
      _ = try await origin.accept()
      try await expectPassed(proxy, origin)
      try await proxy.reload(try proxy.configuration(origins, more: Self.failOpen))
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test") == nil, "intercepted again")
    }
  }

  @Test func `without failOpen it is intercepted as before`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      try await refuse(proxy)
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test") == nil)
    }
  }

  @Test func `programs that look at pins after the handshake are recognised`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.failOpen) { proxy in
      for index in 0..<3 {
        let client = try await proxy.secured()
        if index == 0 { await client.reset() } else { await client.finish() }
        let record = try await proxy.record("tunnel")
        #expect(record.flag("suspectedPinning") && record["detail"]?.contains("without a request") == true)
      }
      _ = try await origin.accept()
      try await expectPassed(proxy, origin)
    }
  }

  @Test func `plain HTTP never fails open`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.failOpen) { proxy in
      try await refuse(proxy)
      let client = try await proxy.tunnel()
      await client.get()
      let response = try await client.response()
      #expect(response.status == 403 && response.text.contains("-1022"))
    }
  }

  @Test(arguments: [
    "rules: { hosts: [{ host: 'a.test', action: 'intercept' }] }",
    "rules: { hosts: [{ host: 'a.test', trust: 't' }] }, trust: { t: {} }",
    """
    ats: { dictionary: { NSPinnedDomains: { 'a.test': { NSPinnedLeafIdentities:
      [{ 'SPKI-SHA256-BASE64': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' }] } } } }
    """,
  ])
  func `a host that somebody wants verified never fails open`(_ more: String) async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "\(more), \(Self.failOpen)") { proxy in
      try await refuse(proxy)
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test") == nil)
    }
  }

  @Test func `a client that sends a request trusts us`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      try await exchange(client, try await origin.accept())
      await client.finish()
      _ = await client.end()
      await proxy.drain()
      #expect(try await proxy.allRecords().allSatisfy { $0["event"] != "tunnel" })
    }
  }
}
