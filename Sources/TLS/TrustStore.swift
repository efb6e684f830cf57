import COpenSSL

/// A set of trust anchors, made once and shared by every evaluation that wants these anchors.
public final class TrustStore: Sendable {
  /// The `X509_STORE`, one reference of which is owned here.
  ///
  /// Safe to share: it is not changed after `init`, but for what OpenSSL itself reads late from the system's directory, which
  /// is behind the store's own lock. Nil when memory was short; nothing is trusted then.
  nonisolated(unsafe) let pointer: OpaquePointer?
  /// Whether the operating system's anchors are in it.
  public let includesSystem: Bool
  private let given: Set<Certificate>
  private let partialChain: Bool

  /// The anchors of the operating system: OpenSSL's default paths, `SSL_CERT_FILE` and `SSL_CERT_DIR` included.
  ///
  /// The first call reads the bundle, which takes about 50 ms: make it in the background when the program starts. Safe from
  /// any thread; later changes of the files are not seen.
  public static func system() -> TrustStore { shared }

  private static let shared = TrustStore(certificates: [], partialChain: false, includingSystem: true)

  /// - Parameters:
  ///   - partialChain: an anchor may be an intermediate or a leaf, as `SecTrustSetAnchorCertificates` allows it; else only
  ///     self-signed certificates end a path.
  ///   - includingSystem: the system's anchors are good as well.
  public init(certificates: [Certificate], partialChain: Bool, includingSystem: Bool) {
    pointer = X509_STORE_new()
    includesSystem = includingSystem
    given = Set(certificates)
    self.partialChain = partialChain
    guard let store = pointer else { return }
    certificates.forEach { X509_STORE_add_cert(store, $0.pointer) }
    if includingSystem { Self.addSystem(to: store) }
    if partialChain { X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN)) }
    OpenSSLError.clear()
  }

  deinit {
    X509_STORE_free(pointer)
  }

  /// Whether the anchor came with the operating system and was not given by the caller too.
  func isSystemAnchor(_ certificate: Certificate) -> Bool {
    includesSystem && !given.contains(certificate)
  }

  /// Whether a path ends with this leaf because it was given as an anchor itself.
  func isAnchor(leaf: Certificate) -> Bool {
    partialChain && given.contains(leaf)
  }

  /// The parsed certificates are shared by every store; only the first one reads the bundle.
  private static func addSystem(to store: OpaquePointer) {
    for index in 0..<copenssl_certificates_count(systemCertificates) {
      X509_STORE_add_cert(store, copenssl_certificates_at(systemCertificates, index))
    }
    _ = copenssl_store_add_system_directory(store)
  }

  /// The system's bundle as a stack of `X509`. Written once, before anyone sees it, and never changed.
  nonisolated(unsafe) private static let systemCertificates: OpaquePointer? = {
    guard let store = X509_STORE_new() else { return nil }
    defer { X509_STORE_free(store) }
    if copenssl_store_add_system_file(store) == 0 {
      // An OpenSSL that was not built for this system looks elsewhere; these are where systems keep the bundle.
      let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
      ]
      _ = bundles.contains { X509_STORE_load_file(store, $0) == 1 }
    }
    OpenSSLError.clear()
    return X509_STORE_get1_all_certs(store)
  }()
}
