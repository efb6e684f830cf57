import Foundation
import TLS

/// A small world of certificates for the demo, made anew each time.
struct DemoCertificates {
  private static let day: Int64 = 86_400

  /// The root that the demo's proxy takes for the system's.
  let root: Certificate
  private let rootKey: PrivateKey
  private let key: PrivateKey
  private let now = Int64(time(nil))

  init(name: String) throws(OpenSSLError) {
    rootKey = try PrivateKey.generate(.p256)
    key = try PrivateKey.generate(.p256)
    root = try CertificateDraft(
      commonName: name, role: .authority(pathLength: nil), keyUsage: [.certificateSigning],
      notBefore: now - 100 * Self.day, notAfter: now + 100 * Self.day
    ).selfSigned(with: rootKey)
  }

  /// The base64 SHA-256 of the key that all servers and clients share, as pins have it.
  var serverKeyDigest: String { Data(key.spkiDigest).base64EncodedString() }

  /// What a server of this name shows.
  func server(_ name: String, isExpired: Bool = false) throws(OpenSSLError) -> Identity {
    try identity(
      CertificateDraft(
        commonName: name, alternativeNames: [.dns(name)], role: .leaf, keyUsage: [.digitalSignature],
        purposes: [.serverAuthentication], notBefore: now - 60 * Self.day,
        notAfter: isExpired ? now - Self.day : now + 30 * Self.day))
  }

  /// What a client of this name shows.
  func client(_ name: String) throws(OpenSSLError) -> Identity {
    try identity(
      CertificateDraft(
        commonName: name, role: .leaf, keyUsage: [.digitalSignature], purposes: [.clientAuthentication],
        notBefore: now - Self.day, notAfter: now + 30 * Self.day))
  }

  private func identity(_ draft: CertificateDraft) throws(OpenSSLError) -> Identity {
    Identity(
      name: draft.commonName ?? "", leaf: try draft.signed(for: key, by: root, rootKey), chain: [], key: key)
  }
}
