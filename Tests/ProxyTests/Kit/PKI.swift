import Authority
import Glibc
import Names
import TLS

/// The certificates of all tests, made once: what the proxy signs with, and what origins and clients show.
enum PKI {
  /// An authority with its key, which no configuration holds.
  struct Issuer: Sendable {
    let certificate: Certificate
    let key: PrivateKey
  }

  static let day: Int64 = 86_400
  static var now: Int64 { Int64(time(nil)) }

  /// What the proxy mints with; clients of the tests trust it alone.
  static let proxy = Result { try issuer("proxy authority") }
  /// What origins are signed by; `upstream.anchors` of every test.
  static let origins = Result { try issuer("origin authority") }
  /// Nobody trusts it.
  static let stranger = Result { try issuer("strange authority") }

  static func authority() throws -> CertificateAuthority {
    let issuer = try proxy.get()
    return try CertificateAuthority(certificate: issuer.certificate, key: issuer.key)
  }

  /// An identity for servers.
  /// - Parameter until: the end of its validity, in days from now.
  static func server(_ name: String, by issuer: Result<Issuer, any Error> = origins, until days: Int64 = 30) throws
    -> Identity
  {
    try identity(name, by: issuer, purpose: .serverAuthentication, until: days)
  }

  /// For suites that exchange keys by RSA.
  static func rsaServer(_ name: String) throws -> Identity {
    try identity(name, by: origins, purpose: .serverAuthentication, until: 30, key: rsaKey.get())
  }

  /// Made once, since that takes long.
  private static let rsaKey = Result { try PrivateKey.generate(.rsa2048) }

  static func client(_ name: String) throws -> Identity {
    try identity(name, by: origins, purpose: .clientAuthentication, until: 30)
  }

  private static func identity(
    _ name: String, by issuer: Result<Issuer, any Error>, purpose: CertificateDraft.Purpose, until days: Int64,
    key given: PrivateKey? = nil
  ) throws -> Identity {
    let issuer = try issuer.get()
    let key = try given ?? PrivateKey.generate(.p256)
    // The second usage is for suites that encrypt the secret for the origin's key.
    let draft = CertificateDraft(
      commonName: name, alternativeNames: [.dns(name)], role: .leaf,
      keyUsage: given == nil ? .digitalSignature : [.digitalSignature, .keyEncipherment], purposes: [purpose],
      notBefore: now - 60 * day, notAfter: now + days * day)
    let leaf = try draft.signed(for: key, by: issuer.certificate, issuer.key)
    return Identity(name: name, leaf: leaf, chain: [], key: key)
  }

  private static func issuer(_ name: String) throws -> Issuer {
    let key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: name, role: .authority(pathLength: nil), keyUsage: [.certificateSigning, .revocationListSigning],
      notBefore: now - 90 * day, notAfter: now + 365 * day)
    return Issuer(certificate: try draft.selfSigned(with: key), key: key)
  }
}

/// A client's judge: trusts what leads to the proxy's authority, for the host that was asked for.
final class ProxyJudge: TLSPeerJudge {
  private let host: Host
  private let anchors: TrustStore
  private(set) var leaf: Certificate?

  init(host: Host, anchor: Certificate) {
    self.host = host
    anchors = TrustStore(certificates: [anchor], partialChain: false, includingSystem: false)
  }

  func judge(_ peer: PresentedPeer) -> Bool {
    leaf = peer.chain[0]
    return ChainVerifier.evaluate(
      leaf: peer.chain[0], others: Array(peer.chain.dropFirst()), anchors: anchors, host: host, at: nil
    ).isValid
  }

  func tookTicket(_ ticket: TLSTicket) {}
}
