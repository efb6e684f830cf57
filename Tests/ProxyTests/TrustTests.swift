import TLS
import Testing

/// What origins must show, and what they are shown.
@Suite struct TrustTests {
  private func refused(_ identity: Identity, _ code: Int, sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let origin = try Origin(identity)
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept(securing: false)
      _ = try await origin.secure(server)
      let response = try await client.response()
      #expect(
        response.status == 502 && response["Proxy-Status"]?.contains("tls_certificate_error") == true,
        sourceLocation: sourceLocation)
      let record = try await proxy.record()
      #expect(
        record["error.code"] == "\(code)" && record["decision.decidedBy"] == "trust", "\(record)",
        sourceLocation: sourceLocation)
      #expect(record["decision.action"] == "deny", sourceLocation: sourceLocation)
    }
  }

  @Test func `certificates that are not trusted`() async throws {
    try await refused(PKI.server("a.test", by: PKI.stranger), -1203)
    try await refused(PKI.server("a.test", until: -1), -1201)
    try await refused(PKI.server("b.test"), -1202)
  }

  @Test func `pins are of the validated chain`() async throws {
    let identity = try PKI.server("a.test")
    let origin = try Origin(identity)
    let root = "sha256/\(Self.base64(try PKI.origins.get().certificate.spkiDigest))"
    let more = "trust: { t: { pins: ['\(root)'] } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.secured()
      try await exchange(client, try await origin.accept())
      #expect(try await proxy.record()["origin.matchedPin"] == root)
    }
    let wrong = "sha256/\(Self.base64([UInt8](repeating: 7, count: 32)))"
    let bad = "trust: { t: { pins: ['\(wrong)'] } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
    try await TestProxy.run(["a.test:443": origin], more: bad) { proxy in
      let client = try await proxy.secured()
      await client.get()
      _ = try await origin.secure(try await origin.accept(securing: false))
      #expect(try await client.response().status == 502)
      #expect(try await proxy.record()["error.code"] == "-1202")
    }
  }

  @Test func `a report-only pin set reports`() async throws {
    let origin = try Origin.tls()
    let wrong = "sha256/\(Self.base64([UInt8](repeating: 7, count: 32)))"
    let more =
      "trust: { t: { pins: ['\(wrong)'], enforce: false } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.secured()
      try await exchange(client, try await origin.accept())
      let report = try await proxy.record("pin-mismatch")
      #expect(report["host"] == "a.test" && report["rule"] == "a.test" && report["pins"]?.contains("sha256/") == true)
      #expect(try await proxy.record()["origin.matchedPin"] == nil)
    }
  }

  @Test func `with refuse the client sees a failed handshake`() async throws {
    let origin = try Origin(PKI.server("a.test", by: PKI.stranger))
    try await TestProxy.run(
      ["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', onTrustFailure: 'refuse' }] }"
    ) { proxy in
      let client = try await proxy.tunnel()
      async let handshake = client.secure("a.test")
      _ = try await origin.secure(try await origin.accept(securing: false))
      #expect(try await handshake == .tls(.alert(40)))
      let record = try await proxy.record()
      #expect(record["status"] == nil && record["error.code"] == "-1203" && record["decision.decidedBy"] == "trust")
    }
  }

  @Test func `with refuse a trusted origin is served over the connection that was judged`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', onTrustFailure: 'refuse' }] }"
    ) { proxy in
      let client = try await proxy.tunnel()
      async let handshake = client.secure("a.test")
      let server = try await origin.accept()
      #expect(try await handshake == nil)
      #expect(try await exchange(client, server).status == 200)
      #expect(origin.connectionCount == 1)
    }
  }

  // MARK: identities

  private static let withIdentity =
    "identities: { corp: { certificate: 'corp.pem', key: 'corp.key' } }, rules: { hosts: [{ host: 'a.test', identity: 'corp' }] }"

  private func files(_ identity: Identity) throws -> [String: String] {
    ["corp.pem": identity.leaf.pem, "corp.key": try identity.key.pem()]
  }

  @Test func `an identity is shown to the origin that asks and is trusted`() async throws {
    let identity = try PKI.client("corp")
    let origin = try Origin.asking(isRequired: true)
    try await TestProxy.run(["a.test:443": origin], more: Self.withIdentity, files: files(identity)) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      #expect(await server.peerCertificate() == identity.leaf)
      try await exchange(client, server)
      #expect(try await proxy.record()["origin.identity"] == "corp")
    }
  }

  @Test func `an origin that does not ask is shown nothing`() async throws {
    let identity = try PKI.client("corp")
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: Self.withIdentity, files: files(identity)) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      #expect(await server.peerCertificate() == nil)
      try await exchange(client, server)
      #expect(try await proxy.record()["origin.identity"] == nil)
    }
  }

  @Test func `an origin that is not trusted never sees the identity`() async throws {
    let identity = try PKI.client("corp")
    let origin = try Origin.asking("b.test", isRequired: false)
    try await TestProxy.run(["a.test:443": origin], more: Self.withIdentity, files: files(identity)) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept(securing: false)
      #expect(try await origin.secure(server) != nil)
      #expect(await server.peerCertificate() == nil)
      #expect(try await client.response().status == 502)
    }
  }

  @Test func `another host never sees the identity, and the client is told`() async throws {
    let identity = try PKI.client("corp")
    let origin = try Origin.asking("b.test", isRequired: true)
    try await TestProxy.run(["b.test:443": origin], more: Self.withIdentity, files: files(identity)) { proxy in
      let client = try await proxy.secured("b.test")
      await client.get(host: "b.test")
      let server = try await origin.accept(securing: false)
      #expect(try await origin.secure(server) != nil)
      #expect(await server.peerCertificate() == nil)
      let response = try await client.response()
      #expect(
        response.status == 502 && response["Proxy-Status"]?.contains("tls_alert_received") == true, "\(response.text)")
      #expect(try await proxy.record()["error.code"] == "-1206")
    }
  }

  // MARK: resumption

  @Test func `a resumed connection keeps the verdict of the first`() async throws {
    let origin = try Origin.tls()
    let root = "sha256/\(Self.base64(try PKI.origins.get().certificate.spkiDigest))"
    let more = "trust: { t: { pins: ['\(root)'] } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.secured()
      var records: [Record] = []
      for _ in 0..<2 {
        await client.get()
        let server = try await origin.accept()
        _ = try await server.request()
        await server.answer(fields: "Connection: close\r\n")
        _ = try await client.response()
        records.append(try await proxy.record())
      }
      #expect(!records[0].flag("origin.tls.resumed") && records[1].flag("origin.tls.resumed"))
      #expect(records[1]["origin.matchedPin"] == root && records[1]["origin.pins"] == records[0]["origin.pins"])
      #expect(records[1]["ats.verdict"] == "pass")
    }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 { text.append(position <= group.count ? alphabet[value >> (18 - 6 * position) & 63] : "=") }
    }
    return text
  }
}
