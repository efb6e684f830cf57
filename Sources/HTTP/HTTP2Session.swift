import Bytes
import CNGHTTP2

/// One end of an HTTP/2 connection (RFC 9113), without I/O: bytes of the peer go in by `receive`, bytes for it come out by `flush`,
/// and the delegate is told what they mean.
///
/// Owned by its connection and confined to that one's loop. The owner calls `flush` after whatever it did, as long as `wantsWrite`
/// says so and its own queue takes bytes; ends it with `abandon`, which also lets go of the delegate; and tells the time, in
/// nanoseconds of any clock that does not go back. A stream number that is not open is no mistake anywhere: the call does nothing.
public final class HTTP2Session {
  public enum Role: Sendable {
    case server
    case client
  }

  /// What the library told, until the delegate hears it. Body bytes lie in the buffer that `receive` was given.
  enum Event {
    case request(HTTP2Stream, HTTP2Request)
    case refused(HTTP2Stream, HTTPFault)
    case informational(HTTP2Stream, ResponseHead)
    case response(HTTP2Stream, HTTP2Response)
    case body(HTTP2Stream, UnsafeRawBufferPointer)
    case ended(HTTP2Stream, HeaderList?)
    case drained(HTTP2Stream)
    case closed(HTTP2Stream, HTTP2StreamEnd)
    case goaway(HTTP2ErrorCode, lastStream: Int32)
    case settingsChanged
    case ponged(UInt64)
    case failed(HTTP2Fault)

    var stream: HTTP2Stream? {
      switch self {
      case .request(let stream, _), .refused(let stream, _), .informational(let stream, _), .response(let stream, _),
        .body(let stream, _), .ended(let stream, _), .drained(let stream), .closed(let stream, _):
        stream
      case .goaway, .settingsChanged, .ponged, .failed: nil
      }
    }
  }

  enum Drain {
    case none
    /// The client was told that the end is near; requests that are on their way are still taken.
    case announced
    /// GOAWAY with the last stream is out, or on its way.
    case final
  }

  public let role: Role
  public let settings: HTTP2Settings
  /// Held until `abandon`.
  public var delegate: (any HTTP2SessionDelegate)?

  /// nil once the session is abandoned.
  var library: OpaquePointer?
  var streams: [Int32: HTTP2Stream] = [:]
  var guards: HTTP2Guards
  var reader: HTTP2HeadReader
  /// Of servers only.
  var numbers = HTTP2StreamNumbers()
  /// The stream whose header block is being read.
  var readingStream: HTTP2Stream?
  var fields = HTTP2FieldBlock()
  var drainStage = Drain.none
  var now: UInt64 = 0
  /// Found inside a callback, where nothing can be ended.
  var pendingFault: HTTP2Fault?
  var fault: HTTP2Fault?
  /// The owner has ended the connection.
  var isEnded = false
  public internal(set) var hasPeerSettings = false
  public internal(set) var hasReceivedGoaway = false
  private var events: [Event] = []
  private var isDelivering = false
  private var isReceiving = false

  /// The payload of the PING by which a drain finds out that all requests on their way have arrived.
  static let drainPayload: UInt64 = 0x7069_6E77_6472_6169

  /// A session whose settings are the first thing that `flush` yields.
  public init(role: Role, settings: HTTP2Settings = HTTP2Settings()) throws(HTTP2Fault) {
    self.role = role
    self.settings = settings
    guards = HTTP2Guards(settings, role: role)
    reader = HTTP2HeadReader(settings)
    let context = Unmanaged.passUnretained(self).toOpaque()
    library = HTTP2Library.makeSession(role, settings, context: context)
    guard library != nil, submitSettings() else { throw .noMemory }
  }

  deinit {
    if let library { nghttp2_session_del(library) }
  }

  /// The session behind the pointer that the library hands to callbacks. It lives: only its own methods call the library.
  static func of(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
    context.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
  }

  private func submitSettings() -> Bool {
    var entries = [
      Self.entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.streamWindow),
      Self.entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.headByteCount),
    ]
    switch role {
    case .client: entries.append(Self.entry(NGHTTP2_SETTINGS_ENABLE_PUSH, 0))
    case .server:
      entries.append(Self.entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.streamCount))
      // Streams take turns; what a client thinks of their order would have to be passed on to mean something.
      entries.append(Self.entry(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1))
      if settings.offersConnectProtocol { entries.append(Self.entry(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1)) }
    }
    let flags = UInt8(truncatingIfNeeded: NGHTTP2_FLAG_NONE.rawValue)
    guard nghttp2_submit_settings(library, flags, entries, entries.count) == 0 else { return false }
    let window = Int32(clamping: settings.connectionWindow)
    return nghttp2_session_set_local_window_size(library, flags, 0, window) == 0
  }

  private static func entry(_ identifier: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
    nghttp2_settings_entry(
      settings_id: Int32(truncatingIfNeeded: identifier.rawValue), value: UInt32(clamping: min(value, 0x7FFF_FFFF)))
  }

  // MARK: bytes

  /// Takes bytes of the peer, and tells the delegate what they mean before it returns. They must stay where they are until then. All
  /// are taken; after a failure they are ignored.
  public func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64) {
    // The delegate must not do this: bytes of bodies that wait to be told would be gone when they are.
    assert(!isReceiving && !isDelivering, "receive was called by the delegate")
    guard !isReceiving, !isDelivering else { return }
    isReceiving = true
    self.now = now
    var rest = bytes[...]
    // In slices, so that few events wait.
    while let library, fault == nil, !rest.isEmpty {
      let slice = UnsafeRawBufferPointer(rebasing: rest.prefix(16 << 10))
      let taken = nghttp2_session_mem_recv(library, slice.bindMemory(to: UInt8.self).baseAddress, slice.count)
      rest = rest.dropFirst(slice.count)
      if let pendingFault {
        fail(pendingFault)
      } else if taken < 0 {
        fail(Self.fault(Int32(truncatingIfNeeded: taken)))
      }
      deliver()
    }
    isReceiving = false
  }

  /// Takes all bytes of `queue`, as `receive`. Nobody else may take bytes off it until this returns.
  public func receive(from queue: ByteQueue, now: UInt64) {
    let bytes = queue.bytes
    receive(bytes, now: now)
    queue.consume(bytes.count)
  }

  /// Appends what is to be sent to `queue`, until it holds `limit` bytes or nothing is left; the last frame may go beyond by its
  /// 16 KiB. Tells the delegate what came of it.
  public func flush(into queue: ByteQueue, limit: Int, now: UInt64) {
    self.now = now
    while let library, queue.count < limit {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(library, &bytes)
      guard count > 0 else {
        if count < 0 { fail(Self.fault(Int32(truncatingIfNeeded: count))) }
        break
      }
      queue.append(UnsafeRawBufferPointer(start: bytes, count: count))
    }
    if let pendingFault { fail(pendingFault) }
    deliver()
  }

  private static func fault(_ code: Int32) -> HTTP2Fault {
    switch code {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
      HTTP2Fault(kind: .violation, code: .protocolError, reason: "The client does not begin as HTTP/2 begins.")
    case NGHTTP2_ERR_NOMEM.rawValue: .noMemory
    case NGHTTP2_ERR_FLOODED.rawValue: .flood("The peer makes answers necessary and does not read them.")
    case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue:
      .flood("The peer cut a header block into too many CONTINUATION frames.")
    default: HTTP2Fault(kind: .library, code: .internalError, reason: "The library failed: \(HTTP2Library.text(code)).")
    }
  }

  // MARK: the end

  /// Ends the connection: the peer gets a GOAWAY with `code` by the next `flush`, then nothing more. Streams that are open are closed as
  /// lost; to let them finish, use `drain`.
  public func close(_ code: HTTP2ErrorCode) {
    guard fault == nil, !isEnded, let library else { return }
    isEnded = true
    nghttp2_session_terminate_session(library, code.rawValue)
    loseStreams(nil)
    deliver()
  }

  /// Forgets everything. Streams that are open are closed as lost. The delegate is let go.
  public func abandon() {
    guard let library else { return }
    loseStreams(fault)
    nghttp2_session_del(library)
    self.library = nil
    readingStream = nil
    deliver()
    if !isDelivering { delegate = nil }
  }

  private func fail(_ fault: HTTP2Fault) {
    pendingFault = nil
    guard self.fault == nil, let library else { return }
    self.fault = fault
    nghttp2_session_terminate_session(library, fault.code.rawValue)
    loseStreams(fault)
    events.append(.failed(fault))
  }

  private func loseStreams(_ fault: HTTP2Fault?) {
    let lost = streams.values.sorted { $0.id < $1.id }
    streams.removeAll()
    for stream in lost where stream.isKnown && !stream.isSilenced {
      note(.closed(stream, .connectionLost(fault)))
    }
  }

  // MARK: telling the delegate

  func note(_ event: Event) {
    events.append(event)
  }

  /// The stream of that number, be it closed already, if the delegate has yet to hear so.
  func mentionable(_ id: Int32) -> HTTP2Stream? {
    streams[id] ?? events.lazy.compactMap(\.stream).last { $0.id == id }
  }

  /// Tells the delegate everything that was noted. What it does may note more; that is told by the outermost call.
  func deliver() {
    guard !isDelivering, !events.isEmpty else { return }
    isDelivering = true
    var index = 0
    while index < events.count {
      let event = events[index]
      index += 1
      deliver(event)
    }
    events.removeAll(keepingCapacity: true)
    isDelivering = false
    if library == nil { delegate = nil }
  }

  private func deliver(_ event: Event) {
    guard let delegate else { return }
    if library == nil {
      // The owner has ended it all from within another event: what it still waits for are the ends of its streams.
      if case .closed(let stream, let end) = event, !stream.isSilenced {
        delegate.http2(self, stream: stream.id, closed: end)
      }
      return
    }
    switch event {
    case .request(let stream, let request):
      if !stream.isSilenced { delegate.http2(self, stream: stream.id, request: request) }
    case .refused(let stream, let fault):
      delegate.http2(self, stream: stream.id, refused: fault)
    case .informational(let stream, let head):
      if !stream.isSilenced { delegate.http2(self, stream: stream.id, informational: head) }
    case .response(let stream, let response):
      if !stream.isSilenced { delegate.http2(self, stream: stream.id, response: response) }
    case .body(let stream, let bytes):
      if stream.isSilenced || stream.discardsBody {
        consume(bytes.count, on: stream.id)
      } else {
        delegate.http2(self, stream: stream.id, body: bytes)
      }
    case .ended(let stream, let trailers):
      if !stream.isSilenced { delegate.http2(self, stream: stream.id, ended: trailers) }
    case .drained(let stream):
      if !stream.isSilenced, streams[stream.id] === stream { delegate.http2(self, drained: stream.id) }
    case .closed(let stream, let end):
      if !stream.isSilenced { delegate.http2(self, stream: stream.id, closed: end) }
    case .goaway(let code, let lastStream): delegate.http2(self, goaway: code, lastStream: lastStream)
    case .settingsChanged: delegate.http2SettingsChanged(self)
    case .ponged(let payload): delegate.http2(self, ponged: payload)
    case .failed(let fault): delegate.http2(self, failed: fault)
    }
  }
}
