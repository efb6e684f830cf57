import Bytes
import COpenSSL
import Names
import Testing

@testable import TLS

@Suite("Handshakes") struct HandshakeTests {
  @Test("Both versions agree on facts and carry bytes both ways", arguments: [TLSVersion.v12, .v13])
  func agrees(_ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version), offers: ["h2", "http/1.1"], accepts: ["h2", "http/1.1"])
    #expect(wire.client.negotiated == nil)
    try wire.shake()
    let cipher = version == .v13 ? "TLS_AES_256_GCM_SHA384" : "ECDHE-ECDSA-AES128-GCM-SHA256"
    let facts = TLSFacts(version: version.name, cipher: cipher, alpn: "h2", resumed: false)
    #expect(wire.client.negotiated == facts)
    #expect(wire.server.negotiated == facts)
    #expect(wire.client.stage == .established && wire.server.stage == .established)
    try wire.client.sealText("ping")
    try wire.server.sealText("pong")
    try wire.settle()
    #expect(wire.atServer.text == "ping" && wire.atClient.text == "pong")
  }

  @Test("The judge sees the chain as sent, the version and the suite", arguments: [TLSVersion.v12, .v13])
  func judged(_ version: TLSVersion) throws {
    let leaf = try Credentials.identity("server-rsa", chain: ["server-root", "other-root"])
    let wire = try Wire(parameters: .only(version), leaf: leaf)
    try wire.shake()
    let peer = try #require(wire.judge.peers.first)
    #expect(wire.judge.peers.count == 1)
    #expect(peer.version == version)
    #expect(peer.cipher == wire.client.negotiated?.cipher)
    #expect(peer.chain.map(\.der) == ([leaf.leaf] + leaf.chain).map(\.der))
    #expect(!wire.client.clientCertificateWasAsked)
  }

  @Test("The flights may be cut anywhere", arguments: [TLSVersion.v12, .v13])
  func cutAnywhere(_ version: TLSVersion) throws {
    for chunk in [1, 2, 3, 5, 6, 7, 100, 255, 256, 257, 1000] {
      let wire = try Wire(parameters: .only(version))
      wire.chunk = chunk
      try wire.shake()
      try wire.server.sealText(String(repeating: "x", count: 1000))
      try wire.settle()
      #expect(wire.atClient.count == 1000, "pieces of \(chunk)")
    }
  }

  @Test("Each flight may be cut in two at every byte", arguments: [TLSVersion.v12, .v13])
  func cutInTwo(_ version: TLSVersion) throws {
    let context = try TLSServerContext()
    let leaf = try Credentials.identity("server-ec")
    // Flights differ by some bytes from one handshake to the next, so cuts behind the end just cut nothing.
    for cut in 1..<900 {
      let wire = try Wire(parameters: .only(version), server: context, leaf: leaf)
      wire.chunk = cut
      _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
      for (session, queue) in [(wire.server, wire.toServer), (wire.client, wire.toClient)] {
        let flight = Array(queue.bytes)
        queue.removeAll()
        for part in [flight.prefix(cut), flight.dropFirst(cut)] {
          let used = try Array(part).withUnsafeBytes { try session.advance($0).used }
          #expect(used == part.count)
        }
      }
      wire.chunk = .max
      try wire.shake()
      #expect(wire.client.stage == .established, "cut at \(cut)")
    }
  }

  @Test("Bytes behind the handshake are left to the caller")
  func leavesTheRest() throws {
    let wire = try Wire(parameters: .only(.v13))
    _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    wire.toServer.consume(try wire.server.advance(wire.toServer.bytes).used)
    let flight = wire.toClient.count
    // What stands behind the server's Finished is not handshake any more.
    wire.toClient.append([23, 3, 3, 0, 1, 0])
    let (progress, used) = try wire.client.advance(wire.toClient.bytes)
    #expect(progress == .done && used == flight)
  }

  @Test("The first protocol of the server that the client offers wins; without a common one it goes on without")
  func protocols() throws {
    let cases: [(offers: [String], accepts: [String], expected: String?)] = [
      (["http/1.1", "h2"], ["h2", "http/1.1"], "h2"), (["http/1.1"], ["h2", "http/1.1"], "http/1.1"),
      (["h2"], ["http/1.1"], nil), (["h2"], [], nil), ([], ["h2"], nil), (["h22", "h"], ["h2"], nil),
    ]
    for (offers, accepts, expected) in cases {
      let wire = try Wire(offers: offers, accepts: accepts)
      try wire.shake()
      #expect(wire.client.negotiated?.alpn == expected)
      #expect(wire.server.negotiated?.alpn == expected)
    }
  }

  @Test("A name is sent, an address is not")
  func serverName() throws {
    for (host, expected) in [("a.test", "a.test"), ("127.0.0.1", nil)] as [(String, String?)] {
      let wire = try Wire(serverName: host, offers: ["h2", "http/1.1"])
      _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
      guard case .hello(let hello) = ClientHello.parse(wire.toServer.bytes) else {
        Issue.record("not a hello")
        return
      }
      #expect(hello.serverName == expected)
      #expect(hello.alpn == ["h2", "http/1.1"])
      #expect(hello.offers(.v13) && hello.offers(.v12) && !hello.offers(.v11))
    }
  }

  @Test("Old versions and weak keys work towards origins: the policy decides, not the library")
  func oldVersions() throws {
    let context = try TLSServerContext()
    SSL_CTX_set_security_level(context.pointer, 0)
    #expect(copenssl_ctx_set_versions(context.pointer, TLS1_VERSION, TLS1_2_VERSION) == 1)
    SSL_CTX_set_cipher_list(context.pointer, "ALL:@SECLEVEL=0")
    var parameters = TLSClientParameters.only(.v10)
    parameters.cipherSuites = ["ECDHE-RSA-AES128-SHA", "AES128-SHA"]
    let wire = try Wire(parameters: parameters, server: context, leaf: Credentials.identity("weak"))
    try wire.shake()
    #expect(wire.client.negotiated?.version == "TLSv1.0")
    #expect(wire.judge.peers.first?.version == .v10)
  }

  @Test("Unusable parameters are refused when the context or session is made")
  func unusableParameters() throws {
    var parameters = TLSClientParameters.modern
    parameters.cipherSuites = ["NO-SUCH-SUITE"]
    #expect(throws: TLSFailure.self) { try TLSClientContext(parameters) }
    parameters.minimumVersion = .v13
    #expect(throws: Never.self) { try TLSClientContext(parameters) }
    parameters.maximumVersion = .v12
    #expect(throws: TLSFailure.self) { try TLSClientContext(parameters) }
    let queue = ByteQueue()
    let context = try TLSServerContext()
    #expect(throws: TLSFailure.self, "a weak leaf") {
      try context.makeSession(leaf: Credentials.identity("weak"), alpn: [], resumptionScope: [], outbound: queue)
    }
    let mixed = Identity(
      name: "mixed", leaf: try Credentials.certificate("alice"), chain: [],
      key: try Credentials.identity("server-ec").key)
    #expect(throws: TLSFailure.self, "the key of another") {
      try context.makeSession(leaf: mixed, alpn: [], resumptionScope: [], outbound: queue)
    }
    #expect(throws: TLSFailure.self, "a scope that is too long") {
      try context.makeSession(
        leaf: Credentials.identity("server-ec"), alpn: [], resumptionScope: Array(repeating: 0, count: 33),
        outbound: queue)
    }
  }
}
