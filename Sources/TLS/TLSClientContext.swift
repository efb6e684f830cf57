import Bytes
import COpenSSL
import Names

/// What all TLS connections to origins with the same parameters share.
///
/// Security level 0: the policy checks version, suite, key size and hash itself, so that its verdict can name the reason.
/// Nothing is verified here; `TLSPeerJudge` decides.
public final class TLSClientContext: Sendable {
  /// Configured in `init` and not changed afterwards; OpenSSL counts references atomically.
  nonisolated(unsafe) internal let pointer: OpaquePointer
  public let parameters: TLSClientParameters

  public init(_ parameters: TLSClientParameters) throws(TLSFailure) {
    guard let context = SSL_CTX_new(TLS_client_method()) else {
      throw .takeFromLibrary(otherwise: "no memory for a TLS context")
    }
    // From here on `deinit` frees it.
    pointer = context
    self.parameters = parameters
    // Before any certificate, or a weak identity could not be set on a session.
    SSL_CTX_set_security_level(context, 0)
    let minimum = Int32(parameters.minimumVersion.rawValue)
    let maximum = Int32(parameters.maximumVersion.rawValue)
    guard minimum <= maximum, copenssl_ctx_set_versions(context, minimum, maximum) == 1,
      parameters.minimumVersion >= .v13
        || SSL_CTX_set_cipher_list(context, parameters.cipherSuites.joined(separator: ":")) == 1,
      copenssl_ctx_set_groups(context, "X25519:P-256:P-384:P-521") == 1,
      parameters.signatureAlgorithms.isEmpty
        || copenssl_ctx_set_signature_algorithms(context, parameters.signatureAlgorithms.joined(separator: ":")) == 1
    else { throw .takeFromLibrary(otherwise: "TLS parameters that the library does not know") }
    guard TLSSession.askForEvidence(context) else {
      throw .takeFromLibrary(otherwise: "the TLS library cannot ask for timestamps and status")
    }
    SSL_CTX_set_options(context, copenssl_op_no_compression)
    TLSSession.setModes(context)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    SSL_CTX_set_cert_verify_callback(context, TLSSession.verifyPeer, nil)
    SSL_CTX_set_cert_cb(context, TLSSession.chooseIdentity, nil)
    SSL_CTX_set_msg_callback(context, TLSSession.messagePassed)
    if parameters.allowsLateAuthentication { allowLateAuthentication() } else { keepTickets() }
  }

  deinit {
    SSL_CTX_free(pointer)
  }

  /// A renegotiation of TLS 1.2 that resumes is too short for the origin to ask for a certificate in it. So there must be no ticket,
  /// and the session forgets its id after the handshake.
  private func allowLateAuthentication() {
    SSL_CTX_set_options(pointer, copenssl_op_no_ticket)
    copenssl_ctx_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
    SSL_CTX_set_post_handshake_auth(pointer, 1)
  }

  private func keepTickets() {
    SSL_CTX_set_options(pointer, copenssl_op_no_renegotiation)
    copenssl_ctx_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
    SSL_CTX_sess_set_new_cb(pointer, TLSSession.tookSession)
  }

  /// A session with one origin.
  ///
  /// - Parameters:
  ///   - serverName: Sent as server_name unless it is an address.
  ///   - alpn: The protocols to offer, best first; none: no offer.
  ///   - judge: Decides about the origin. Not kept alive by the session.
  ///   - identities: What may be presented if the origin asks, best first.
  ///   - ticket: To resume an earlier session; if it is spent or the origin does not honour it, the handshake is a full one.
  ///   - outbound: Where the session puts ciphertext.
  public func makeSession(
    serverName: Host, alpn: [String], judge: any TLSPeerJudge, identities: [Identity], ticket: TLSTicket?,
    outbound: ByteQueue
  ) throws(TLSFailure) -> TLSSession {
    let side = ClientSide(
      judge: judge, identities: identities, allowsLateAuthentication: parameters.allowsLateAuthentication)
    let session = try TLSSession(context: pointer, outbound: outbound, role: .client(side))
    let protocols = alpn.reduce(into: [UInt8]()) { list, name in
      guard let length = UInt8(exactly: name.utf8.count), length > 0 else { return }
      list.append(length)
      list.append(contentsOf: name.utf8)
    }
    try session.configure { ssl in
      SSL_set_connect_state(ssl)
      copenssl_watch_extensions(ssl, TLSSession.extensionReceived)
      if serverName.address == nil, copenssl_set_server_name(ssl, serverName.text) != 1 { return false }
      // Unlike the rest of the library, this one returns 0 on success.
      if !protocols.isEmpty, SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) != 0 { return false }
      ticket?.spend { SSL_set_session(ssl, $0) }
      return true
    }
    return session
  }
}
