import Bytes
import COpenSSL
import Names
import Testing

@testable import TLS

/// What a server sends beside its certificates, on its way to the judge.
@Suite("Timestamps and status in a handshake") struct EvidenceWireTests {
  private static let versions = [TLSVersion.v12, .v13]
  private static let staple = [UInt8]("no real response".utf8)
  private static let timestamps: [UInt8] = [0, 3, 1, 2, 3]

  private func wire(
    _ version: TLSVersion, accepts: Bool = true, staple: [UInt8]? = staple, timestamps: [UInt8]? = timestamps,
    identities: [Identity] = [], server: TLSServerContext? = nil, ticket: TLSTicket? = nil,
    configure: (OpaquePointer) -> Void = { _ in }
  ) throws -> Wire {
    let context = try server ?? TLSServerContext()
    if server == nil { context.sendsEvidence(timestamps: timestamps) }
    return try Wire(
      parameters: .only(version), judge: RecordingJudge(accepts: accepts), identities: identities, ticket: ticket,
      server: context
    ) { ssl in
      configure(ssl)
      if let staple { TLSServerContext.setStaple(staple, ssl) }
    }
  }

  @Test("The judge sees both, once, in all versions", arguments: versions)
  func arrives(_ version: TLSVersion) throws {
    let wire = try wire(version)
    try wire.shake()
    #expect(wire.client.negotiated != nil && wire.judge.peers.count == 1)
    let peer = try #require(wire.judge.peers.first)
    #expect(peer.staple == Self.staple && peer.timestamps == Self.timestamps)
  }

  @Test("Each may be absent", arguments: versions)
  func absent(_ version: TLSVersion) throws {
    let none = try wire(version, staple: nil, timestamps: nil)
    try none.shake()
    let peer = try #require(none.judge.peers.first)
    #expect(none.judge.peers.count == 1 && peer.staple == nil && peer.timestamps.isEmpty)
    let one = try wire(version, timestamps: nil)
    try one.shake()
    #expect(one.judge.peers.map(\.staple) == [Self.staple])
    let other = try wire(version, staple: nil)
    try other.shake()
    #expect(other.judge.peers.map(\.timestamps) == [Self.timestamps])
  }

  @Test("Who is refused after its status has come gets no certificate of ours", arguments: versions)
  func refused(_ version: TLSVersion) throws {
    let identity = try Credentials.identity("alice")
    let wire = try wire(version, accepts: false, identities: [identity]) { ssl in
      SSL_set_verify(ssl, SSL_VERIFY_PEER, nil)
    }
    #expect(wire.failure() == .refusedByJudge)
    #expect(wire.client.sentIdentity == nil && !wire.client.clientCertificateWasAsked)
    let alert = version == .v12 ? UInt8(113) : TLSAlert.badCertificate
    #expect(throws: TLSFailure.alert(alert)) { try wire.server.advance(wire.toServer.bytes) }
  }

  @Test("Who is accepted after its status has come gets it", arguments: versions)
  func identified(_ version: TLSVersion) throws {
    let identity = try Credentials.identity("alice")
    let wire = try wire(version, identities: [identity]) { ssl in
      SSL_set_verify(ssl, SSL_VERIFY_PEER) { _, _ in 1 }
    }
    try wire.shake()
    #expect(wire.client.sentIdentity?.name == identity.name && wire.client.negotiated != nil)
  }

  @Test("A session that is resumed is not judged again", arguments: versions)
  func resumed(_ version: TLSVersion) throws {
    let context = try TLSServerContext()
    context.sendsEvidence(timestamps: Self.timestamps)
    let ticket = try {
      let first = try wire(version, server: context)
      try first.shake()
      try first.server.sealText("hello")
      try first.settle()
      return try #require(first.judge.tickets.first)
    }()
    let second = try wire(version, server: context, ticket: ticket)
    try second.shake()
    #expect(second.client.negotiated?.resumed == true && second.judge.peers.isEmpty)
  }

  @Test("A list of timestamps of any length and content does not stop the handshake", arguments: versions)
  func anyList(_ version: TLSVersion) throws {
    for list in [[], [0], [UInt8](repeating: 0xFF, count: 16 << 10), [UInt8](repeating: 1, count: 16_000)] {
      let wire = try wire(version, timestamps: list)
      try wire.shake()
      #expect(wire.client.negotiated != nil && wire.judge.peers.map(\.timestamps) == [list])
    }
  }
}

extension TLSServerContext {
  /// Answers clients that ask for a status with what `setStaple` has set, and those that ask for timestamps with these.
  func sendsEvidence(timestamps: [UInt8]?) {
    _ = copenssl_ctx_ask_for_status(pointer) { _, _ in SSL_TLSEXT_ERR_OK }
    guard let timestamps else { return }
    // Never freed: contexts of tests live as long as the process, as far as anybody counts.
    let lent = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: timestamps.count + 2)
    _ = lent.initialize(
      fromContentsOf: [UInt8(timestamps.count >> 8), UInt8(timestamps.count & 255)] + timestamps)
    let messages = UInt32(SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE)
    SSL_CTX_add_custom_ext(
      pointer, UInt32(TLSEXT_TYPE_signed_certificate_timestamp), messages,
      { _, _, _, bytes, count, _, depth, _, lent in
        guard depth == 0, let lent = lent?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        bytes?.pointee = UnsafePointer(lent + 2)
        count?.pointee = Int(lent[0]) << 8 | Int(lent[1])
        return 1
      }, nil, lent.baseAddress, { _, _, _, _, _, _, _, _, _ in 1 }, nil)
  }

  /// The session frees the copy.
  static func setStaple(_ staple: [UInt8], _ ssl: OpaquePointer) {
    guard let copy = CRYPTO_memdup(staple, staple.count, #file, #line) else { return }
    SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, staple.count, copy)
  }
}
