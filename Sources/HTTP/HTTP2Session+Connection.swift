import CNGHTTP2

/// The connection as a whole.
extension HTTP2Session {
  /// Streams that are not closed, those included whose request waits for the peer's limit.
  public var openStreamCount: Int { streams.count }

  public var isIdle: Bool { streams.isEmpty }

  /// Whether `flush` has something to yield.
  public var wantsWrite: Bool {
    library.map { nghttp2_session_want_write($0) != 0 } ?? false
  }

  /// Whether nothing more will be received or sent: the connection can be closed.
  public var isClosed: Bool {
    library.map { nghttp2_session_want_write($0) == 0 && nghttp2_session_want_read($0) == 0 } ?? true
  }

  /// Streams that the peer allows at the same time; 100 until its settings have come.
  public var peerStreamLimit: Int {
    guard let library else { return 0 }
    let limit = nghttp2_session_get_remote_settings(library, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    return hasPeerSettings ? Int(limit) : min(Int(limit), 100)
  }

  /// Whether the peer, a server, offers the extended CONNECT (RFC 8441).
  public var allowsConnectProtocol: Bool {
    library.map { nghttp2_session_get_remote_settings($0, NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1 } ?? false
  }

  /// Whether a request would be sent now: the connection neither drains nor ends, and the peer takes another stream.
  public var canOpenStream: Bool {
    guard role == .client, fault == nil, drainStage == .none, !hasReceivedGoaway, let library else { return false }
    return nghttp2_session_check_request_allowed(library) != 0 && streams.count < peerStreamLimit
  }

  /// Whether no new streams are taken and none is open any more.
  public var isDrained: Bool { drainStage == .final && streams.isEmpty }

  public var isDraining: Bool { drainStage != .none }

  /// Takes no new streams and lets the open ones finish. A client is told twice, as RFC 9113, section 6.8, has it, so that no request
  /// that is on its way is lost; `finishDrain` does not wait for that.
  public func drain() {
    guard drainStage == .none, fault == nil, let library else { return }
    guard role == .server else { return finishDrain() }
    drainStage = .announced
    nghttp2_submit_shutdown_notice(library)
    ping(Self.drainPayload)
  }

  /// Names the last stream that is taken.
  public func finishDrain() {
    guard drainStage != .final, fault == nil, let library else { return }
    drainStage = .final
    let last = role == .server ? nghttp2_session_get_last_proc_stream_id(library) : 0
    nghttp2_submit_goaway(library, 0, last, HTTP2ErrorCode.noError.rawValue, nil, 0)
  }

  /// Asks the peer for a sign of life; the delegate gets the payload back.
  public func ping(_ payload: UInt64) {
    guard let library else { return }
    withUnsafeBytes(of: payload.bigEndian) { bytes in
      _ = nghttp2_submit_ping(library, 0, bytes.bindMemory(to: UInt8.self).baseAddress)
    }
  }
}
