import COpenSSL
import Glibc
import Testing

@testable import TLS

/// Which identity of a list is shown, and why the others are not.
@Suite("The choice of an identity") struct IdentityChoiceTests {
  private static let day: Int64 = 86_400
  private static var now: Int64 { Int64(time(nil)) }

  private let root: PrivateKey
  private let rootCertificate: Certificate

  init() throws {
    root = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: "Choice Root", role: .authority(pathLength: nil), keyUsage: [.certificateSigning],
      notBefore: Self.now - 100 * Self.day, notAfter: Self.now + 100 * Self.day)
    rootCertificate = try draft.selfSigned(with: root)
  }

  private func identity(
    _ name: String, purposes: [CertificateDraft.Purpose] = [.clientAuthentication], from start: Int64 = -10,
    to end: Int64 = 10, kind: PrivateKey.Kind = .p256
  ) throws -> Identity {
    let key = try PrivateKey.generate(kind)
    let draft = CertificateDraft(
      commonName: name, role: .leaf, keyUsage: .digitalSignature, purposes: purposes,
      notBefore: Self.now + start * Self.day, notAfter: Self.now + end * Self.day)
    return Identity(name: name, leaf: try draft.signed(for: key, by: rootCertificate, root), chain: [], key: key)
  }

  private func answer(
    _ identities: [Identity], _ version: ProtocolVersion, authorities: [Certificate] = [], schemes: String? = nil
  ) throws -> ClientCertificateAnswer {
    let context = try TLSServerContext()
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
    SSL_CTX_set_cert_verify_callback(context.pointer, { _, _ in 1 }, nil)
    for authority in authorities { #expect(SSL_CTX_add_client_CA(context.pointer, authority.pointer) == 1) }
    if let schemes {
      var text = Array(schemes.utf8CString)
      #expect(SSL_CTX_ctrl(context.pointer, SSL_CTRL_SET_CLIENT_SIGALGS_LIST, 0, &text) == 1)
    }
    let wire = try Wire(parameters: .only(version), identities: identities, server: context)
    try wire.shake()
    return try #require(wire.client.clientCertificate)
  }

  @Test("What cannot be used is passed over, and the reason is kept", arguments: [ProtocolVersion.v12, .v13])
  func passesOver(_ version: ProtocolVersion) throws {
    let stranger = try Credentials.identity("bob")
    let mail = try identity("mail", purposes: [.emailProtection])
    let old = try identity("old", to: -1)
    let early = try identity("early", from: 1)
    let good = try identity("good", purposes: [])
    let found = try answer([stranger, mail, old, early, good], version, authorities: [rootCertificate])
    #expect(found.sent?.name == "good" && !found.isLate)
    #expect(
      found.passedOver == [
        .init(name: "bob", objection: .issuer), .init(name: "mail", objection: .purpose),
        .init(name: "old", objection: .expired(old.leaf.notAfter)),
        .init(name: "early", objection: .notYetValid(early.leaf.notBefore)),
      ])
  }

  @Test("What stands behind the first that fits is not looked at")
  func order() throws {
    let first = try identity("first")
    let found = try answer([first, try identity("second")], .v13)
    #expect(found.sent?.name == "first" && found.passedOver.isEmpty)
    #expect(found.demand.authorities.isEmpty && found.demand.authorityCount == 0)
  }

  @Test("Purposes: any is for clients, that of servers is not")
  func purposes() throws {
    #expect(try identity("a", purposes: [.any]).leaf.mayAuthenticateClients)
    #expect(try identity("b", purposes: []).leaf.mayAuthenticateClients)
    #expect(try identity("c", purposes: [.serverAuthentication, .clientAuthentication]).leaf.mayAuthenticateClients)
    #expect(try !identity("d", purposes: [.serverAuthentication]).leaf.mayAuthenticateClients)
    #expect(try identity("e").leaf.maySignHandshakes)
    #expect(!rootCertificate.maySignHandshakes)
  }

  @Test("A key that cannot sign as asked", arguments: [ProtocolVersion.v12, .v13])
  func key(_ version: ProtocolVersion) throws {
    let ec = try identity("ec")
    let rsa = try identity("rsa", kind: .rsa2048)
    let schemes = version == .v13 ? "rsa_pss_rsae_sha256" : "RSA+SHA256"
    let found = try answer([ec, rsa], version, schemes: schemes)
    #expect(found.sent?.name == "rsa" && found.passedOver == [.init(name: "ec", objection: .key)])
    #expect(found.demand.keyKinds == ["RSA"])
  }

  @Test("What the origin asked for is kept, but not without bound", arguments: [ProtocolVersion.v12, .v13])
  func demand(_ version: ProtocolVersion) throws {
    let authorities = try (0..<20).map { index in
      let draft = CertificateDraft(
        commonName: "Authority \(index)", role: .authority(pathLength: nil), notBefore: 0, notAfter: 1)
      return try draft.selfSigned(with: root)
    }
    let found = try answer([try identity("corp")], version, authorities: authorities)
    #expect(found.sent == nil && found.passedOver == [.init(name: "corp", objection: .issuer)])
    #expect(found.demand.authorityCount == 20)
    #expect(found.demand.authorities == (0..<16).map { "CN=Authority \($0)" })
    #expect(found.demand.keyKinds.starts(with: ["RSA", "EC"]))
  }
}
