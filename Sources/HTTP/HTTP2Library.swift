import CNGHTTP2

/// What all sessions share of the library.
enum HTTP2Library {
  /// The table of callbacks; nil if there was no memory for it.
  ///
  /// Written once, by the initialiser that runs before anybody reads it, and only read by the library from then on.
  nonisolated(unsafe) static let callbacks: OpaquePointer? = {
    var table: OpaquePointer?
    guard nghttp2_session_callbacks_new(&table) == 0 else { return nil }
    nghttp2_session_callbacks_set_on_begin_frame_callback(table) { _, header, context in
      if let header { HTTP2Session.of(context)?.frameBegan(FrameHeader(header.pointee)) }
      return 0
    }
    nghttp2_session_callbacks_set_on_begin_headers_callback(table) { _, frame, context in
      if let frame { HTTP2Session.of(context)?.headersBegan(frame.pointee) }
      return 0
    }
    nghttp2_session_callbacks_set_on_header_callback(table) { _, _, name, nameCount, value, valueCount, _, context in
      HTTP2Session.of(context)?.fieldReceived(
        UnsafeRawBufferPointer(start: name, count: nameCount), UnsafeRawBufferPointer(start: value, count: valueCount))
      return 0
    }
    // Without this, malformed fields would be left out silently: they make the message malformed (RFC 9113, section 8.2.1).
    nghttp2_session_callbacks_set_on_invalid_header_callback(table) { _, _, _, _, _, _, _, _ in
      NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(table) { _, frame, context in
      if let frame { HTTP2Session.of(context)?.frameReceived(frame.pointee) }
      return 0
    }
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(table) { _, frame, code, context in
      if let frame { HTTP2Session.of(context)?.invalidFrameReceived(FrameHeader(frame.pointee.hd), code) }
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table) { _, _, stream, bytes, count, context in
      HTTP2Session.of(context)?.dataReceived(stream, UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_send_callback(table) { _, frame, context in
      if let frame { HTTP2Session.of(context)?.frameSent(frame.pointee) }
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_not_send_callback(table) { _, frame, code, context in
      if let frame { HTTP2Session.of(context)?.frameNotSent(FrameHeader(frame.pointee.hd), code) }
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(table) { _, stream, code, context in
      HTTP2Session.of(context)?.streamClosed(stream, HTTP2ErrorCode(rawValue: code))
      return 0
    }
    return table
  }()

  /// A session of the library, with the settings that have to be known from its beginning.
  static func makeSession(_ role: HTTP2Session.Role, _ settings: HTTP2Settings, context: UnsafeMutableRawPointer)
    -> OpaquePointer?
  {
    var option: OpaquePointer?
    guard let callbacks, nghttp2_option_new(&option) == 0 else { return nil }
    defer { nghttp2_option_del(option) }
    nghttp2_option_set_no_auto_window_update(option, 1)
    nghttp2_option_set_no_closed_streams(option, 1)
    nghttp2_option_set_max_reserved_remote_streams(option, 0)
    nghttp2_option_set_max_continuations(option, settings.continuationCount)
    // A head that came over HTTP/1.1 may be as long as one that comes over HTTP/2, and be put in more words.
    nghttp2_option_set_max_send_header_block_length(option, 2 * settings.headByteCount + 65_536)
    // Resets are counted by the session, on the caller's clock.
    nghttp2_option_set_stream_reset_rate_limit(option, 1 << 40, 1 << 40)
    var session: OpaquePointer?
    let code =
      switch role {
      case .server: nghttp2_session_server_new2(&session, callbacks, context, option)
      case .client: nghttp2_session_client_new2(&session, callbacks, context, option)
      }
    return code == 0 ? session : nil
  }

  /// The library's name for one of its error codes.
  static func text(_ code: Int32) -> String {
    nghttp2_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
