/// What an HTTP/2 session tells its owner.
///
/// All methods are called from within `receive`, `flush` or `abandon`, never from within the library's callbacks: they may call any
/// method of the session but `receive`. Streams of which the owner has not heard by `request` or `submitRequest` are never
/// mentioned, but for `refused`. After `closed`, or after the owner's own `reset`, a stream is not mentioned again.
public protocol HTTP2SessionDelegate: AnyObject {
  /// A client asks. Only of servers.
  func http2(_ session: HTTP2Session, stream: Int32, request: HTTP2Request)
  /// A client's head was not accepted. One that was too large (431) may be answered with `respond`, and must be answered or reset; any
  /// other has been reset already. Only of servers.
  func http2(_ session: HTTP2Session, stream: Int32, refused fault: HTTPFault)
  /// An interim response. Only of clients.
  func http2(_ session: HTTP2Session, stream: Int32, informational head: ResponseHead)
  /// The final response. Only of clients.
  func http2(_ session: HTTP2Session, stream: Int32, response: HTTP2Response)
  /// Bytes of a body, or of a tunnel; never none. They are valid during the call, and are to be given back by `consume` when they have
  /// gone on.
  func http2(_ session: HTTP2Session, stream: Int32, body: UnsafeRawBufferPointer)
  /// The peer's message is complete.
  func http2(_ session: HTTP2Session, stream: Int32, ended trailers: HeaderList?)
  /// A congested stream takes bytes again.
  func http2(_ session: HTTP2Session, drained stream: Int32)
  /// The stream is over; the last word about it.
  func http2(_ session: HTTP2Session, stream: Int32, closed end: HTTP2StreamEnd)
  /// The peer will not process streams above `lastStream`; those that there were are closed as unprocessed.
  func http2(_ session: HTTP2Session, goaway code: HTTP2ErrorCode, lastStream: Int32)
  /// The peer's settings came or changed: windows, stream counts.
  func http2SettingsChanged(_ session: HTTP2Session)
  /// The peer answered a `ping`.
  func http2(_ session: HTTP2Session, ponged payload: UInt64)
  /// The connection cannot go on. What `flush` still yields should be sent, then the connection closed. All streams are closed first.
  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault)
}

extension HTTP2SessionDelegate {
  public func http2(_ session: HTTP2Session, stream: Int32, request: HTTP2Request) {}
  public func http2(_ session: HTTP2Session, stream: Int32, refused fault: HTTPFault) {}
  public func http2(_ session: HTTP2Session, stream: Int32, informational head: ResponseHead) {}
  public func http2(_ session: HTTP2Session, stream: Int32, response: HTTP2Response) {}
  public func http2(_ session: HTTP2Session, goaway code: HTTP2ErrorCode, lastStream: Int32) {}
  public func http2SettingsChanged(_ session: HTTP2Session) {}
  public func http2(_ session: HTTP2Session, ponged payload: UInt64) {}
}
