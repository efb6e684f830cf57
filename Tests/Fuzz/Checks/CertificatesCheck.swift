import Names
import TLS

/// Certificates in DER and PEM, private keys, and PKCS#12 files; the first byte says how the rest is read.
enum CertificatesCheck {
  private static let host = try? Host("a.test")
  private static let passphrases = ["", "secret", "hunter2", "p\u{E4}ss"].map { Array($0.utf8) }

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch first & 3 {
    case 0: try checkCertificates((try? Certificate.parse(pemOrDER: rest)) ?? [])
    case 1: try checkCertificates((try? Certificate(der: rest)).map { [$0] } ?? [])
    case 2: try checkKey(rest, passphrase: first & 4 == 0 ? nil : passphrases[Int(first >> 3) & 3])
    default:
      let contents = try? PKCS12.load(
        rest, passphrase: passphrases[Int(first >> 3) & 3], allowUnauthenticated: first & 4 == 0)
      for entry in contents?.entries ?? [] {
        try claim(entry.identity.key.matches(entry.identity.leaf), "a key that does not belong to its certificate")
        try checkCertificates([entry.identity.leaf] + entry.identity.chain)
      }
    }
  }

  private static func checkKey(_ bytes: [UInt8], passphrase: [UInt8]?) throws(Complaint) {
    guard let key = try? PrivateKey(pem: bytes, passphrase: passphrase) else { return }
    try claim(key.facts.bits >= 0 && key.spkiDigest.count == 32, "a key without facts")
    guard let text = try? key.pem() else { return }
    let again = try? PrivateKey(pem: Array(text.utf8), passphrase: nil)
    try claim(again?.spkiDigest == key.spkiDigest, "the key does not survive being written")
  }

  private static func checkCertificates(_ certificates: [Certificate]) throws(Complaint) {
    for certificate in certificates {
      let again = try? Certificate(der: certificate.der)
      try claim(again == certificate && again?.fingerprint == certificate.fingerprint, "the DER is not stable")
      let fromText = try? Certificate.parse(pemOrDER: Array(certificate.pem.utf8))
      try claim(fromText == [certificate], "the PEM is not stable")
      try claim(certificate.spkiDigest.count == 32 && certificate.fingerprint.count == 32, "a digest of a wrong length")
      _ = (certificate.subject, certificate.issuer, certificate.commonName, certificate.serial, certificate.key)
      _ = (certificate.notBefore, certificate.notAfter, certificate.dnsNames, certificate.ipAddresses)
      _ = (certificate.isCA, certificate.maySignCertificates, certificate.isSelfIssued, certificate.signatureHash)
      _ = certificate.subjectKeyIdentifier
    }
    guard let leaf = certificates.first else { return }
    let anchors = TrustStore(certificates: certificates.suffix(1), partialChain: true, includingSystem: false)
    let result = ChainVerifier.evaluate(
      leaf: leaf, others: Array(certificates.dropFirst()), anchors: anchors, host: host, at: 1_800_000_000)
    try claim(!result.chain.isEmpty && result.chain.first == leaf, "a chain without its leaf")
  }
}
