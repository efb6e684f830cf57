import COpenSSL
import Names
import Testing

@testable import TLS

/// What a judge is told of the handshake beside version and suite, and what is offered as signatures.
@Suite("Extended master secret and signatures") struct ExtendedMasterSecretTests {
  /// `SSL_OP_NO_EXTENDED_MASTER_SECRET`, a macro that Swift does not see.
  private static let withoutIt: UInt64 = 1

  @Test(
    "The judge is told whether the origin agreed on it",
    arguments: [(true, TLSVersion.v12), (false, .v12), (true, .v13)])
  func told(_ isOffered: Bool, _ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version)) { if !isOffered { SSL_set_options($0, Self.withoutIt) } }
    try wire.shake()
    let peer = try #require(wire.judge.peers.first)
    #expect(peer.hasExtendedMasterSecret == (isOffered || version == .v13))
  }

  @Test("The judge is told with flights cut anywhere", arguments: [1, 3, 50, 100])
  func cut(_ chunk: Int) throws {
    let wire = try Wire(parameters: .only(.v12))
    wire.chunk = chunk
    try wire.shake()
    #expect(wire.judge.peers.first?.hasExtendedMasterSecret == true)
  }

  @Test("An origin that signs otherwise does not come to be judged", arguments: [TLSVersion.v12, .v13])
  func signatures(_ version: TLSVersion) throws {
    var parameters = TLSClientParameters.only(version)
    parameters.signatureAlgorithms = ["rsa_pss_rsae_sha256"]
    let wire = try Wire(parameters: parameters)
    #expect(wire.failure() != nil && wire.judge.peers.isEmpty)
    parameters.signatureAlgorithms = ["ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256"]
    try Wire(parameters: parameters).shake()
  }

  @Test("Names that the library does not know are refused")
  func unknown() throws {
    var parameters = TLSClientParameters.modern
    parameters.signatureAlgorithms = ["md5_and_hope"]
    #expect(throws: TLSFailure.self) { try TLSClientContext(parameters) }
  }
}
