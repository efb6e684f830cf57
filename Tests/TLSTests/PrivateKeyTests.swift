import Testing

@testable import TLS

@Suite struct PrivateKeyTests {
  @Test(arguments: [PrivateKey.Kind.p256, .rsa2048])
  func madeAndWrittenAndRead(_ kind: PrivateKey.Kind) throws {
    let key = try PrivateKey.generate(kind)
    let text = try key.pem()
    #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    let other = try PrivateKey(pem: Array(text.utf8), passphrase: nil)
    #expect(other.spkiDigest == key.spkiDigest)
    #expect(other.facts == (kind == .p256 ? KeyFacts(kind: .ec, bits: 256) : KeyFacts(kind: .rsa, bits: 2048)))
    #expect(!other.facts.isWeak)
  }

  @Test(arguments: ["plain", "pkcs8", "pkcs8-rc2", "traditional", "traditional-aes"])
  func everyForm(_ form: String) throws {
    let key = try PrivateKey(pem: Fixtures.file("\(form).key.pem"), passphrase: Array("secret".utf8))
    let certificate = try Fixtures.certificate("alice.pem")
    #expect(key.matches(certificate))
    #expect(!key.matches(try Fixtures.certificate("root.pem")))
    // Usable in the library context that TLS works in.
    let draft = CertificateDraft(commonName: "x", role: .leaf, notBefore: 0, notAfter: 1)
    #expect(try draft.selfSigned(with: key).spkiDigest == certificate.spkiDigest)
  }

  @Test func otherKinds() throws {
    #expect(try PrivateKey(pem: Fixtures.file("ed25519.key.pem"), passphrase: nil).facts.kind == .ed25519)
    #expect(try PrivateKey(pem: Fixtures.file("with-parameters.key.pem"), passphrase: nil).facts.kind == .ec)
    #expect(throws: TLSFileFault.unsupportedAlgorithm("a key of the kind X25519")) {
      try PrivateKey(pem: Fixtures.file("x25519.key.pem"), passphrase: nil)
    }
  }

  @Test(arguments: ["pkcs8", "pkcs8-rc2", "traditional-aes", "rsa-des3"])
  func wrongOrMissingPassphrase(_ form: String) throws {
    let pem = try Fixtures.file("\(form).key.pem")
    #expect(throws: TLSFileFault.wrongPassphrase) { try PrivateKey(pem: pem, passphrase: Array("wrong".utf8)) }
    #expect(throws: TLSFileFault.wrongPassphrase) { try PrivateKey(pem: pem, passphrase: []) }
    #expect(throws: TLSFileFault.passphraseRequired) { try PrivateKey(pem: pem, passphrase: nil) }
    #expect(throws: TLSFileFault.self) {
      try PrivateKey(pem: pem, passphrase: [UInt8](repeating: 65, count: 5000))
    }
  }

  @Test func whatIsNoKey() throws {
    #expect(throws: TLSFileFault.noKey) { try PrivateKey(pem: Fixtures.file("alice.pem"), passphrase: nil) }
    #expect(throws: TLSFileFault.noKey) { try PrivateKey(pem: [], passphrase: nil) }
    #expect(throws: TLSFileFault.noKey) { try PrivateKey(pem: Array("junk".utf8), passphrase: nil) }
    let text = String(decoding: try Fixtures.file("plain.key.pem"), as: UTF8.self)
    #expect(throws: TLSFileFault.self) { try PrivateKey(pem: Array(text.prefix(100).utf8), passphrase: nil) }
  }

  @Test func identityFromCertificatesInAnyOrder() throws {
    let key = try PrivateKey(pem: Fixtures.file("plain.key.pem"), passphrase: nil)
    let (alice, intermediate, root) = (
      try Fixtures.certificate("alice.pem"), try Fixtures.certificate("intermediate.pem"),
      try Fixtures.certificate("root.pem")
    )
    let identity = try Identity(name: "corp", certificates: [root, alice, intermediate], key: key)
    #expect(identity.leaf == alice && identity.chain == [intermediate, root])
    #expect(throws: TLSFileFault.keyMismatch) { try Identity(name: "corp", certificates: [root], key: key) }
    #expect(throws: TLSFileFault.noCertificate) { try Identity(name: "corp", certificates: [], key: key) }
  }
}
