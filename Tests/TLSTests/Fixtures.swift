import Foundation
import Testing

@testable import TLS

/// The files beside the tests.
enum Fixtures {
  /// A moment at which the certificates among them are valid; they were made at the end of 2026 for a hundred years.
  static let time: Int64 = 1_900_000_000

  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL)
    return Array(try Data(contentsOf: folder.appendingPathComponent("Data/\(path)")))
  }

  static func file(_ name: String) throws -> [UInt8] {
    try bytes("Files/\(name)")
  }

  static func certificate(_ name: String) throws -> Certificate {
    try #require(try Certificate.parse(pemOrDER: file(name)).first)
  }
}

/// Certificates made for one test.
struct TestAuthority {
  /// The moment at which everything made here is valid.
  static let now: Int64 = 1_750_000_000
  private static let day: Int64 = 86_400

  let certificate: Certificate
  let key: PrivateKey

  init(
    _ name: String = "Test Root", issuer: TestAuthority? = nil, pathLength: Int? = nil, notBefore: Int64? = nil,
    notAfter: Int64? = nil, isAuthority: Bool = true, purposes: [CertificateDraft.Purpose] = []
  ) throws {
    key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: name, role: isAuthority ? .authority(pathLength: pathLength) : .leaf,
      keyUsage: [.certificateSigning], purposes: purposes, notBefore: notBefore ?? Self.now - 100 * Self.day,
      notAfter: notAfter ?? Self.now + 100 * Self.day)
    certificate =
      if let issuer {
        try draft.signed(for: key, by: issuer.certificate, issuer.key)
      } else {
        try draft.selfSigned(with: key)
      }
  }

  init(certificate: Certificate, key: PrivateKey) {
    self.certificate = certificate
    self.key = key
  }

  /// A server's leaf.
  func leaf(
    _ names: CertificateDraft.AlternativeName..., notBefore: Int64? = nil, notAfter: Int64? = nil,
    purposes: [CertificateDraft.Purpose] = [.serverAuthentication],
    keyUsage: CertificateDraft.KeyUsage = [.digitalSignature], signer: PrivateKey? = nil
  ) throws -> Certificate {
    let draft = CertificateDraft(
      commonName: "leaf", alternativeNames: names, role: .leaf, keyUsage: keyUsage, purposes: purposes,
      notBefore: notBefore ?? Self.now - Self.day, notAfter: notAfter ?? Self.now + 30 * Self.day)
    return try draft.signed(for: PrivateKey.generate(.p256), by: certificate, signer ?? key)
  }
}
