import COpenSSL
import Testing

@testable import TLS

@Suite("Stapled status") struct OCSPStapleTests {
  private let authority: TestAuthority
  private let responder: TestResponder
  private let leaf: Certificate
  private let now = TestAuthority.now

  init() throws {
    authority = try TestAuthority()
    responder = TestResponder(issuer: authority)
    leaf = try authority.leaf(.dns("a.test"))
  }

  private var period: OCSPStaple.Period { OCSPStaple.Period(begin: now - 3_600, end: now + 86_400) }

  private func read(_ der: [UInt8], _ leaf: Certificate? = nil) -> OCSPStaple {
    OCSPStaple.read(der, leaf: leaf ?? self.leaf, issuer: authority.certificate, at: now)
  }

  @Test("What the issuer says counts, by whatever hash it names the certificate")
  func answers() throws {
    for hash in [EVP_sha1(), EVP_sha256()] {
      #expect(read(try responder.response(.good, about: leaf, hash: hash)) == .good(period))
    }
    #expect(
      read(try responder.response(.revoked(at: now - 7_200), about: leaf))
        == .revoked(at: now - 7_200, reason: "keyCompromise", period))
    #expect(
      read(try responder.response(.good, about: leaf, until: nil))
        == .good(OCSPStaple.Period(begin: now - 3_600, end: nil)))
    #expect(
      read(try responder.response(.unknown, about: leaf)) == .unusable("the responder does not know the certificate"))
  }

  @Test("About another certificate, or of another authority, it is of no use")
  func foreign() throws {
    let other = try authority.leaf(.dns("b.test"))
    let response = try responder.response(.good, about: leaf)
    #expect(read(response, other) == .unusable("it is about another certificate"))
    let stranger = try TestAuthority("Stranger")
    let forged = try responder.response(.good, about: leaf, signer: stranger)
    #expect(read(forged) == .unusable("its signature is not valid"))
    let namesake = try TestAuthority()
    #expect(
      OCSPStaple.read(response, leaf: leaf, issuer: namesake.certificate, at: now)
        == .unusable("it is about another certificate"))
  }

  @Test("A responder that the issuer authorised may answer, another certificate of the issuer may not")
  func delegates() throws {
    let server = try TestAuthority("Server", issuer: authority, isAuthority: false, purposes: [.serverAuthentication])
    #expect(read(try responder.response(.good, about: leaf, signer: server)) == .unusable("its signature is not valid"))
    let delegate = try TestAuthority("Responder", issuer: authority, isAuthority: false)
    let authorised = try delegate.authorised(by: authority, until: now + 1_000)
    #expect(read(try responder.response(.good, about: leaf, signer: authorised)) == .good(period))
    let late = try delegate.authorised(by: authority, until: now - 1_000)
    #expect(read(try responder.response(.good, about: leaf, signer: late)) == .unusable("its signature is not valid"))
  }

  @Test("Damaged bytes are of no use")
  func damaged() throws {
    let response = try responder.response(.good, about: leaf)
    for count in stride(from: 0, to: response.count, by: 7) {
      guard case .unusable = read(Array(response.prefix(count))) else {
        Issue.record("\(count) bytes were enough")
        continue
      }
    }
    for index in 0..<150 {
      var bytes = response
      bytes[index] ^= 1
      #expect(read(bytes) != .good(period), "byte \(index)")
    }
  }
}

extension TestAuthority {
  /// The same key with a certificate for signing OCSP responses (RFC 6960 section 4.2.2.2).
  fileprivate func authorised(by issuer: TestAuthority, until end: Int64) throws -> TestAuthority {
    guard let copy = X509_dup(certificate.pointer), let usage = copenssl_ocsp_signing() else { throw TestLog.Fault() }
    defer { X509_EXTENSION_free(usage) }
    let made = Certificate(adopting: copy)
    guard X509_add_ext(copy, usage, -1) == 1, ASN1_TIME_set(X509_getm_notAfter(copy), time_t(end)) != nil,
      X509_sign(copy, issuer.key.pointer, EVP_sha256()) > 0
    else { throw TestLog.Fault() }
    return TestAuthority(certificate: try Certificate(der: made.der), key: key)
  }

  private func copenssl_ocsp_signing() -> OpaquePointer? {
    X509V3_EXT_conf_nid(nil, nil, NID_ext_key_usage, "OCSPSigning")
  }
}
