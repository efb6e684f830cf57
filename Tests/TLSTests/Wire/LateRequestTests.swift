import Bytes
import COpenSSL
import Testing

@testable import TLS

/// Requests for a client certificate after the handshake, where HTTP/2 could have been agreed on.
@Suite("Late requests for a client certificate") struct LateRequestTests {
  private func wire(_ version: ProtocolVersion, chosen: String) throws -> Wire {
    let context = try TLSServerContext()
    SSL_CTX_clear_options(context.pointer, copenssl_op_no_renegotiation)
    let wire = try Wire(
      parameters: .only(version, late: true), offers: ["h2", "http/1.1"],
      identities: [Credentials.identity("alice", chain: ["client-intermediate"])], server: context, accepts: [chosen])
    try wire.shake()
    try wire.settle()
    #expect(wire.client.negotiated?.alpn == chosen)
    return wire
  }

  private func ask(_ wire: Wire, _ how: @escaping (OpaquePointer) -> Int32) throws {
    try wire.server.configure { ssl in
      SSL_set_verify(ssl, SSL_VERIFY_PEER, { _, _ in 1 })
      return how(ssl) == 1
    }
    _ = try wire.server.advance(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @Test("TLS 1.3: over HTTP/2 it ends the connection and shows nothing")
  func overHTTP2() throws {
    let wire = try wire(.v13, chosen: "h2")
    try ask(wire, SSL_verify_client_post_handshake)
    #expect(throws: TLSFailure.lateCertificateRequest) {
      try wire.settle(wire.client, from: wire.toClient, into: wire.atClient)
    }
    #expect(wire.client.lateRequestWasSeen && !wire.client.clientCertificateWasAsked)
    #expect(throws: TLSFailure.alert(TLSAlert.internalError)) {
      try wire.settle(wire.server, from: wire.toServer, into: wire.atServer)
    }
  }

  @Test("TLS 1.2: over HTTP/2 a renegotiation is refused and noticed")
  func renegotiationOverHTTP2() throws {
    let wire = try wire(.v12, chosen: "h2")
    try ask(wire, SSL_renegotiate)
    try wire.settle(wire.client, from: wire.toClient, into: wire.atClient)
    #expect(wire.client.lateRequestWasSeen && !wire.client.clientCertificateWasAsked)
    #expect(throws: TLSFailure.alert(TLSAlert.noRenegotiation)) {
      try wire.settle(wire.server, from: wire.toServer, into: wire.atServer)
    }
  }

  @Test("Over HTTP/1.1 it is answered, though HTTP/2 was offered")
  func overHTTP1() throws {
    let wire = try wire(.v13, chosen: "http/1.1")
    try ask(wire, SSL_verify_client_post_handshake)
    try wire.settle()
    let answer = try #require(wire.client.clientCertificate)
    #expect(answer.sent?.name == "alice" && answer.isLate && !wire.client.lateRequestWasSeen)
  }

  @Test("Plain data does not count as a late request")
  func data() throws {
    for version in [ProtocolVersion.v12, .v13] {
      let wire = try wire(version, chosen: "h2")
      try wire.client.sealText("there")
      try wire.server.sealText("and back")
      try wire.settle()
      #expect(wire.atServer.text == "there" && wire.atClient.text == "and back")
      #expect(!wire.client.lateRequestWasSeen)
    }
  }
}
