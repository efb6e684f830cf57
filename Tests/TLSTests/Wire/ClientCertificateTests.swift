import Bytes
import COpenSSL
import Names
import Testing

@testable import TLS

@Suite("Client certificates") struct ClientCertificateTests {
  /// A server that asks for a certificate, names `authorities`, and takes any chain.
  private func asking(_ authorities: [String] = [], isRequired: Bool = false) throws -> TLSServerContext {
    let context = try TLSServerContext()
    SSL_CTX_set_security_level(context.pointer, 0)
    let mode = SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
    SSL_CTX_set_verify(context.pointer, mode, nil)
    SSL_CTX_set_cert_verify_callback(context.pointer, { _, _ in 1 }, nil)
    for name in authorities {
      let authority = try Credentials.certificate(name)
      withExtendedLifetime(authority) { #expect(SSL_CTX_add_client_CA(context.pointer, authority.pointer) == 1) }
    }
    return context
  }

  private func received(by server: TLSSession) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    try server.configure { ssl in
      guard let leaf = SSL_get1_peer_certificate(ssl) else { return true }
      found.append(Certificate(adopting: leaf).der)
      let others = SSL_get_peer_cert_chain(ssl)
      for index in 0..<copenssl_sent_count(others) {
        guard let other = copenssl_sent_at(others, index), X509_up_ref(other) == 1 else { continue }
        found.append(Certificate(adopting: other).der)
      }
      return true
    }
    return found
  }

  private func ders(_ names: String...) throws -> [[UInt8]] {
    try names.map { try Credentials.certificate($0).der }
  }

  @Test("The whole chain of the identity is sent when the origin asks", arguments: [TLSVersion.v12, .v13])
  func sends(_ version: TLSVersion) throws {
    let alice = try Credentials.identity("alice", chain: ["client-intermediate"])
    let wire = try Wire(parameters: .only(version), identities: [alice], server: asking(isRequired: true))
    try wire.shake()
    #expect(try received(by: wire.server) == ders("alice", "client-intermediate"))
    #expect(wire.client.clientCertificateWasAsked && wire.client.sentIdentity?.name == "alice")
  }

  @Test("Nobody asks, nothing is sent", arguments: [TLSVersion.v12, .v13])
  func keeps(_ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version), identities: [Credentials.identity("alice")])
    try wire.shake()
    #expect(try received(by: wire.server).isEmpty)
    #expect(!wire.client.clientCertificateWasAsked && wire.client.sentIdentity == nil)
  }

  @Test("An origin that the judge refuses gets no certificate", arguments: [TLSVersion.v12, .v13])
  func refused(_ version: TLSVersion) throws {
    let wire = try Wire(
      parameters: .only(version), judge: RecordingJudge(accepts: false), identities: [Credentials.identity("alice")],
      server: asking(isRequired: true))
    #expect(throws: TLSFailure.refusedByJudge) { try wire.shake() }
    #expect(!wire.client.clientCertificateWasAsked && wire.client.sentIdentity == nil)
    #expect(wire.client.stage == .certificate)
    #expect(throws: TLSFailure.alert(TLSAlert.badCertificate)) { try wire.server.advance(wire.toServer.bytes) }
    #expect(try received(by: wire.server).isEmpty)
    #expect(throws: TLSFailure.refusedByJudge, "the failure stays") {
      try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  @Test(
    "The first identity with an issuer among the named authorities is chosen", arguments: [TLSVersion.v12, .v13])
  func chooses(_ version: TLSVersion) throws {
    let alice = try Credentials.identity("alice", chain: ["client-intermediate"])
    let bob = try Credentials.identity("bob")
    let cases: [(authorities: [String], identities: [Identity], expected: String?)] = [
      ([], [alice, bob], "alice"), ([], [bob, alice], "bob"), (["other-root"], [alice, bob], "bob"),
      (["client-root"], [bob, alice], "alice"), (["client-intermediate"], [bob, alice], "alice"),
      (["server-root"], [alice, bob], nil), (["other-root"], [alice], nil), (["other-root"], [], nil),
    ]
    for (authorities, identities, expected) in cases {
      let wire = try Wire(parameters: .only(version), identities: identities, server: asking(authorities))
      try wire.shake()
      #expect(wire.client.clientCertificateWasAsked)
      #expect(wire.client.sentIdentity?.name == expected)
      #expect(try received(by: wire.server).first == expected.map { try Credentials.certificate($0).der })
    }
  }

  @Test("An identity whose key cannot sign as asked is passed over", arguments: [TLSVersion.v12, .v13])
  func keyType(_ version: TLSVersion) throws {
    let context = try asking()
    let schemes = version == .v13 ? "rsa_pss_rsae_sha256" : "RSA+SHA256"
    var text = Array(schemes.utf8CString)
    #expect(SSL_CTX_ctrl(context.pointer, SSL_CTRL_SET_CLIENT_SIGALGS_LIST, 0, &text) == 1)
    let wire = try Wire(
      parameters: .only(version), identities: [Credentials.identity("alice"), Credentials.identity("bob")],
      server: context)
    try wire.shake()
    #expect(wire.client.sentIdentity?.name == "bob")
  }

  @Test("A weak identity can be presented", arguments: [TLSVersion.v12, .v13])
  func weak(_ version: TLSVersion) throws {
    let wire = try Wire(
      parameters: .only(version), identities: [Credentials.identity("weak")], server: asking(isRequired: true))
    try wire.shake()
    #expect(try received(by: wire.server) == ders("weak"))
  }

  @Test("An origin that requires a certificate and gets none says so", arguments: [TLSVersion.v12, .v13])
  func required(_ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version), server: asking(isRequired: true))
    _ = wire.failure()
    // In TLS 1.3 the client is done before the origin looks at its certificate.
    #expect(wire.client.stage == (version == .v13 ? .established : .finished))
    let expected = version == .v13 ? TLSAlert.certificateRequired : TLSAlert.handshakeFailure
    let failure = #expect(throws: TLSFailure.self) {
      _ = try wire.client.advance(wire.toClient.bytes)
      _ = try wire.client.open(wire.toClient.bytes, into: wire.atClient, limit: .max)
    }
    #expect(failure == .alert(expected))
    #expect(wire.client.clientCertificateWasAsked && wire.client.sentIdentity == nil)
  }

  @Test("An origin that refuses our certificate says so", arguments: [TLSVersion.v12, .v13])
  func notAccepted(_ version: TLSVersion) throws {
    let context = try TLSServerContext()
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
    let wire = try Wire(parameters: .only(version), identities: [Credentials.identity("alice")], server: context)
    _ = wire.failure()
    let failure = #expect(throws: TLSFailure.self) {
      _ = try wire.client.advance(wire.toClient.bytes)
      _ = try wire.client.open(wire.toClient.bytes, into: wire.atClient, limit: .max)
    }
    #expect(failure == .alert(TLSAlert.unknownCA))
    #expect(wire.client.sentIdentity?.name == "alice")
  }

  @Test("TLS 1.3: the origin may ask after the handshake, once that is allowed")
  func postHandshake() throws {
    let alice = try Credentials.identity("alice", chain: ["client-intermediate"])
    let wire = try Wire(parameters: .only(.v13, late: true), identities: [alice])
    try wire.shake()
    try wire.settle()
    #expect(!wire.client.clientCertificateWasAsked && wire.judge.tickets.isEmpty)
    try wire.server.configure { ssl in
      SSL_set_verify(ssl, SSL_VERIFY_PEER, { _, _ in 1 })
      return SSL_verify_client_post_handshake(ssl) == 1
    }
    _ = try wire.server.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    try wire.settle()
    #expect(try received(by: wire.server) == ders("alice", "client-intermediate"))
    #expect(wire.client.sentIdentity?.name == "alice")
    try wire.client.sealText("after")
    try wire.settle()
    #expect(wire.atServer.text == "after")
  }

  @Test("TLS 1.2: the origin may ask in a renegotiation, again and again, once that is allowed")
  func renegotiation() throws {
    let context = try TLSServerContext()
    SSL_CTX_clear_options(context.pointer, copenssl_op_no_renegotiation)
    copenssl_ctx_set_session_cache_mode(context.pointer, Int(SSL_SESS_CACHE_SERVER))
    let alice = try Credentials.identity("alice", chain: ["client-intermediate"])
    let wire = try Wire(parameters: .only(.v12, late: true), identities: [alice], server: context)
    try wire.shake()
    for round in 1...2 {
      try renegotiate(wire)
      #expect(wire.judge.peers.count == 1 + round, "a full handshake, in which the judge is asked again")
      #expect(wire.client.sentIdentity?.name == "alice")
      #expect(try received(by: wire.server).first == ders("alice").first)
    }
    try wire.client.sealText("after")
    try wire.settle()
    #expect(wire.atServer.text == "after")
  }

  private func renegotiate(_ wire: Wire) throws {
    try wire.server.configure { ssl in
      SSL_set_verify(ssl, SSL_VERIFY_PEER, { _, _ in 1 })
      return SSL_renegotiate(ssl) == 1
    }
    // Once for the request, once for what the client answers to it.
    _ = try wire.server.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    try wire.settle(wire.client, from: wire.toClient, into: wire.atClient)
    try wire.settle()
  }

  @Test("TLS 1.2: a renegotiation is refused where it is not allowed, and the connection goes on")
  func noRenegotiation() throws {
    let context = try TLSServerContext()
    SSL_CTX_clear_options(context.pointer, copenssl_op_no_renegotiation)
    let wire = try Wire(parameters: .only(.v12), identities: [Credentials.identity("alice")], server: context)
    try wire.shake()
    try wire.server.configure { SSL_renegotiate($0) == 1 }
    _ = try wire.server.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    try wire.settle(wire.client, from: wire.toClient, into: wire.atClient)
    #expect(throws: TLSFailure.alert(TLSAlert.noRenegotiation)) {
      try wire.settle(wire.server, from: wire.toServer, into: wire.atServer)
    }
    #expect(!wire.client.clientCertificateWasAsked)
  }
}
