import COpenSSL

/// A library context with OpenSSL's legacy algorithms (RC2, RC4, DES) for reading old files.
///
/// It is apart from the default context so that those algorithms never become available to TLS.
enum CompatibilityLibrary {
  /// An `OSSL_LIB_CTX`, or nil when memory is short. Without the legacy module on the machine it has the default algorithms.
  ///
  /// Written once, before anyone sees it; OpenSSL locks it inside. It lives as long as the process.
  nonisolated(unsafe) static let context: OpaquePointer? = {
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    _ = OSSL_PROVIDER_load(context, "default")
    _ = OSSL_PROVIDER_load(context, "legacy")
    OpenSSLError.clear()
    return context
  }()
}
