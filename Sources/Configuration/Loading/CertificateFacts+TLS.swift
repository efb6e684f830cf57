import Policy
import TLS

extension CertificateFacts {
  /// What policies may know of a certificate.
  public init(_ certificate: Certificate) {
    let key = certificate.key
    self.init(
      subject: certificate.subject, issuer: certificate.issuer, fingerprint: certificate.fingerprint,
      spkiDigest: certificate.spkiDigest, keyKind: KeyKind(key.kind), keyBits: key.bits,
      signatureHash: Policy.SignatureHash(certificate.signatureHash), notBefore: certificate.notBefore,
      notAfter: certificate.notAfter, isSelfIssued: certificate.isSelfIssued,
      namesServerAuthentication: certificate.namesServerAuthentication, requiresStaple: certificate.requiresStaple)
  }
}

extension KeyKind {
  init(_ kind: KeyFacts.Kind) {
    switch kind {
    case .rsa: self = .rsa
    case .ec: self = .ec
    case .ed25519: self = .ed25519
    case .other(let name): self = .other(name)
    }
  }
}

extension Policy.SignatureHash {
  init(_ hash: TLS.SignatureHash) {
    self = Policy.SignatureHash(rawValue: hash.rawValue) ?? .unknown
  }
}
