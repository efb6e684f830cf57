import COpenSSL
import HTTP
import TLS
import Testing

@testable import TLS

/// `onTrustFailure: refuse`: the device meets what it would have met without the proxy, as near as that can be.
@Suite struct RefuseTests {
  private static let refuse = "rules: { hosts: [{ host: 'a.test', onTrustFailure: 'refuse' }] }"

  @Test func `an origin whose version the policy refuses`() async throws {
    let origin = try Origin(PKI.server("a.test")) { context in
      #expect(copenssl_ctx_set_versions(context.pointer, TLS1_2_VERSION, TLS1_2_VERSION) == 1)
    }
    let ats =
      "ats: { dictionary: { NSExceptionDomains: { 'a.test': { NSExceptionMinimumTLSVersion: 'TLSv1.3' } } } }"
    try await TestProxy.run(["a.test:443": origin], more: "\(ats), \(Self.refuse)") { proxy in
      let client = try await proxy.tunnel()
      async let handshake = client.secure("a.test")
      _ = try await origin.secure(try await origin.accept(securing: false))
      #expect(try await handshake == .tls(.alert(TLSAlert.protocolVersion)))
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1200" && record["decision.decidedBy"] == "ats" && record["status"] == nil)
    }
  }

  @Test func `an origin that ends the handshake is quoted`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin], more: Self.refuse) { proxy in
      let client = try await proxy.tunnel()
      async let handshake = client.secure("a.test")
      let server = try await origin.accept()
      _ = await server.receive(1)
      await server.send(TLSAlert.record(TLSAlert.unrecognizedName))
      #expect(try await handshake == .tls(.alert(TLSAlert.unrecognizedName)))
      #expect(try await proxy.record()["error.code"] == "-1200")
    }
  }

  @Test func `an origin that is not there is a reset, not a word of TLS`() async throws {
    let origin = try ClosedPort()
    try await TestProxy.run(["a.test:443": origin], more: Self.refuse) { proxy in
      let client = try await proxy.tunnel()
      #expect(try await client.secure("a.test") == .reset)
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1004" && record["status"] == nil && record["decision.decidedBy"] == "default")
    }
  }

  @Test func `a slow origin is waited for as long as a connection may take`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "\(Self.refuse), limits: { headTimeout: '1s' }") { proxy in
      let client = try await proxy.tunnel()
      async let handshake = client.secure("a.test")
      let server = try await origin.accept(securing: false)
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(try await origin.secure(server) == nil)
      #expect(try await handshake == nil)
      #expect(try await exchange(client, server).status == 200)
    }
  }

  @Test(arguments: [EitherPeer.Spoken.http1, .http2])
  func `an origin that is exchanged later ends the connection, and the next handshake`(
    _ spoken: EitherPeer.Spoken
  ) async throws {
    let origin = try Origin.tls()
    let stranger = try PKI.server("a.test", by: PKI.stranger)
    let context = try TLSServerContext()
    try await TestProxy.run(["a.test:443": origin], more: Self.refuse) { proxy in
      let tunnel = try await proxy.tunnel()
      async let handshake = tunnel.secure("a.test", alpn: spoken == .http2 ? ["h2"] : ["http/1.1"])
      let server = try await origin.accept()
      try #require(try await handshake == nil)
      let client: EitherPeer =
        spoken == .http1
        ? .http1(tunnel) : .http2(try await HTTP2Peer(tunnel, .client, { _ in }, sourceLocation: #_sourceLocation))
      let first = try await client.ask("GET")
      _ = try await server.request()
      await server.answer("1", fields: "Connection: close\r\n")
      #expect(try await client.answer(first).text == "1")
      _ = try await proxy.record()
      _ = try await client.ask("GET", "/2")
      _ = try await origin.accept(securing: false).secure(as: stranger, context)
      #expect(await tunnel.end() != nil, "the connection ends, and not with an answer")
      let record = try await proxy.record()
      #expect(record["status"] == nil && record["error.code"] == "-1203" && record["decision.action"] == "deny")
      let again = try await proxy.tunnel()
      async let next = again.secure("a.test")
      _ = try await origin.accept(securing: false).secure(as: stranger, context)
      #expect(try await next == .tls(.alert(TLSAlert.handshakeFailure)))
    }
  }
}
