import COpenSSL

/// What a client asks origins for besides their certificates: timestamps of Certificate Transparency (RFC 6962 section 3.3) and the
/// status of the certificate (RFC 6066 section 8), as Apple's systems always do. It costs some bytes of the hello.
extension TLSSession {
  /// Longer lists of timestamps are dropped.
  private static let timestampByteLimit = 16 << 10

  /// - Returns: false: the library refused.
  internal static func askForEvidence(_ context: OpaquePointer) -> Bool {
    let messages = UInt32(SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE)
    return copenssl_ctx_ask_for_status(context, statusArrived) == 1
      && SSL_CTX_add_custom_ext(
        context, UInt32(TLSEXT_TYPE_signed_certificate_timestamp), messages, askForTimestamps, nil, nil,
        timestampsArrived, nil) == 1
  }

  /// An empty extension in the hello; never in our own certificate.
  private static let askForTimestamps:
    @convention(c) (
      OpaquePointer?, UInt32, UInt32, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
      OpaquePointer?, Int, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?
    ) -> Int32 = { _, _, message, _, count, _, _, _, _ in
      guard message & UInt32(SSL_EXT_CLIENT_HELLO) != 0 else { return 0 }
      count?.pointee = 0
      return 1
    }

  /// Those of the leaf are kept; what is wrong with them shows when they are checked.
  private static let timestampsArrived:
    @convention(c) (
      OpaquePointer?, UInt32, UInt32, UnsafePointer<UInt8>?, Int, OpaquePointer?, Int, UnsafeMutablePointer<Int32>?,
      UnsafeMutableRawPointer?
    ) -> Int32 = { ssl, _, _, bytes, count, _, depth, _, _ in
      guard depth == 0, let bytes, count <= timestampByteLimit, let session = owner(ssl) else { return 1 }
      session.evidence.timestamps = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
      return 1
    }

  /// Notes what a server of TLS 1.2 agrees to in its hello: later messages depend on it.
  internal static let extensionReceived:
    @convention(c) (
      OpaquePointer?, Int32, Int32, UnsafePointer<UInt8>?, Int32, UnsafeMutableRawPointer?
    ) -> Void = { ssl, _, type, _, _, _ in
      guard let session = owner(ssl) else { return }
      if type == TLSEXT_TYPE_status_request { session.evidence.promisesStaple = true }
      if type == TLSEXT_TYPE_extended_master_secret { session.evidence.hasExtendedMasterSecret = true }
    }

  /// After everything that the server sends before its Finished (TLS 1.2: with ServerHelloDone), whether a status came or not.
  /// 0 refuses.
  private static let statusArrived: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
    guard let ssl, let session = owner(ssl) else { return 0 }
    return session.judgeWaiting(ssl) ? 1 : 0
  }

  /// Judges an origin that waits for its status. Called when the message that would bring it is over.
  ///
  /// - Returns: false: the judge refused, now or before.
  internal func judgeWaiting(_ ssl: OpaquePointer) -> Bool {
    guard var peer = evidence.waiting else { return !judgeRefused }
    evidence.waiting = nil
    peer.staple = Self.staple(ssl)
    return asksJudge(about: peer)
  }

  /// The stapled response, if one has come by now.
  internal static func staple(_ ssl: OpaquePointer) -> [UInt8]? {
    var count = 0
    guard let bytes = copenssl_status_response(ssl, &count) else { return nil }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// What came beside the certificates of an origin.
internal struct PeerEvidence {
  /// The content of the extension signed_certificate_timestamp.
  internal var timestamps: [UInt8] = []
  /// The server's hello has status_request: in TLS 1.2 the status follows in a message of its own.
  internal var promisesStaple = false
  /// The server's hello agreed on the extended master secret (RFC 7627).
  internal var hasExtendedMasterSecret = false
  /// Presented, and not judged before its status has come.
  internal var waiting: PresentedPeer?
}
