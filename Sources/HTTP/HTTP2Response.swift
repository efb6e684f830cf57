/// A final response that came over HTTP/2, in the terms of HTTP/1.1.
public struct HTTP2Response: Sendable, Equatable {
  public var head: ResponseHead
  /// `none` if there cannot be a body; `chunked` if its length is unknown; `untilClose` for the bytes behind a successful CONNECT.
  public var framing: BodyFraming
  /// Whether the stream ended with the head.
  public var isComplete: Bool
}
