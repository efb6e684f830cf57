import Bytes
import CNGHTTP2

/// What is sent on streams.
extension HTTP2Session {
  // MARK: heads

  /// Opens a stream with a request, and answers its number. `canOpenStream` says whether this makes sense; the peer's limit of streams
  /// makes the request wait otherwise.
  ///
  /// Fields that end at this hop are left out, and Host is not sent: it is in `authority`. Without a body (`none`, or a length of 0)
  /// the stream ends with the head; else `write` and `end` follow.
  ///
  /// - Parameters:
  ///   - target: what to send as `:path` in place of the head's own target.
  ///   - connectProtocol: `:protocol` of an extended CONNECT, whose method is CONNECT whatever the head says; the stream stays open
  ///     then, whatever `framing` says. The keys of the HTTP/1.1 handshake of a WebSocket are left out.
  ///   - via: a whole member, added as a field of its own.
  ///   - dropping: names that are not passed on, whatever they mean.
  public func submitRequest(
    _ head: RequestHead, target: ArraySlice<UInt8>? = nil, scheme: String, authority: String,
    connectProtocol: String? = nil, framing: BodyFraming, via: String?, dropping: FieldNameSet = FieldNameSet()
  ) throws(HTTP2Fault) -> Int32 {
    guard role == .client, let library, fault == nil, nghttp2_session_check_request_allowed(library) != 0 else {
      throw .unavailable("The connection takes no new streams.")
    }
    guard connectProtocol == nil || allowsConnectProtocol else {
      throw .unavailable("The server does not offer the extended CONNECT (RFC 8441).")
    }
    let target = target ?? head.target
    guard Self.isPlain(authority.utf8), Self.isPlain(scheme.utf8), Self.isPlain(target) else {
      throw .unwritable("The target of the request holds a byte that no target has.")
    }
    let isTunnel = connectProtocol != nil || head.method == .connect
    fields.removeAll()
    fields.append(":method", isTunnel ? "CONNECT" : head.method.description)
    if let connectProtocol { fields.append(":protocol", connectProtocol) }
    if head.method != .connect || connectProtocol != nil {
      fields.append(":scheme", scheme)
      fields.append(":path", target)
    }
    fields.append(":authority", authority)
    fields.append(
      head.fields,
      HTTP2FieldBlock.Passing(
        framing: isTunnel ? .none : framing, via: via, dropping: dropping, isTunnel: isTunnel, passesTE: true))
    let hasBody = isTunnel || framing != .none && framing != .length(0)
    let id = fields.withVectors { vectors, count in
      withProvider(hasBody) { nghttp2_submit_request(library, nil, vectors, count, $0, nil) }
    }
    guard id > 0 else { throw .unavailable("No stream could be opened: \(HTTP2Library.text(id)).") }
    let stream = HTTP2Stream(id: id)
    stream.isKnown = true
    stream.hasHead = true
    stream.isEnding = !hasBody
    stream.method = isTunnel ? .connect : head.method
    streams[id] = stream
    return id
  }

  /// Sends an interim response, other than 101.
  public func inform(_ head: ResponseHead, via: String?, on id: Int32) {
    guard role == .server, let stream = streams[id], !stream.hasHead,
      (102...199).contains(head.status) || head.status == 100
    else { return }
    fields.removeAll()
    fields.append(":status", String(head.status))
    fields.append(head.fields, HTTP2FieldBlock.Passing(framing: .none, via: via))
    _ = fields.withVectors { vectors, count in
      nghttp2_submit_headers(library, 0, id, nil, vectors, count, nil)
    }
  }

  /// Sends the final head, once a stream; again, or with a status that cannot be final in HTTP/2, it does nothing and answers false.
  ///
  /// Fields that end at this hop are left out. With the framing `none` or a length of 0, and where there can be no body (HEAD, 204,
  /// 304), the stream ends with the head, but after CONNECT with a status below 300; else `write` and `end` follow. A Content-Length
  /// stays with `none` (HEAD, 304), as in HTTP/1.1.
  @discardableResult
  public func respond(_ head: ResponseHead, framing: BodyFraming, via: String?, on id: Int32) -> Bool {
    guard role == .server, let stream = streams[id], !stream.hasHead, (200...999).contains(head.status) else {
      return false
    }
    let isTunnel = stream.method == .connect && head.status < 300
    stream.hasHead = true
    fields.removeAll()
    fields.append(":status", String(head.status))
    fields.append(
      head.fields,
      HTTP2FieldBlock.Passing(
        framing: isTunnel || head.status == 204 ? .none : framing, keepsLength: head.status != 204 && !isTunnel,
        via: via, isTunnel: isTunnel)
    )
    let hasBody = isTunnel || framing != .none && framing != .length(0) && !Self.forbidsBody(head, to: stream.method)
    stream.isEnding = !hasBody
    // All streams take turns, whatever the client thinks of their order.
    var turns = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
    nghttp2_session_change_extpri_stream_priority(library, id, &turns, 1)
    let code = fields.withVectors { vectors, count in
      withProvider(hasBody) { nghttp2_submit_response(library, id, vectors, count, $0) }
    }
    if code != 0 { breakOff(stream, code) }
    return code == 0
  }

  /// Calls `body` with the fields of the head that was sent last, as they were sent.
  public func forEachSentField(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    fields.forEach(body)
  }

  /// RFC 9110, section 6.4.1.
  private static func forbidsBody(_ head: ResponseHead, to method: HTTPMethod) -> Bool {
    method == .head || head.status == 204 || head.status == 304
  }

  private static func isPlain(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy(ByteClass.isVisible)
  }

  /// Calls `body` with the provider of a body, or with none. The library copies it.
  private func withProvider<Result>(
    _ hasBody: Bool, _ body: (UnsafePointer<nghttp2_data_provider>?) -> Result
  ) -> Result {
    guard hasBody else { return body(nil) }
    var provider = nghttp2_data_provider()
    provider.read_callback = { _, id, room, count, flags, _, context in
      guard let session = HTTP2Session.of(context), let flags else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
      }
      return session.fill(UnsafeMutableRawBufferPointer(start: room, count: count), id, &flags.pointee)
    }
    return body(&provider)
  }

  // MARK: bodies

  /// Appends bytes to the body, or the tunnel, of a stream whose head was sent. They wait for the peer's windows; how many may is the
  /// caller's care (`isCongested`).
  public func write(_ bytes: UnsafeRawBufferPointer, on id: Int32) {
    guard let stream = streams[id], stream.hasHead, !stream.isEnding, !bytes.isEmpty else { return }
    stream.outgoing.append(bytes)
    if stream.outgoing.count >= settings.streamHighMark { stream.isCongested = true }
    resume(stream)
  }

  /// Ends the body. Trailers that mean nothing there are left out.
  public func end(_ id: Int32, trailers: HeaderList? = nil) {
    guard let stream = streams[id], stream.hasHead, !stream.isEnding else { return }
    stream.isEnding = true
    if let trailers {
      let block = HTTP2FieldBlock(trailers: trailers)
      stream.trailers = block.isEmpty ? nil : block
    }
    resume(stream)
  }

  /// Whether so many bytes wait on the stream that no more should be written; the delegate hears when that is over.
  public func isCongested(_ id: Int32) -> Bool {
    streams[id]?.isCongested ?? false
  }

  /// Bytes that wait on the stream for the peer's windows.
  public func waitingByteCount(_ id: Int32) -> Int {
    streams[id]?.outgoing.count ?? 0
  }

  private func resume(_ stream: HTTP2Stream) {
    guard stream.isDeferred else { return }
    stream.isDeferred = false
    nghttp2_session_resume_data(library, stream.id)
  }

  /// Fills a DATA frame for the library: how many bytes, or that there are none now.
  private func fill(_ room: UnsafeMutableRawBufferPointer, _ id: Int32, _ flags: inout UInt32) -> Int {
    guard let stream = streams[id] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
    let waiting = stream.outgoing.count
    guard waiting > 0 || stream.isEnding else {
      stream.isDeferred = true
      stream.outgoing.releaseIfEmpty()
      return Int(NGHTTP2_ERR_DEFERRED.rawValue)
    }
    let count = min(waiting, room.count)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: stream.outgoing.bytes.prefix(count)))
    stream.outgoing.consume(count)
    if count < waiting, count < 128, pendingFault == nil { pendingFault = guards.sentCrumb(now: now) }
    if stream.isCongested, stream.outgoing.count <= settings.streamHighMark / 2 {
      stream.isCongested = false
      note(.drained(stream))
    }
    if count == waiting, stream.isEnding { finish(stream, &flags) }
    return count
  }

  /// The last bytes of a body are in their frame.
  private func finish(_ stream: HTTP2Stream, _ flags: inout UInt32) {
    flags |= NGHTTP2_DATA_FLAG_EOF.rawValue
    guard var trailers = stream.trailers else { return }
    stream.trailers = nil
    let code = trailers.withVectors { nghttp2_submit_trailer(library, stream.id, $0, $1) }
    if code == 0 { flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue }
  }

  // MARK: flow control and ends of streams

  /// So many bytes of the stream's body went on: the peer may send as many more. What is not given back when a stream is closed no
  /// longer counts.
  public func consume(_ count: Int, on id: Int32) {
    guard let stream = streams[id], let library else { return }
    let count = min(count, stream.unconsumed)
    guard count > 0 else { return }
    stream.unconsumed -= count
    nghttp2_session_consume(library, id, count)
  }

  /// Ends a stream at once, in both directions. What waits on it is not sent.
  public func reset(_ id: Int32, _ code: HTTP2ErrorCode) {
    guard let stream = mentionable(id), let library else { return }
    stream.isSilenced = true
    guard streams[id] === stream else { return }
    stream.outgoing.removeAll()
    consume(stream.unconsumed, on: id)
    nghttp2_submit_rst_stream(library, 0, id, code.rawValue)
  }

  /// The rest of a request is of no interest: what arrives of it is thrown away, and once the response is out the client is told to
  /// stop (RFC 9113, section 8.1). The delegate hears no body of it any more.
  public func discardRequest(_ id: Int32) {
    guard role == .server, let stream = mentionable(id) else { return }
    stream.discardsBody = true
    guard streams[id] === stream else { return }
    consume(stream.unconsumed, on: id)
    if stream.hasEnded { stopRequest(stream) }
  }

  private func stopRequest(_ stream: HTTP2Stream) {
    guard !stream.hasPeerEnded, !stream.isSilenced else { return }
    nghttp2_submit_rst_stream(library, 0, stream.id, HTTP2ErrorCode.noError.rawValue)
  }

  func frameSent(_ frame: nghttp2_frame) {
    let header = FrameHeader(frame.hd)
    switch header.type {
    case .data, .headers:
      guards.sentMessageFrame()
      guard header.endsStream, let stream = streams[header.stream] else { break }
      stream.hasEnded = true
      if stream.discardsBody { stopRequest(stream) }
    case .goaway where fault == nil && frame.goaway.error_code != 0 && !isEnded:
      pendingFault = Self.fault(of: frame.goaway)
    default: break
    }
  }

  /// Why the library ended the connection: its GOAWAY says so.
  private static func fault(of frame: nghttp2_goaway) -> HTTP2Fault {
    let code = HTTP2ErrorCode(rawValue: frame.error_code)
    let text = String(
      decoding: UnsafeRawBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len), as: UTF8.self)
    return HTTP2Fault(
      kind: code == .enhanceYourCalm ? .flood : .violation, code: code,
      reason: "The peer broke a rule of HTTP/2 (\(text.isEmpty ? code.description : text)).")
  }

  func frameNotSent(_ frame: FrameHeader, _ code: Int32) {
    guard frame.type == .headers, let stream = streams[frame.stream], stream.end == nil, !stream.isSilenced else {
      return
    }
    switch code {
    case NGHTTP2_ERR_START_STREAM_NOT_ALLOWED.rawValue, NGHTTP2_ERR_SESSION_CLOSING.rawValue: stream.end = .unprocessed
    case NGHTTP2_ERR_STREAM_CLOSED.rawValue, NGHTTP2_ERR_STREAM_CLOSING.rawValue, NGHTTP2_ERR_STREAM_SHUT_WR.rawValue:
      break
    default: breakOff(stream, code)
    }
  }

  /// This end cannot go on with a stream.
  private func breakOff(_ stream: HTTP2Stream, _ code: Int32) {
    stream.end = .malformed(
      HTTPFault(kind: .tooLarge, status: 502, reason: "The message could not be sent: \(HTTP2Library.text(code))."))
    nghttp2_submit_rst_stream(library, 0, stream.id, HTTP2ErrorCode.internalError.rawValue)
  }
}
