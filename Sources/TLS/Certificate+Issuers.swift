import COpenSSL

extension Certificate {
  /// More certificates than this are not taken from a file that claims to hold the issuer.
  private static let issuerLimit = 8
  /// Locations beyond these are not looked at.
  private static let locationLimit = 8

  /// Where certificates of the issuer can be had (authority information access, RFC 5280 section 4.2.2.1), as written. Visible ASCII
  /// only; nothing else is known about them.
  public var issuerLocations: [String] {
    let access = copenssl_information_access(pointer)
    defer {
      AUTHORITY_INFO_ACCESS_free(access)
      OpenSSLError.clear()
    }
    let found = (0..<copenssl_information_count(access)).lazy.compactMap { index -> String? in
      var count: Int32 = 0
      guard let bytes = copenssl_issuer_location(access, index, &count), (1...2_048).contains(count) else { return nil }
      let location = UnsafeBufferPointer(start: bytes, count: Int(count))
      guard location.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
      return String(decoding: location, as: UTF8.self)
    }
    return Array(found.prefix(Self.locationLimit))
  }

  /// Whether its server must staple its status (the TLS feature status_request, RFC 7633).
  public var requiresStaple: Bool {
    defer { OpenSSLError.clear() }
    return copenssl_has_tls_feature(pointer, Int(TLSEXT_TYPE_status_request)) == 1
  }

  /// Whether its extended key usage names serverAuth itself; false without that extension.
  public var namesServerAuthentication: Bool {
    X509_get_extension_flags(pointer) & UInt32(EXFLAG_XKUSAGE) != 0
      && X509_get_extended_key_usage(pointer) & UInt32(XKU_SSL_SERVER) != 0
  }

  /// Reads what authorities publish as the certificates of an issuer: one certificate or a certs-only message (PKCS#7), in DER or PEM.
  /// The first few certificates count; the result is never empty.
  public static func parse(issuers bytes: [UInt8]) throws(TLSFileFault) -> [Certificate] {
    let certificates = message(bytes) ?? []
    guard certificates.isEmpty else { return Array(certificates.prefix(issuerLimit)) }
    return Array(try parse(pemOrDER: bytes).prefix(issuerLimit))
  }

  /// nil: it is no certs-only message.
  private static func message(_ bytes: [UInt8]) -> [Certificate]? {
    defer { OpenSSLError.clear() }
    let isDER = bytes.first == 0x30
    let message: UnsafeMutablePointer<PKCS7>? =
      LibraryBytes.reading(bytes) { bio in
        isDER ? d2i_PKCS7_bio(bio, nil) : PEM_read_bio_PKCS7(bio, nil, { _, _, _, _ in -1 }, nil)
      } ?? nil
    guard let message else { return nil }
    defer { PKCS7_free(message) }
    let stack = copenssl_message_certificates(message)
    return (0..<copenssl_certificates_count(stack)).prefix(issuerLimit).compactMap { index in
      copenssl_certificates_at(stack, index).map { Certificate(retaining: $0) }
    }
  }
}
