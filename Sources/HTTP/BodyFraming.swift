/// How the end of a body is found on an HTTP/1 connection (RFC 9112 6.3).
public enum BodyFraming: Sendable, Equatable {
  /// There is no body, whatever the fields say.
  case none
  /// `Content-Length`: so many bytes.
  case length(UInt64)
  /// `Transfer-Encoding: chunked`.
  case chunked
  /// The body ends with the connection; only in responses.
  case untilClose
}
