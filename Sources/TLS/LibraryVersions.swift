import COpenSSL

/// Versions of the libraries that are loaded, not of those that the program was built with.
public enum LibraryVersions {
  /// Such as `3.0.17`.
  public static var openSSL: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}
