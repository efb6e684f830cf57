import COpenSSL

extension TLSFailure {
  /// Reasons from here on are alerts of the peer.
  private static let alertOffset: Int32 = 1000

  /// Empties this thread's error queue of OpenSSL into one failure.
  ///
  /// The queue holds causes first and what followed from them last; the first entry that has a meaning of its own decides, else the
  /// very first.
  internal static func takeFromLibrary(otherwise reason: String) -> TLSFailure {
    var first: UInt?
    var found: TLSFailure?
    while case let code = ERR_get_error(), code != 0 {
      first = first ?? code
      found = found ?? known(code)
    }
    if let found { return found }
    guard let first else { return .protocolError(reason: reason, code: 0) }
    let words = ERR_reason_error_string(first).map { String(cString: $0) }
    return .protocolError(reason: words ?? reason, code: first)
  }

  private static func known(_ code: UInt) -> TLSFailure? {
    guard copenssl_error_library(code) == ERR_LIB_SSL else { return nil }
    let reason = copenssl_error_reason(code)
    if let alert = UInt8(exactly: reason - alertOffset) { return .alert(alert) }
    switch reason {
    case SSL_R_NO_RENEGOTIATION: return .alert(TLSAlert.noRenegotiation)
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH, SSL_R_WRONG_SSL_VERSION,
      SSL_R_BAD_PROTOCOL_VERSION_NUMBER, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_WRONG_VERSION_NUMBER:
      return .versionMismatch
    case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_CIPHERS_AVAILABLE: return .noSharedCipher
    case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: return .notTLS
    case SSL_R_UNEXPECTED_EOF_WHILE_READING: return .truncated
    default: return nil
    }
  }
}
