import Names
import TLS
import Testing

@testable import Authority

@Suite struct LeafMintTests {
  private let authority: CertificateAuthority

  init() throws {
    authority = try CertificateAuthority.made(now: Time.now - 10 * Time.day)
  }

  private func mint(
    _ authority: CertificateAuthority? = nil, lifetime: Duration = .seconds(45 * 86_400), kind: PrivateKey.Kind = .p256,
    now: Int64 = Time.now
  ) throws -> LeafMint {
    try LeafMint(authority: authority ?? self.authority, lifetime: lifetime, keyKind: kind) { now }
  }

  private func evaluate(_ leaf: MintedLeaf, _ host: Host, _ root: Certificate) -> ChainResult {
    ChainVerifier.evaluate(
      leaf: leaf.certificate, others: leaf.chain,
      anchors: TrustStore(certificates: [root], partialChain: false, includingSystem: false), host: host, at: Time.now)
  }

  @Test(arguments: ["a.test", "127.0.0.1", "::1", "xn--bcher-kva.test", "under_score.a.test", "a", "x.y.z.a.test"])
  func valid(_ name: String) throws {
    let host = try Host(name)
    let leaf = try mint().mint(host)
    #expect(evaluate(leaf, host, authority.certificate).faults.isEmpty)
    #expect(leaf.certificate.dnsNames == (host.address == nil ? [host.text] : []))
    #expect(leaf.certificate.ipAddresses == (host.address.map { [$0.bytes] } ?? []))
    #expect(leaf.certificate.commonName == host.text)
    #expect(leaf.key.matches(leaf.certificate) && leaf.chain.isEmpty && leaf.identity.name == host.text)
    #expect(!leaf.certificate.isCA && leaf.certificate.signatureHash == .sha256)
    #expect(leaf.certificate.serial.count == 32)
    #expect(leaf.certificate.spkiDigest != authority.certificate.spkiDigest)
    #expect(leaf.certificate.subjectKeyIdentifier != authority.certificate.subjectKeyIdentifier)
  }

  @Test func longNamesHaveAnEmptySubject() throws {
    let host = try Host(String(repeating: "a-rather-long-label-that-people-use.", count: 3) + "a.test")
    let leaf = try mint().mint(host)
    #expect(leaf.certificate.subject.isEmpty && leaf.certificate.dnsNames == [host.text])
    #expect(evaluate(leaf, host, authority.certificate).isValid)
    // critical BOOLEAN TRUE behind the OID of subjectAltName, RFC 5280, section 4.2.1.6
    #expect(leaf.certificate.der.firstRange(of: [0x55, 0x1D, 0x11, 0x01, 0x01, 0xFF]) != nil)
    let short = try mint().mint(Host("a.test"))
    #expect(short.certificate.der.firstRange(of: [0x55, 0x1D, 0x11, 0x01, 0x01, 0xFF]) == nil)
  }

  @Test func times() throws {
    let leaf = try mint().mint(Host("a.test"))
    #expect(leaf.notBefore == Time.now - 2 * Time.day && leaf.notAfter == leaf.notBefore + 45 * Time.day)
    #expect(leaf.certificate.notBefore == leaf.notBefore && leaf.certificate.notAfter == leaf.notAfter)
    #expect(leaf.renewal == leaf.notAfter - 15 * Time.day)
    let short = try mint(lifetime: .seconds(3600)).mint(Host("a.test"))
    #expect(short.notBefore == Time.now - 900 && short.notAfter == Time.now + 2700)
  }

  @Test func neverOutsideTheAuthoritysOwnTime() throws {
    let young = try CertificateAuthority.made(now: Time.now + Time.day)
    #expect(try mint(young).mint(Host("a.test")).notBefore == young.certificate.notBefore)
    let last = authority.certificate.notAfter
    let leaf = try mint(now: last - Time.day).mint(Host("a.test"))
    #expect(leaf.notAfter == last && leaf.renewal == last)
    #expect(throws: MintFault.authorityExpired) { try mint(now: last).mint(Host("a.test")) }
  }

  @Test func everyLeafHasItsSerialAndTheSameKey() throws {
    let mint = try mint()
    let (one, other) = (try mint.mint(Host("a.test")), try mint.mint(Host("b.test")))
    #expect(one.certificate.serial != other.certificate.serial && one.id != other.id)
    #expect(one.certificate.spkiDigest == other.certificate.spkiDigest)
  }

  @Test(arguments: [
    "", ".", "a b.test", "*.a.test", "a..test", ".a.test", "a.test.", "a,DNS:b.test", "ü.test", "A.test", "a/b",
    "a\0.test",
    String(repeating: "a", count: 64) + ".test", String(repeating: "a.", count: 127),
  ])
  func namesThatNoCertificateMayCarry(_ text: String) {
    #expect(!LeafMint.isName(text))
  }

  @Test func rsaLeaf() throws {
    let host = try Host("a.test")
    let leaf = try mint(kind: .rsa2048).mint(host)
    #expect(leaf.certificate.key == KeyFacts(kind: .rsa, bits: 2048))
    #expect(evaluate(leaf, host, authority.certificate).isValid)
    // KeyUsage digitalSignature and keyEncipherment, critical
    #expect(
      leaf.certificate.der.firstRange(of: [0x55, 0x1D, 0x0F, 0x01, 0x01, 0xFF, 0x04, 0x04, 0x03, 0x02, 0x05, 0xA0])
        != nil)
  }

  @Test func intermediateAuthority() throws {
    let root = try PrivateKey.generate(.p256)
    let rootCertificate = try CertificateDraft(
      commonName: "Root", role: .authority(pathLength: nil), keyUsage: [.certificateSigning],
      notBefore: 0, notAfter: 4_000_000_000
    ).selfSigned(with: root)
    let key = try PrivateKey.generate(.rsa2048)
    let certificate = try CertificateDraft(
      commonName: "Issuing", role: .authority(pathLength: 0), keyUsage: [.certificateSigning],
      notBefore: 0, notAfter: 4_000_000_000
    ).signed(for: key, by: rootCertificate, root)
    let authority = try CertificateAuthority(certificate: certificate, key: key, issuers: [rootCertificate])
    let host = try Host("a.test")
    let leaf = try mint(authority).mint(host)
    #expect(leaf.chain == [certificate])
    #expect(evaluate(leaf, host, rootCertificate).isValid)
  }

  /// The issuer's key identifier is copied: this one is not the hash of its key.
  @Test func authorityWithAnIdentifierAndASchemeOfItsOwn() throws {
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIFa4TBRuMvKLSrLgntM/WTfKxI6sN3yq4mtUVvqo0bLP
      -----END PRIVATE KEY-----
      """
    let certificate = """
      -----BEGIN CERTIFICATE-----
      MIIBITCB1KADAgECAhQne6dFgAx1jbAXW/ZPr5MAH+y1ATAFBgMrZXAwDjEMMAoG
      A1UEAwwDT2RkMCAXDTI0MDEwMTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAwWjAOMQww
      CgYDVQQDDANPZGQwKjAFBgMrZXADIQAwX+a3UCQZ9rRuE8Bv8GK3AkPd/2iHi6Cp
      B2UuB80oTaNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYD
      VR0OBBYEFAABAgMEBQYHCAkKCwwNDg8QERITMAUGAytlcANBAJf8enLjdz13wqqd
      a2LkDBGejPo8i8PJZ51TnsL4yQVXRrXF4E+ZKeLHnJk4Msn7JgBXnhVaYn9oQbRZ
      22OdUgc=
      -----END CERTIFICATE-----
      """
    let key = try PrivateKey(pem: Array(pem.utf8), passphrase: nil)
    #expect(key.facts.kind == .ed25519)
    let odd = try CertificateAuthority(
      certificate: #require(Certificate.parse(pemOrDER: Array(certificate.utf8)).first), key: key)
    let host = try Host("a.test")
    let leaf = try mint(odd).mint(host)
    #expect(leaf.certificate.signatureHash == .intrinsic)
    #expect(evaluate(leaf, host, odd.certificate).isValid)
    // OID of authorityKeyIdentifier, then the identifier 00 01 … 13
    #expect(leaf.certificate.der.firstRange(of: [0x30, 0x16, 0x80, 0x14] + (0..<20).map { UInt8($0) }) != nil)
  }
}
