import COpenSSL

/// What an origin says about the client certificates that it would accept (RFC 5246 section 7.4.4, RFC 8446 section 4.3.2). OpenSSL does
/// not hold certificates against it by itself. Valid during the certificate callback only.
internal struct CertificateRequest {
  private static let rsaSign: UInt8 = 1
  private static let ecdsaSign: UInt8 = 64

  private let version: ProtocolVersion
  /// Names of authorities; empty: any.
  private let authorities: [OpaquePointer]
  /// Kinds of certificates, up to TLS 1.2; empty: any.
  private let kinds: [UInt8]
  /// Signature schemes by their numbers, from TLS 1.2 on; empty: any.
  private let schemes: [UInt16]

  internal init(_ ssl: OpaquePointer, version: ProtocolVersion) {
    self.version = version
    let names = SSL_get0_peer_CA_list(ssl) ?? SSL_get_client_CA_list(ssl)
    authorities = (0..<copenssl_authority_count(names)).compactMap { copenssl_authority_at(names, $0) }
    var kinds: UnsafePointer<UInt8>?
    let kindCount = copenssl_certificate_types(ssl, &kinds)
    self.kinds = version < .v13 ? Array(UnsafeBufferPointer(start: kinds, count: kinds == nil ? 0 : kindCount)) : []
    schemes = (0..<max(0, SSL_get_sigalgs(ssl, -1, nil, nil, nil, nil, nil))).map { index in
      var low: UInt8 = 0
      var high: UInt8 = 0
      SSL_get_sigalgs(ssl, index, nil, nil, nil, &low, &high)
      return UInt16(high) << 8 | UInt16(low)
    }
  }

  /// Why an identity does not answer this request; nil: it does.
  ///
  /// - Parameter now: seconds since 1970.
  internal func objection(to identity: Identity, at now: Int64) -> IdentityObjection? {
    guard hasAuthority(of: identity) else { return .issuer }
    guard canUse(identity.key.pointer) else { return .key }
    return identity.leaf.clientObjection(at: now)
  }

  /// What was asked for, for people.
  internal var demand: CertificateDemand {
    CertificateDemand(
      authorities: authorities.prefix(CertificateDemand.authorityLimit).map {
        String(Certificate.line($0).prefix(256))
      },
      authorityCount: authorities.count,
      keyKinds: Self.families.filter { canUse($0.type, bits: nil) }.map(\.name))
  }

  private static let families: [(name: String, type: Int32)] = [
    ("RSA", EVP_PKEY_RSA), ("EC", EVP_PKEY_EC), ("Ed25519", EVP_PKEY_ED25519), ("Ed448", EVP_PKEY_ED448),
  ]

  private func hasAuthority(of identity: Identity) -> Bool {
    guard !authorities.isEmpty else { return true }
    return ([identity.leaf] + identity.chain).contains { certificate in
      guard let issuer = X509_get_issuer_name(certificate.pointer) else { return false }
      return authorities.contains { X509_NAME_cmp($0, issuer) == 0 }
    }
  }

  private func canUse(_ key: OpaquePointer) -> Bool {
    canUse(EVP_PKEY_get_base_id(key), bits: EVP_PKEY_get_bits(key))
  }

  /// - Parameter bits: the size of the key; nil: any.
  private func canUse(_ type: Int32, bits: Int32?) -> Bool {
    let kind = type == EVP_PKEY_RSA || type == EVP_PKEY_RSA_PSS ? Self.rsaSign : Self.ecdsaSign
    guard kinds.isEmpty || kinds.contains(kind) else { return false }
    return schemes.isEmpty || schemes.contains { canSign(type, bits: bits, scheme: $0) }
  }

  private func canSign(_ type: Int32, bits: Int32?, scheme: UInt16) -> Bool {
    switch (type, scheme) {
    case (EVP_PKEY_RSA, 0x0804...0x0806), (EVP_PKEY_RSA_PSS, 0x0809...0x080B): true
    case (EVP_PKEY_ED25519, 0x0807), (EVP_PKEY_ED448, 0x0808): true
    // TLS 1.3 dropped PKCS #1 for handshakes and tied each ECDSA scheme to a curve.
    case (EVP_PKEY_RSA, 0x0101...0x0601): version < .v13 && scheme & 0xFF == 1
    case (EVP_PKEY_EC, 0x0203...0x0603) where scheme & 0xFF == 3:
      version < .v13 || bits == nil || Self.bits(scheme) == bits
    default: false
    }
  }

  private static func bits(_ scheme: UInt16) -> Int32 {
    switch scheme {
    case 0x0403: 256
    case 0x0503: 384
    case 0x0603: 521
    default: 0
    }
  }
}
