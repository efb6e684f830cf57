/// A request that came over HTTP/2, in the terms of HTTP/1.1.
///
/// Whatever it holds can be written by `HTTP1Encoder`: `:authority` stands in front of the fields as `host`, cookies are one field
/// (RFC 9113, section 8.2.3), connection-specific fields are not there.
public struct HTTP2Request: Sendable, Equatable {
  /// The target is `:path`, or `:authority` for a CONNECT without `connectProtocol`.
  public var head: RequestHead
  /// `none` if the stream ended with the head and no length was given; `chunked` if there is a body of unknown length. `none` for
  /// CONNECT too, whose stream carries no body but the tunnel's bytes.
  public var framing: BodyFraming
  /// As sent; empty for a CONNECT without `connectProtocol`.
  public var scheme: String
  /// Host and optional port, as sent.
  public var authority: String
  /// `:protocol` of an extended CONNECT, such as "websocket" (RFC 8441).
  public var connectProtocol: String?
  /// Whether the stream ended with the head.
  public var isComplete: Bool
}
