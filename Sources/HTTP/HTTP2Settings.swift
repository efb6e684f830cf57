/// What one end of an HTTP/2 connection offers, and what it bears.
///
/// The limits with "in 10 seconds" are rates; going beyond one ends the connection with ENHANCE_YOUR_CALM.
public struct HTTP2Settings: Sendable, Equatable {
  /// Streams that the peer may have open at the same time; only a server says so.
  public var streamCount = 128
  /// RST_STREAM frames of a client, and malformed frames that made this end send one, in 10 seconds.
  public var resetCount = 200
  /// SETTINGS frames in 10 seconds.
  public var settingsCount = 100
  /// PING frames in 10 seconds, not counting one for each message frame that passed: some clients measure the path with each.
  public var pingCount = 100
  /// Frames without effect in 10 seconds: DATA without bytes, priorities, windows that open for nothing. Ten times as
  /// many DATA frames may be cut below 128 bytes by a small window.
  public var emptyFrameCount = 1_000
  /// Interim responses on one stream.
  public var informationalCount = 100
  /// CONTINUATION frames of one header block.
  public var continuationCount = 8
  /// Bytes of a header list, with 32 for each field as RFC 9113, section 6.5.2, counts them.
  public var headByteCount = 64 << 10
  /// Fields of a head or a trailer section.
  public var fieldCount = 1_000
  /// Bytes that a peer may send on a stream before any of them was consumed.
  public var streamWindow = 256 << 10
  /// The same for the connection. Not below `streamCount` windows of a stream, or streams that wait would stop the others.
  public var connectionWindow = 32 << 20
  /// Bytes to be sent that may wait on a stream until `HTTP2Session.isCongested` says so; at half of it the delegate is told.
  public var streamHighMark = 128 << 10
  /// Whether a server offers the extended CONNECT of RFC 8441, for WebSocket.
  public var offersConnectProtocol = true

  public init() {}
}
