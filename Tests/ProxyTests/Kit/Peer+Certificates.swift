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

extension Origin {
  /// An origin that asks in the handshake and names authorities.
  static func asking(
    _ name: String = "a.test", alpn: [String], isRequired: Bool, authorities: [Certificate] = [],
    isTrusting: Bool = true
  ) throws -> Origin {
    try Origin(PKI.server(name), alpn: alpn) { context in
      let mode = SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
      SSL_CTX_set_verify(context.pointer, mode, nil)
      if isTrusting { SSL_CTX_set_cert_verify_callback(context.pointer, { _, _ in 1 }, nil) }
      for authority in authorities { SSL_CTX_add_client_CA(context.pointer, authority.pointer) }
    }
  }
}

extension Peer {
  /// Asks for a certificate after the handshake (TLS 1.3), as a server; true once the other side has shown one.
  func askLate() async -> Bool {
    await sendLateRequest()
    return await Kit.before(Self.patience) { await self.peerCertificate() } != nil
  }

  func sendLateRequest() async {
    await perform { wire in
      try? wire.session?.configure { ssl in
        SSL_set_verify(ssl, SSL_VERIFY_PEER, { _, _ in 1 })
        return SSL_verify_client_post_handshake(ssl) == 1
      }
      _ = try? wire.session?.advance(UnsafeRawBufferPointer(start: nil, count: 0))
      wire.send([])
    }
  }
}
