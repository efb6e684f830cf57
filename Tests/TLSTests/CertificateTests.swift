import Testing

@testable import TLS

@Suite struct CertificateTests {
  @Test func facts() throws {
    let certificate = try Fixtures.certificate("alice.pem")
    #expect(certificate.subject == "CN=Alice,O=Example")
    #expect(certificate.issuer == "CN=Fixture Intermediate")
    #expect(certificate.commonName == "Alice")
    #expect(certificate.key == KeyFacts(kind: .ec, bits: 256))
    #expect(certificate.signatureHash == .sha256)
    #expect(!certificate.isCA)
    #expect(!certificate.maySignCertificates)
    #expect(!certificate.isSelfIssued)
    #expect(certificate.subjectKeyIdentifier?.count == 20)
    #expect(certificate.spkiDigest.count == 32)
    #expect(certificate.spkiDigest == (try PrivateKey(pem: Fixtures.file("plain.key.pem"), passphrase: nil)).spkiDigest)
    #expect(certificate.fingerprint == Digest.sha256(certificate.der))
    #expect(certificate.notAfter > certificate.notBefore)
    let root = try Fixtures.certificate("root.pem")
    // As `openssl x509 -subject_hash_old` tells them.
    #expect(root.oldSubjectHash == "a475ecd5" && certificate.oldSubjectHash == "479c5040")
    #expect(root.isCA && root.maySignCertificates && root.isSelfIssued)
  }

  @Test func weakAlgorithmsAreReported() throws {
    let certificate = try Fixtures.certificate("weak.pem")
    #expect(certificate.key == KeyFacts(kind: .rsa, bits: 1024))
    #expect(certificate.key.isWeak)
    #expect(certificate.signatureHash == .sha1)
  }

  @Test func namesAndTimesOfADraft() throws {
    let root = try TestAuthority()
    let leaf = try root.leaf(
      .dns("a.test"), .address([127, 0, 0, 1]), notBefore: 1_000_000_000, notAfter: 4_000_000_000)
    #expect(leaf.dnsNames == ["a.test"])
    #expect(leaf.ipAddresses == [[127, 0, 0, 1]])
    #expect(leaf.notBefore == 1_000_000_000)
    #expect(leaf.notAfter == 4_000_000_000)
    #expect(leaf.serial.count == 32)
    #expect(leaf.issuer == root.certificate.subject)
  }

  @Test func subjectsBeyondASCIIStayReadable() throws {
    let key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(commonName: "Grüße, \u{1}\n東京", role: .leaf, notBefore: 0, notAfter: 1)
    #expect(try draft.selfSigned(with: key).subject == "CN=Grüße\\, \\01\\0A東京")
    #expect(try draft.selfSigned(with: key).commonName == "Grüße, \u{1}\n東京")
  }

  @Test func anIllegalDraftIsAnError() throws {
    let key = try PrivateKey.generate(.p256)
    let long = CertificateDraft(commonName: String(repeating: "a", count: 65), role: .leaf, notBefore: 0, notAfter: 1)
    #expect(throws: OpenSSLError.self) { try long.selfSigned(with: key) }
    let address = CertificateDraft(
      commonName: nil, alternativeNames: [.address([1, 2, 3])], role: .leaf, notBefore: 0, notAfter: 1)
    #expect(throws: OpenSSLError.self) { try address.selfSigned(with: key) }
    let name = CertificateDraft(
      commonName: nil, alternativeNames: [.dns("ü.test")], role: .leaf, notBefore: 0, notAfter: 1)
    #expect(throws: OpenSSLError.self) { try name.selfSigned(with: key) }
  }

  @Test func equalByContent() throws {
    let one = try Fixtures.certificate("alice.pem")
    let other = try Certificate(der: one.der)
    #expect(one !== other && one == other && Set([one, other]).count == 1)
    #expect(one != (try Fixtures.certificate("root.pem")))
  }

  @Test func bundleWithTextAndOtherBlocks() throws {
    var bundle = Array("# a comment\r\nsubject: Alice\r\n".utf8)
    bundle += try Fixtures.file("with-parameters.key.pem")
    bundle += try Fixtures.file("alice.pem")
    bundle += Array("\nissuer, without a blank line\n".utf8)
    bundle += try Fixtures.file("root.pem")
    let certificates = try Certificate.parse(pemOrDER: bundle)
    #expect(certificates.map(\.commonName) == ["Alice", "Fixture Root"])
    #expect(try Certificate.parse(pemOrDER: [0xEF, 0xBB, 0xBF] + certificates[0].pem.utf8) == [certificates[0]])
    #expect(try Certificate.parse(pemOrDER: Fixtures.file("alice.trusted.pem")) == [certificates[0]])
    let windows = certificates[0].pem.replacing("\n", with: "\r\n")
    #expect(try Certificate.parse(pemOrDER: Array(windows.utf8)) == [certificates[0]])
  }

  @Test func oneCertificateInDER() throws {
    let der = try Fixtures.certificate("alice.pem").der
    #expect(try Certificate.parse(pemOrDER: der).map(\.der) == [der])
    #expect(throws: TLSFileFault.unreadable("3 bytes follow the certificate")) {
      try Certificate(der: der + [1, 2, 3])
    }
    #expect(throws: TLSFileFault.self) { try Certificate.parse(pemOrDER: Array(der.dropLast())) }
  }

  @Test func whatIsNoCertificate() throws {
    #expect(throws: TLSFileFault.unreadable("it is empty")) { try Certificate.parse(pemOrDER: []) }
    #expect(throws: TLSFileFault.unreadable("it is neither PEM nor one certificate in DER")) {
      try Certificate.parse(pemOrDER: Array("junk".utf8))
    }
    #expect(throws: TLSFileFault.noCertificate) { try Certificate.parse(pemOrDER: Fixtures.file("plain.key.pem")) }
    let pem = String(decoding: try Fixtures.file("alice.pem"), as: UTF8.self)
    for damaged in [pem.replacing("MII", with: "M*I"), String(pem.prefix(200)), pem.replacing("MII", with: "AII")] {
      let bundle = Array((damaged + "\n" + pem).utf8)
      #expect(throws: TLSFileFault.self) { try Certificate.parse(pemOrDER: bundle) }
    }
  }

  /// Nothing that stands in a file may stop the program.
  @Test func mutatedFilesAreRefusedOrRead() throws {
    var generator = Lehmer(seed: 1)
    for name in ["alice.pem", "constrained-root.pem", "weak.pem"] {
      let der = try Fixtures.certificate(name).der
      for _ in 0..<500 {
        var bytes = der
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        guard let certificate = try? Certificate(der: bytes) else { continue }
        _ = (
          certificate.subject, certificate.commonName, certificate.notBefore, certificate.notAfter, certificate.serial
        )
        _ = (certificate.dnsNames, certificate.ipAddresses, certificate.key, certificate.signatureHash, certificate.pem)
        let result = ChainVerifier.evaluate(
          leaf: certificate, others: [certificate], anchors: TrustStore.none, host: nil, at: nil)
        #expect(!result.isValid)
      }
    }
  }
}

extension TrustStore {
  static var none: TrustStore { TrustStore(certificates: [], partialChain: false, includingSystem: false) }
}

/// A small generator with a seed, so that a failure can be repeated.
struct Lehmer: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 2 &+ 1
  }

  mutating func next() -> UInt64 {
    state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
    return state ^ state >> 29
  }
}
