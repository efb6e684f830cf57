import COpenSSL

/// Whether a certificate can be one's own towards a server.
extension Certificate {
  /// Whether its extended key usage, if it has one, permits to authenticate a client: clientAuth or anyExtendedKeyUsage (RFC 5280,
  /// section 4.2.1.12). OpenSSL's own check of purposes does not count the latter.
  public var mayAuthenticateClients: Bool {
    defer { OpenSSLError.clear() }
    return X509_get_extended_key_usage(pointer) & UInt32(XKU_SSL_CLIENT | XKU_ANYEKU) != 0
  }

  /// Whether its key usage, if it has one, permits signatures other than on certificates, which is how a client proves its key (RFC
  /// 5246, section 7.4.8; RFC 8446, section 4.4.2.3).
  public var maySignHandshakes: Bool {
    defer { OpenSSLError.clear() }
    return X509_get_key_usage(pointer) & UInt32(KU_DIGITAL_SIGNATURE) != 0
  }

  /// What keeps it from being shown at a moment, in seconds since 1970, to an origin that takes its issuer and key.
  public func clientObjection(at now: Int64) -> IdentityObjection? {
    guard mayAuthenticateClients else { return .purpose }
    if notAfter < now { return .expired(notAfter) }
    return notBefore > now ? .notYetValid(notBefore) : nil
  }
}
