import COpenSSL

/// An X.509 certificate. Equal when the DER is equal.
public final class Certificate: Sendable {
  /// The `X509`, one reference of which is owned here.
  ///
  /// Safe to share: nothing changes it once it is wrapped, its reference count is atomic, and what OpenSSL works out late
  /// (the cached extensions, the decoded key) is behind the library's own lock.
  nonisolated(unsafe) let pointer: OpaquePointer

  /// SHA-256 of the DER.
  public let fingerprint: [UInt8]

  /// Takes over the caller's reference.
  init(adopting x509: OpaquePointer) {
    pointer = x509
    fingerprint = Digest.sha256(LibraryBytes.encoded { i2d_X509(x509, $0) } ?? [])
  }

  /// Takes a reference of its own.
  convenience init(retaining x509: OpaquePointer) {
    X509_up_ref(x509)
    self.init(adopting: x509)
  }

  deinit {
    X509_free(pointer)
  }
}

extension Certificate: Hashable {
  public static func == (one: Certificate, other: Certificate) -> Bool {
    one === other || one.fingerprint == other.fingerprint
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(fingerprint)
  }
}
