import Bytes
import CNGHTTP2

/// What the library's callbacks do: they note what happened. They are inside the library, which must be neither called to send or
/// receive, nor freed.
extension HTTP2Session {
  /// Whether the connection is condemned already: nothing more is noted.
  private var isCondemned: Bool { pendingFault != nil || fault != nil }

  func frameBegan(_ frame: FrameHeader) {
    guard !isCondemned else { return }
    pendingFault = fault(of: frame) ?? guards.received(frame, now: now)
  }

  /// What the library lets pass: it cannot tell streams that were forgotten from those that never were, and does not look at priorities.
  private func fault(of frame: FrameHeader) -> HTTP2Fault? {
    guard role == .server else { return nil }
    if frame.type == .priority, frame.stream == 0 {
      return .violation("The client gave a priority to no stream.")
    }
    guard frame.type == .headers, frame.stream & 1 == 1, streams[frame.stream] == nil else { return nil }
    switch numbers.begin(frame.stream) {
    case .new: return nil
    case .used: return guards.receivedIdleFrame(now: now)
    case .passedOver: return .violation("The client opened streams in another order than that of their numbers.")
    }
  }

  func headersBegan(_ frame: nghttp2_frame) {
    guard !isCondemned else { return }
    let id = frame.hd.stream_id
    if role == .server, frame.headers.cat == NGHTTP2_HCAT_REQUEST {
      streams[id] = HTTP2Stream(id: id)
    }
    readingStream = streams[id]
    reader.reset()
  }

  func fieldReceived(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard readingStream != nil, !isCondemned else { return }
    reader.add(name, value)
    // A few bytes of compressed text can be very many fields: the list is not kept any more, but still costs time.
    if reader.byteCount > 64 * max(settings.headByteCount, 1 << 10) {
      pendingFault = .flood("The peer sent a head many times as long as is allowed.")
    }
  }

  func frameReceived(_ frame: nghttp2_frame) {
    guard !isCondemned else { return }
    let header = FrameHeader(frame.hd)
    switch header.type {
    case .headers: headersEnded(header)
    case .data: dataEnded(header, paddingCount: frame.data.padlen)
    case .reset:
      streams[header.stream]?.end = .reset(HTTP2ErrorCode(rawValue: frame.rst_stream.error_code))
    case .settings where !header.isAcknowledgement:
      hasPeerSettings = true
      note(.settingsChanged)
    case .ping where header.isAcknowledgement: pingAnswered(frame.ping)
    case .goaway:
      hasReceivedGoaway = true
      note(
        .goaway(HTTP2ErrorCode(rawValue: frame.goaway.error_code), lastStream: frame.goaway.last_stream_id))
    default: break
    }
  }

  private func dataEnded(_ frame: FrameHeader, paddingCount: Int) {
    if frame.isPadded, !frame.endsStream, frame.length <= paddingCount {
      pendingFault = guards.receivedEmptyData(now: now)
    }
    if frame.endsStream, let stream = streams[frame.stream] { peerEnded(stream, nil) }
  }

  private func peerEnded(_ stream: HTTP2Stream, _ trailers: HeaderList?) {
    stream.hasPeerEnded = true
    if stream.isKnown { note(.ended(stream, trailers)) }
  }

  private func pingAnswered(_ ping: nghttp2_ping) {
    let payload = withUnsafeBytes(of: ping.opaque_data) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    if payload == Self.drainPayload, drainStage == .announced {
      finishDrain()
    } else {
      note(.ponged(payload))
    }
  }

  func dataReceived(_ id: Int32, _ bytes: UnsafeRawBufferPointer) {
    guard let stream = streams[id], !isCondemned, !bytes.isEmpty else { return }
    stream.unconsumed += bytes.count
    note(.body(stream, bytes))
  }

  // MARK: heads

  private func headersEnded(_ frame: FrameHeader) {
    guard let stream = readingStream, stream.id == frame.stream else { return }
    readingStream = nil
    do throws(HTTPFault) {
      if role == .server, !stream.hasPeerHead {
        try requestEnded(stream, frame)
      } else if role == .client, !stream.hasPeerHead {
        try responseEnded(stream, frame)
      } else {
        peerEnded(stream, try reader.trailers())
      }
    } catch {
      refuse(stream, error, frame)
    }
    reader.reset()
  }

  private func requestEnded(_ stream: HTTP2Stream, _ frame: FrameHeader) throws(HTTPFault) {
    let request = try reader.request(isComplete: frame.endsStream)
    stream.hasPeerHead = true
    stream.isKnown = true
    stream.method = request.head.method
    note(.request(stream, request))
    if frame.endsStream { peerEnded(stream, nil) }
  }

  private func responseEnded(_ stream: HTTP2Stream, _ frame: FrameHeader) throws(HTTPFault) {
    let response = try reader.response(to: stream.method, isComplete: frame.endsStream)
    guard response.head.status >= 200 else {
      stream.informationalCount += 1
      guard stream.informationalCount <= settings.informationalCount else {
        throw .malformed("There are more than \(settings.informationalCount) interim responses.")
      }
      return note(.informational(stream, response.head))
    }
    stream.hasPeerHead = true
    note(.response(stream, response))
    if frame.endsStream { peerEnded(stream, nil) }
  }

  /// A head that the library let pass and this end does not.
  private func refuse(_ stream: HTTP2Stream, _ fault: HTTPFault, _ frame: FrameHeader) {
    if role == .server, !stream.isKnown {
      note(.refused(stream, fault))
      stream.isKnown = true
      stream.hasPeerHead = true
      stream.discardsBody = true
      stream.hasPeerEnded = frame.endsStream
      guard fault.kind != .tooLarge else { return }
      stream.isSilenced = true
    } else {
      stream.end = .malformed(role == .client ? fault.inResponse : fault)
    }
    nghttp2_submit_rst_stream(library, 0, stream.id, HTTP2ErrorCode.protocolError.rawValue)
    pendingFault = guards.receivedInvalidFrame(now: now)
  }

  /// The library has reset the stream of that frame, or ends the connection.
  func invalidFrameReceived(_ frame: FrameHeader, _ code: Int32) {
    guard !isCondemned else { return }
    pendingFault = guards.receivedInvalidFrame(now: now)
    guard let stream = streams[frame.stream], stream.end == nil else { return }
    let reason =
      switch frame.type {
      case .headers: "The head or the trailers are malformed."
      case .data: "The body does not fit its content-length, or may not be there."
      default: "A frame of the stream is invalid: \(HTTP2Library.text(code))."
      }
    let fault = HTTPFault(kind: .malformed, status: role == .server ? 400 : 502, reason: reason)
    stream.end = .malformed(fault)
    if role == .server, !stream.isKnown {
      note(.refused(stream, fault))
      stream.isSilenced = true
    }
  }

  // MARK: ends

  func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    if readingStream === stream { readingStream = nil }
    // What the owner has not passed on yet does not hold up the other streams any more.
    if stream.unconsumed > 0 { nghttp2_session_consume_connection(library, stream.unconsumed) }
    stream.outgoing.removeAll()
    guard stream.isKnown else { return }
    note(.closed(stream, stream.end ?? Self.end(code, role)))
  }

  private static func end(_ code: HTTP2ErrorCode, _ role: Role) -> HTTP2StreamEnd {
    switch code {
    case .noError: .complete
    // A peer's RST_STREAM was noted before; this is the library's own conclusion from a GOAWAY.
    case .refusedStream where role == .client: .unprocessed
    default:
      .malformed(
        HTTPFault(
          kind: .malformed, status: role == .server ? 400 : 502,
          reason: "The stream broke a rule of HTTP/2 and was reset: \(code)."))
    }
  }
}
