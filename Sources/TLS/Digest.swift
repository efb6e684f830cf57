import COpenSSL

/// Hashes of bytes at hand. For bytes that come in pieces see `SHA256Stream`.
public enum Digest {
  /// Found once: every implicit look-up of an algorithm in OpenSSL 3 costs more than hashing a certificate.
  ///
  /// Written once, before anyone sees it, and a fetched `EVP_MD` never changes.
  nonisolated(unsafe) static let sha256Algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  /// 32 bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    hash(bytes, sha256Algorithm)
  }

  /// 20 bytes. For identifiers that a standard defines with it, never for security.
  public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    hash(bytes, EVP_sha1())
  }

  private static func hash(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard EVP_Digest(bytes, bytes.count, &digest, &count, algorithm, nil) == 1 else { return [] }
    digest.removeLast(digest.count - Int(count))
    return digest
  }
}
