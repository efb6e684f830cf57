import COpenSSL

@testable import TLS

extension Origin {
  /// An origin that asks clients for a certificate.
  static func asking(_ name: String = "a.test", isRequired: Bool) throws -> Origin {
    try Origin(PKI.server(name)) { context in
      let mode = SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
      SSL_CTX_set_verify(context.pointer, mode, nil)
      SSL_CTX_set_cert_verify_callback(context.pointer, { _, _ in 1 }, nil)
    }
  }
}

extension Peer {
  /// What the other side showed as its certificate; nil: nothing.
  func peerCertificate() async -> Certificate? {
    await perform { wire in
      var found: Certificate?
      try? wire.session?.configure { ssl in
        found = SSL_get1_peer_certificate(ssl).map { Certificate(adopting: $0) }
        return true
      }
      return found
    }
  }
}
