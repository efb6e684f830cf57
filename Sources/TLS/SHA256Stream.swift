import COpenSSL

/// SHA-256 of bytes that come in pieces, such as a body on its way. Confined to its owner.
public final class SHA256Stream {
  private let context: OpaquePointer?

  public init() {
    context = EVP_MD_CTX_new()
    EVP_DigestInit_ex2(context, Digest.sha256Algorithm, nil)
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Takes the next piece; the bytes are only borrowed.
  public func update(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest of all pieces, 32 bytes; the next piece begins anew.
  public func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    EVP_DigestInit_ex2(context, Digest.sha256Algorithm, nil)
    return digest
  }
}
