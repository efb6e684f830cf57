/// Why a TLS handshake with an origin failed before the origin showed a certificate.
public enum HandshakeFault: Sendable, Hashable {
  /// The two sides have no version in common, as our side saw it.
  case versionMismatch
  /// The two sides have no cipher suite in common, as our side saw it.
  case noSharedCipher
  /// The origin sent this alert (RFC 8446, section 6).
  case alert(UInt8)
  /// Anything else, in words.
  case other(String)
}
