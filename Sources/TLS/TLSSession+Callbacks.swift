import COpenSSL
import Glibc

/// What OpenSSL calls during a handshake. Each finds its session and forwards; none may call an operation of the session.
extension TLSSession {
  private static func owner(_ ssl: OpaquePointer?) -> TLSSession? {
    guard let ssl, let owner = copenssl_owner(ssl) else { return nil }
    return Unmanaged<TLSSession>.fromOpaque(owner).takeUnretainedValue()
  }

  internal static func setModes(_ context: OpaquePointer) {
    // One record at a time, from a buffer that may move, and no memory held between records. Chains are sent as given, never built.
    let modes =
      SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
      | SSL_MODE_NO_AUTO_CHAIN
    copenssl_ctx_set_mode(context, Int(modes))
  }

  /// Puts an identity on a session, the whole chain included.
  internal static func present(_ identity: Identity, on ssl: OpaquePointer) -> Bool {
    SSL_use_certificate(ssl, identity.leaf.pointer) == 1 && SSL_use_PrivateKey(ssl, identity.key.pointer) == 1
      && identity.chain.allSatisfy { copenssl_add_chain_certificate(ssl, $0.pointer) == 1 }
  }

  /// Server: agrees on the first of our protocols that the client offers too.
  internal static let selectProtocol:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
      UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
    ) -> Int32 = { ssl, name, nameLength, offer, offerLength, _ in
      guard let session = owner(ssl), case .server(let protocols) = session.role, let name, let nameLength else {
        return SSL_TLSEXT_ERR_NOACK
      }
      let offered = UnsafeBufferPointer(start: offer, count: Int(offerLength))
      for wanted in protocols {
        guard let found = find(wanted, in: offered) else { continue }
        // Points into the client's list, which outlives the callback; the library copies it.
        name.pointee = found.baseAddress
        nameLength.pointee = UInt8(truncatingIfNeeded: found.count)
        return SSL_TLSEXT_ERR_OK
      }
      return SSL_TLSEXT_ERR_NOACK
    }

  private static func find(_ wanted: [UInt8], in offered: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    var rest = offered[...]
    while let length = rest.popFirst(), rest.count >= Int(length) {
      let name = rest.prefix(Int(length))
      if name.elementsEqual(wanted) { return UnsafeBufferPointer(rebasing: name) }
      rest = rest.dropFirst(Int(length))
    }
    return nil
  }

  /// Client: shows the judge what the origin presents. Runs before `chooseIdentity` in all versions.
  internal static let verifyPeer: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, _ in
    guard let store, let held = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let session = owner(OpaquePointer(held)), case .client(let side) = session.role
    else { return 0 }
    let sent = X509_STORE_CTX_get0_untrusted(store)
    let chain = (0..<copenssl_sent_count(sent)).compactMap { index -> Certificate? in
      guard let certificate = copenssl_sent_at(sent, index), X509_up_ref(certificate) == 1 else { return nil }
      return Certificate(adopting: certificate)
    }
    session.mustForgetSession = side.allowsLateAuthentication
    let peer = PresentedPeer(version: session.version, cipher: session.cipherName, chain: chain)
    guard !chain.isEmpty, let judge = side.judge, judge.judge(peer) else {
      session.judgeRefused = true
      // The library makes the alert bad_certificate of this one.
      X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
      return 0
    }
    X509_STORE_CTX_set_error(store, X509_V_OK)
    return 1
  }

  /// Client: the origin asks for a certificate, in the handshake or later. Without a fit identity an empty one is sent.
  internal static let chooseIdentity: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
    guard let ssl, let session = owner(ssl), case .client(let side) = session.role else { return 0 }
    if session.forbidsLateRequests {
      session.lateRequestWasSeen = true
      return 0
    }
    SSL_certs_clear(ssl)
    session.clientCertificate = answer(
      CertificateRequest(ssl, version: session.version), on: ssl, with: side.identities,
      isLate: session.stage == .established)
    return 1
  }

  /// Presents the first identity that fits.
  private static func answer(
    _ request: CertificateRequest, on ssl: OpaquePointer, with identities: [Identity], isLate: Bool
  ) -> ClientCertificateAnswer {
    let now = Int64(time(nil))
    var passedOver: [ClientCertificateAnswer.PassedOver] = []
    var sent: Identity?
    for identity in identities where sent == nil {
      var objection = request.objection(to: identity, at: now)
      if objection == nil, !present(identity, on: ssl) {
        SSL_certs_clear(ssl)
        ERR_clear_error()
        objection = .unusable
      }
      if let objection {
        passedOver.append(ClientCertificateAnswer.PassedOver(name: identity.name, objection: objection))
      } else {
        sent = identity
      }
    }
    return ClientCertificateAnswer(demand: request.demand, sent: sent, passedOver: passedOver, isLate: isLate)
  }

  /// Client: the origin gave a session to resume. 1 keeps the reference that came with it.
  internal static let tookSession: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { ssl, session in
    guard let session, let owner = owner(ssl), case .client(let side) = owner.role, let judge = side.judge else {
      return 0
    }
    judge.tookTicket(TLSTicket(adopting: session))
    return 1
  }

  /// Both ends: notes how far the first handshake got. Over HTTP/2 also whether the origin asks for another one.
  internal static let messagePassed:
    @convention(c) (
      Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
    ) -> Void = { isWritten, _, contentType, bytes, count, ssl, _ in
      guard contentType == SSL3_RT_HANDSHAKE, count > 0, let type = bytes?.load(as: UInt8.self),
        let session = owner(ssl)
      else { return }
      session.messagePassed(type: Int32(type), isOutgoing: isWritten == 1)
    }

  private func messagePassed(type: Int32, isOutgoing: Bool) {
    let isServer = if case .server = role { true } else { false }
    if type == SSL3_MT_HELLO_REQUEST, !isOutgoing, !isServer, stage == .established {
      lateRequestWasSeen = true
    } else if type == SSL3_MT_FINISHED, isOutgoing {
      stage = max(stage, .finished)
    } else if type == SSL3_MT_CERTIFICATE, isOutgoing == isServer {
      stage = max(stage, .certificate)
    }
  }
}
