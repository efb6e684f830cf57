import Bytes
import COpenSSL

/// What all TLS connections from devices share: TLS 1.2 and 1.3, suites with forward secrecy, and the keys of stateless tickets.
///
/// The leaf belongs to the session, because setting it there is far cheaper than a context for each host. A new context has new ticket
/// keys, and tickets of the old one then lead to full handshakes.
public final class TLSServerContext: Sendable {
  /// Configured in `init` and not changed afterwards; OpenSSL counts references atomically.
  nonisolated(unsafe) internal let pointer: OpaquePointer
  private let ticketKeys: TicketKeys

  /// Suites with ECDHE and authenticated encryption only. The client's order decides: it knows what its processor does well.
  private static let suites = [
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
  ].joined(separator: ":")

  public convenience init() throws(TLSFailure) {
    try self.init(ticketKeys: TicketKeys())
  }

  internal init(ticketKeys: TicketKeys) throws(TLSFailure) {
    self.ticketKeys = ticketKeys
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw .takeFromLibrary(otherwise: "no memory for a TLS context")
    }
    // From here on `deinit` frees it.
    pointer = context
    SSL_CTX_set_security_level(context, 2)
    guard copenssl_ctx_set_versions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1,
      SSL_CTX_set_cipher_list(context, Self.suites) == 1,
      copenssl_ctx_set_groups(context, "X25519:P-256:P-384") == 1
    else { throw .takeFromLibrary(otherwise: "TLS parameters that the library does not know") }
    SSL_CTX_set_options(context, copenssl_op_no_compression | copenssl_op_no_renegotiation)
    TLSSession.setModes(context)
    // Tickets are stateless; a cache in the context would only be a lock that all loops share.
    copenssl_ctx_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
    SSL_CTX_set_num_tickets(context, 1)
    // The library's own keys would stay for as long as the context.
    SSL_CTX_set_timeout(context, Int(TicketKeys.ticketLifetime))
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, TicketKeys.chooseKey)
    SSL_CTX_set_alpn_select_cb(context, TLSSession.selectProtocol, nil)
    SSL_CTX_set_msg_callback(context, TLSSession.messagePassed)
  }

  deinit {
    SSL_CTX_free(pointer)
  }

  /// A session for one device.
  ///
  /// - Parameters:
  ///   - leaf: What the device is shown: `leaf.leaf`, then `leaf.chain`.
  ///   - alpn: The protocols that may be agreed on, best first. If the device offers none of them the handshake goes on without.
  ///   - resumptionScope: At most 32 bytes, different for each target: a ticket works only where it was issued.
  ///   - outbound: Where the session puts ciphertext.
  /// - Throws: If the leaf is unusable, such as one with a weak key or a key that does not belong to it.
  public func makeSession(
    leaf: Identity, alpn: [String], resumptionScope: [UInt8], outbound: ByteQueue
  ) throws(TLSFailure) -> TLSSession {
    let session = try TLSSession(
      context: pointer, outbound: outbound, role: .server(protocols: alpn.map { Array($0.utf8) }, ticketKeys))
    try session.configure { ssl in
      SSL_set_accept_state(ssl)
      return SSL_set_session_id_context(ssl, resumptionScope, UInt32(clamping: resumptionScope.count)) == 1
        && TLSSession.present(leaf, on: ssl)
    }
    return session
  }
}
