import COpenSSL
import Testing

@testable import TLS

/// Certificate Transparency and stapled status, from the wire to the record.
@Suite struct TransparencyTests {
  private static let root = Result { try PKI.systemRoot("Root for tests of transparency") }
  private static let logs = Result { [try TestLog("Alpha"), try TestLog("Beta")] }
  private static let requiring = """
    ct: { logList: 'logs.json' }, trust: { t: { requiresCertificateTransparency: true } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }
    """

  /// What came of one request: the status that the client got and its record.
  private func ask(
    _ identity: Identity, anchors: String = "null", published: Int64 = PKI.now, more: String = requiring,
    _ prepare: (TLSServerContext) -> Void = { _ in }
  ) async throws -> (Message, Record) {
    let origin = try Origin(identity, prepare: prepare)
    let list = TestLog.json(try Self.logs.get(), published: published)
    return try await TestProxy.run(
      ["a.test:443": origin], anchors: anchors, more: more, files: ["logs.json": list]
    ) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept(securing: false)
      if try await origin.secure(server) == nil {
        _ = try await server.request()
        await server.answer()
      }
      return (try await client.response(), try await proxy.record())
    }
  }

  @Test func `enough embedded timestamps`() async throws {
    let identity = try PKI.server("a.test", by: Self.root.get(), logs: Self.logs.get())
    let (response, record) = try await ask(identity)
    #expect(response.status == 200, "\(record)")
    #expect(record["origin.ct.status"] == "pass" && record["origin.ct.scts"] == "2")
    #expect(record["origin.ct.reason"]?.contains("Alpha (Alpha operator)") == true)
  }

  @Test func `too few, and the client is told what is missing`() async throws {
    let logs = try Self.logs.get()
    let identity = try PKI.server("a.test", by: Self.root.get(), logs: [logs[0]])
    let (response, record) = try await ask(identity)
    #expect(response.status == 502 && response["Proxy-Status"]?.contains("tls_certificate_error") == true)
    #expect(response.text.contains("Certificate Transparency") && response.text.contains("Alpha (Alpha operator)"))
    #expect(record["error.code"] == "-1202" && record["decision.decidedBy"] == "trust")
    #expect(record["origin.ct.status"] == "fail" && record["origin.ct.scts"] == "1")
  }

  @Test func `one embedded and one from the handshake`() async throws {
    let logs = try Self.logs.get()
    let identity = try PKI.server("a.test", by: Self.root.get(), logs: [logs[0]])
    let list = TestLog.list([try logs[1].timestamp(LogEntry(identity.leaf))])
    let (response, record) = try await ask(identity) { $0.sends(timestamps: list) }
    #expect(
      response.status == 200 && record["origin.ct.status"] == "pass" && record["origin.ct.scts"] == "2", "\(record)")
  }

  @Test func `an old list refuses`() async throws {
    let identity = try PKI.server("a.test", by: Self.root.get(), logs: Self.logs.get())
    let (response, record) = try await ask(identity, published: PKI.now - 71 * PKI.day)
    #expect(response.status == 502 && record["origin.ct.reason"]?.contains("older than ct.maxAge") == true)
  }

  @Test func `a private root needs none`() async throws {
    let (response, record) = try await ask(PKI.server("a.test"), anchors: "'origins.pem'")
    #expect(response.status == 200 && record["origin.ct.status"] == "exempt")
  }

  @Test func `without a policy that asks nothing is told`() async throws {
    let (response, record) = try await ask(PKI.server("a.test", by: Self.root.get()), more: "")
    #expect(response.status == 200 && record["origin.ct.status"] == nil)
  }

  // MARK: stapled status

  private func staple(_ identity: Identity, isRevoked: Bool) throws -> [UInt8] {
    try PKI.staple(about: identity.leaf, by: PKI.origins.get(), isRevoked: isRevoked)
  }

  @Test func `a certificate whose own server says that it was revoked is refused`() async throws {
    let identity = try PKI.server("a.test")
    let staple = try staple(identity, isRevoked: true)
    let (response, record) = try await ask(identity, anchors: "'origins.pem'", more: "") { $0.sends(staple: staple) }
    #expect(response.status == 502 && response.text.contains("revoked"))
    #expect(record["error.code"] == "-1202" && record["error.detail"]?.contains("keyCompromise") == true, "\(record)")
    let good = try self.staple(identity, isRevoked: false)
    let (other, _) = try await ask(identity, anchors: "'origins.pem'", more: "") { $0.sends(staple: good) }
    #expect(other.status == 200)
  }

  @Test func `a certificate that must be stapled is`() async throws {
    let identity = try PKI.server("a.test", by: PKI.origins.get(), extensions: [(NID_tlsfeature, "status_request")])
    let (response, record) = try await ask(identity, anchors: "'origins.pem'", more: "")
    #expect(response.status == 502 && record["error.detail"]?.contains("must-staple") == true, "\(record)")
    let good = try staple(identity, isRevoked: false)
    let (other, _) = try await ask(identity, anchors: "'origins.pem'", more: "") { $0.sends(staple: good) }
    #expect(other.status == 200)
    let foreign = try PKI.staple(about: PKI.server("b.test").leaf, by: PKI.origins.get())
    let (third, told) = try await ask(identity, anchors: "'origins.pem'", more: "") { $0.sends(staple: foreign) }
    #expect(third.status == 502 && told["error.detail"]?.contains("about another certificate") == true)
  }
}
