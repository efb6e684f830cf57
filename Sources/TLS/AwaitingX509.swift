import COpenSSL

/// An X.509 certificate.
public final class Certificate: Sendable {
  nonisolated(unsafe) internal let pointer: OpaquePointer

  internal init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { X509_free(pointer) }

  /// All certificates in PEM.
  public static func parse(pemOrDER: [UInt8]) throws -> [Certificate] {
    let bio = BIO_new_mem_buf(pemOrDER, Int32(pemOrDER.count))
    defer { BIO_free(bio) }
    var found: [Certificate] = []
    while let next = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(Certificate(adopting: next)) }
    ERR_clear_error()
    return found
  }

  /// The encoded certificate.
  public var der: [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(pointer, &bytes)
    defer { CRYPTO_free(bytes, #file, #line) }
    return Array(UnsafeBufferPointer(start: bytes, count: max(0, Int(count))))
  }
}

/// A private key.
public final class PrivateKey: Sendable {
  nonisolated(unsafe) internal let pointer: OpaquePointer

  /// A key in PEM.
  public init(pem: [UInt8], passphrase: [UInt8]?) throws {
    let bio = BIO_new_mem_buf(pem, Int32(pem.count))
    defer { BIO_free(bio) }
    guard let key = PEM_read_bio_PrivateKey(bio, nil, nil, nil) else { throw TLSFailure.truncated }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }
}

/// A certificate with its key.
public struct Identity: Sendable {
  public let name: String
  public let leaf: Certificate
  public let chain: [Certificate]
  public let key: PrivateKey

  public init(name: String, leaf: Certificate, chain: [Certificate], key: PrivateKey) {
    self.name = name
    self.leaf = leaf
    self.chain = chain
    self.key = key
  }
}
