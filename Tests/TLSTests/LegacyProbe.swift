import COpenSSL

/// Looks into the library context that TLS works in.
enum LegacyProbe {
  static var defaultLibraryHasRC2: Bool {
    let cipher = EVP_CIPHER_fetch(nil, "RC2-40-CBC", nil)
    defer {
      EVP_CIPHER_free(cipher)
      ERR_clear_error()
    }
    return cipher != nil
  }
}
