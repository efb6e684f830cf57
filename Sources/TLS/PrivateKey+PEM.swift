import COpenSSL

extension PrivateKey {
  /// Reads the first private key of PEM text: PKCS#8 or the traditional forms, encrypted or not.
  ///
  /// `passphrase` is used only if the key is encrypted. Keys that some old algorithm encrypts (DES, RC2) are read too, in a
  /// library context of their own.
  public convenience init(pem: [UInt8], passphrase: [UInt8]?) throws(TLSFileFault) {
    var outcome = Self.read(pem, passphrase, nil)
    if case .failure(.unsupportedAlgorithm) = outcome, let library = CompatibilityLibrary.context {
      outcome = Self.read(pem, passphrase, library).flatMap(Self.movedToDefaultLibrary)
    }
    let key = try outcome.get()
    guard Self.isUsable(key) else {
      let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
      EVP_PKEY_free(key)
      throw .unsupportedAlgorithm("a key of the kind \(name)")
    }
    self.init(adopting: key)
  }

  /// As PKCS#8, not encrypted.
  public func pem() throws(OpenSSLError) -> String {
    OpenSSLError.clear()
    let text = LibraryBytes.written { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    guard let text else { throw OpenSSLError.take() }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether TLS can sign with it.
  static func isUsable(_ key: OpaquePointer) -> Bool {
    [EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_EC, EVP_PKEY_ED25519, EVP_PKEY_ED448].contains(EVP_PKEY_get_base_id(key))
  }

  /// An `EVP_PKEY` of the caller's; `library` is an `OSSL_LIB_CTX`, nil the default one.
  static func read(
    _ pem: [UInt8], _ passphrase: [UInt8]?, _ library: OpaquePointer?
  ) -> Result<OpaquePointer, TLSFileFault> {
    OpenSSLError.clear()
    var wasAsked = false
    let key = (passphrase ?? []).withUnsafeBufferPointer { buffer in
      // An empty buffer may have no address, but an empty passphrase is one.
      withUnsafePointer(to: UInt8(0)) { nothing in
        var lent = copenssl_passphrase(
          bytes: passphrase == nil ? nil : buffer.baseAddress ?? nothing, length: buffer.count, was_asked: 0)
        defer { wasAsked = lent.was_asked != 0 }
        return LibraryBytes.reading(pem) { copenssl_read_private_key($0, &lent, library) } ?? nil
      }
    }
    let error = OpenSSLError.take()
    if let key { return .success(key) }
    if wasAsked && passphrase == nil { return .failure(.passphraseRequired) }
    // After a failure in another context OpenSSL tries its default one, and its complaint comes last.
    if error.saysUnsupported && library == nil { return .failure(.unsupportedAlgorithm(error.description)) }
    if wasAsked { return .failure(.wrongPassphrase) }
    // The decoders call a file without a key unsupported, as they do one with a damaged key.
    let isThere = pem.firstRange(of: "PRIVATE KEY-----".utf8) != nil
    return .failure(isThere ? .unreadable("its private key cannot be read: \(error)") : .noKey)
  }

  /// TLS cannot use the key of another library context, so it takes the way through PKCS#8.
  private static func movedToDefaultLibrary(_ key: OpaquePointer) -> Result<OpaquePointer, TLSFileFault> {
    defer { EVP_PKEY_free(key) }
    let information = EVP_PKEY2PKCS8(key)
    defer { PKCS8_PRIV_KEY_INFO_free(information) }
    guard let information, let moved = EVP_PKCS82PKEY(information) else {
      return .failure(.unreadable("its private key cannot be read: \(OpenSSLError.take())"))
    }
    return .success(moved)
  }
}
