import COpenSSL

/// A library context with OpenSSL's legacy algorithms (RC2, RC4, DES) for reading old files.
///
/// It is apart from the default context so that those algorithms never become available to TLS.
enum CompatibilityLibrary {
  /// An `OSSL_LIB_CTX`; nil, which OpenSSL takes as its default context, on a machine without the legacy module.
  ///
  /// Written once, before anyone sees it; OpenSSL locks it inside. It lives as long as the process.
  nonisolated(unsafe) static let context: OpaquePointer? = {
    defer { OpenSSLError.clear() }
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    if OSSL_PROVIDER_load(context, "default") != nil, OSSL_PROVIDER_load(context, "legacy") != nil { return context }
    OSSL_LIB_CTX_free(context)
    return nil
  }()
}
