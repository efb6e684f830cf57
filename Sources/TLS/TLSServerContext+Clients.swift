import COpenSSL

extension TLSServerContext {
  /// A context that asks every client for a certificate and takes only those that `issuers` signed.
  public convenience init(demandingCertificatesOf issuers: [Certificate]) throws(TLSFailure) {
    try self.init()
    guard let store = SSL_CTX_get_cert_store(pointer),
      issuers.allSatisfy({
        X509_STORE_add_cert(store, $0.pointer) == 1 && SSL_CTX_add_client_CA(pointer, $0.pointer) == 1
      })
    else { throw .takeFromLibrary(otherwise: "authorities that the library does not take") }
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
  }
}
