/// The TLS package of NIAP that `NSRequiresNIAPTLSPackageVersion` asks for, globally or as a key of an exception (iOS 26.4, spec A.2).
///
/// Up to TLS 1.2: ECDHE with AES-GCM alone, the extended master secret, no `rsa_pkcs1_sha1`, and a leaf whose signature algorithm is one
/// of those that are offered.
public enum NIAPPackage: String, Sendable, Hashable {
  case functionalPackage = "FCP_v2.1"
  case recommended

  /// What may sign the handshake and the leaf, by the names of RFC 8446, section 4.2.3, which OpenSSL knows too.
  var signatureAlgorithms: [String] {
    [
      "ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256", "rsa_pkcs1_sha256", "ecdsa_secp384r1_sha384",
      "rsa_pss_rsae_sha384", "rsa_pkcs1_sha384", "ecdsa_secp521r1_sha512", "rsa_pss_rsae_sha512", "rsa_pkcs1_sha512",
    ]
  }

  /// Whether the certificate's signature has one of these algorithms.
  func accepts(_ certificate: CertificateFacts) -> Bool {
    switch certificate.signatureHash {
    case .sha256, .sha384, .sha512: true
    case .md5, .sha1, .sha224, .intrinsic, .unknown: false
    }
  }
}

extension ATSProfile {
  /// The value of `NSRequiresNIAPTLSPackageVersion` or of its counterpart in an exception; `none`, and what is none of Apple's words, ask
  /// for nothing.
  func niapPackage(_ value: PropertyValue?) -> NIAPPackage? {
    guard readsNIAP else { return nil }
    return value?.text.flatMap { NIAPPackage(rawValue: $0) }
  }
}
