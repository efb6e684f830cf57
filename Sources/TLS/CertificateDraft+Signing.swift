import COpenSSL

extension CertificateDraft {
  /// Signs the draft for the holder of `key` in the name of `issuer`, whose key is `issuerKey`. SHA-256, or the issuer's
  /// scheme's own hash.
  ///
  /// The subject key identifier is that of `key`; the authority key identifier is the issuer's own, copied, not computed, so
  /// that it fits an authority that made its own choice.
  public func signed(
    for key: PrivateKey, by issuer: Certificate, _ issuerKey: PrivateKey
  ) throws(OpenSSLError) -> Certificate {
    try make(
      for: key, X509_get_subject_name(issuer.pointer), issuer.subjectKeyIdentifier ?? issuer.keyIdentifier, issuerKey)
  }

  /// Signs the draft with the key that it is for.
  public func selfSigned(with key: PrivateKey) throws(OpenSSLError) -> Certificate {
    try make(for: key, nil, nil, key)
  }

  private func make(
    for key: PrivateKey, _ issuerName: OpaquePointer?, _ issuerIdentifier: [UInt8]?, _ signer: PrivateKey
  ) throws(OpenSSLError) -> Certificate {
    OpenSSLError.clear()
    guard let x509 = X509_new() else { throw OpenSSLError.take() }
    let subject = X509_get_subject_name(x509)
    guard X509_set_version(x509, 2) == 1, X509_set_pubkey(x509, key.pointer) == 1,
      commonName.map({ Self.add($0, to: subject) }) ?? true,
      X509_set_issuer_name(x509, issuerName ?? subject) == 1,
      Self.set(serial, notBefore, notAfter, in: x509), addExtensions(to: x509, issuerIdentifier),
      Self.set(alternativeNames, isCritical: commonName == nil, in: x509),
      X509_sign(x509, signer.pointer, signer.signingHash) > 0
    else {
      X509_free(x509)
      throw OpenSSLError.take()
    }
    return Certificate(adopting: x509)
  }

  private func addExtensions(to x509: OpaquePointer, _ issuerIdentifier: [UInt8]?) -> Bool {
    let identifier = Certificate.keyIdentifier(x509)
    // A certificate that signed itself needs no authority key identifier, but its own is right.
    let authority = issuerIdentifier ?? identifier
    let isAdded: Bool =
      switch role {
      case .leaf: copenssl_set_basic_constraints(x509, 0, -1) == 1
      case .authority(let limit): copenssl_set_basic_constraints(x509, 1, limit ?? -1) == 1
      }
    return isAdded
      && (keyUsage.isEmpty || copenssl_set_key_usage(x509, keyUsage.rawValue) == 1)
      && (purposes.isEmpty
        || copenssl_set_extended_key_usage(x509, purposes.map(\.number), Int32(purposes.count)) == 1)
      && copenssl_set_subject_key_identifier(x509, identifier, Int32(identifier.count)) == 1
      && copenssl_set_authority_key_identifier(x509, authority, Int32(authority.count)) == 1
  }

  static func add(_ commonName: String, to subject: OpaquePointer?) -> Bool {
    let bytes = Array(commonName.utf8)
    return X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1
  }

  static func set(_ serial: [UInt8], _ notBefore: Int64, _ notAfter: Int64, in x509: OpaquePointer) -> Bool {
    let number = BN_bin2bn(serial, Int32(serial.count), nil)
    defer { BN_free(number) }
    return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil
      && ASN1_TIME_set(X509_getm_notBefore(x509), time_t(notBefore)) != nil
      && ASN1_TIME_set(X509_getm_notAfter(x509), time_t(notAfter)) != nil
  }

  /// Built from objects, never from OpenSSL's configuration strings, in which a comma in a name would be a second name.
  static func set(_ names: [AlternativeName], isCritical: Bool, in x509: OpaquePointer) -> Bool {
    guard !names.isEmpty else { return true }
    guard let objects = copenssl_names_new() else { return false }
    defer { GENERAL_NAMES_free(objects) }
    return names.allSatisfy { name in
      switch name {
      case .dns(let text):
        let bytes = Array(text.utf8)
        return bytes.allSatisfy { $0 < 0x80 }
          && copenssl_names_push(objects, GEN_DNS, bytes, Int32(bytes.count)) == 1
      case .address(let bytes):
        return (bytes.count == 4 || bytes.count == 16)
          && copenssl_names_push(objects, GEN_IPADD, bytes, Int32(bytes.count)) == 1
      }
    } && copenssl_set_alternative_names(x509, objects, isCritical ? 1 : 0) == 1
  }
}

extension CertificateDraft.Purpose {
  fileprivate var number: Int32 {
    switch self {
    case .serverAuthentication: NID_server_auth
    case .clientAuthentication: NID_client_auth
    case .emailProtection: NID_email_protect
    case .any: NID_anyExtendedKeyUsage
    }
  }
}

extension Certificate {
  /// SHA-1 of the public key, the usual key identifier (RFC 5280, section 4.2.1.2, method 1).
  var keyIdentifier: [UInt8] { Self.keyIdentifier(pointer) }

  static func keyIdentifier(_ x509: OpaquePointer) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard X509_pubkey_digest(x509, EVP_sha1(), &digest, &count) == 1 else { return [] }
    return Array(digest.prefix(Int(count)))
  }
}
