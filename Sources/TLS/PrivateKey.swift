import COpenSSL

/// A private key with its public half: RSA, elliptic curve or Ed25519.
public final class PrivateKey: Sendable {
  /// What can be made here.
  public enum Kind: String, Sendable, Hashable {
    case p256 = "P-256"
    case rsa2048 = "RSA-2048"
  }

  /// The `EVP_PKEY`, one reference of which is owned here.
  ///
  /// Safe to share: nothing changes it once it is wrapped, its reference count is atomic, and operations keep their state in
  /// contexts of their own.
  nonisolated(unsafe) let pointer: OpaquePointer

  /// Takes over the caller's reference.
  init(adopting key: OpaquePointer) {
    pointer = key
  }

  deinit {
    EVP_PKEY_free(pointer)
  }

  /// Makes a new key. RSA takes tens of milliseconds and more.
  public static func generate(_ kind: Kind) throws(OpenSSLError) -> PrivateKey {
    OpenSSLError.clear()
    let key =
      switch kind {
      case .p256: copenssl_make_p256()
      case .rsa2048: copenssl_make_rsa(2048)
      }
    guard let key else { throw OpenSSLError.take() }
    return PrivateKey(adopting: key)
  }

  public var facts: KeyFacts { KeyFacts(pointer) }

  /// Whether this is the key that the certificate certifies.
  public func matches(_ certificate: Certificate) -> Bool {
    defer { OpenSSLError.clear() }
    guard let certified = X509_get0_pubkey(certificate.pointer) else { return false }
    return EVP_PKEY_eq(certified, pointer) == 1
  }

  /// SHA-256 of the SubjectPublicKeyInfo.
  public var spkiDigest: [UInt8] {
    Digest.sha256(LibraryBytes.encoded { i2d_PUBKEY(pointer, $0) } ?? [])
  }

  /// The hash to sign with; nil for schemes that bring their own (Ed25519).
  var signingHash: OpaquePointer? {
    switch EVP_PKEY_get_base_id(pointer) {
    case EVP_PKEY_ED25519, EVP_PKEY_ED448: nil
    default: Digest.sha256Algorithm
    }
  }
}
