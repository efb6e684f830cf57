import COpenSSL

/// Authentication of messages by a secret key (RFC 2104).
public enum MessageAuthentication {
  /// HMAC-SHA-256, 32 bytes. Empty when the library fails, which equals no code of a message.
  public static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    guard let size = Int32(exactly: key.count),
      HMAC(Digest.sha256Algorithm, key, size, message, message.count, &code, &count) != nil, count == 32
    else {
      OpenSSLError.clear()
      return []
    }
    return code
  }
}
