/// How a stream ended.
public enum HTTP2StreamEnd: Sendable, Equatable {
  /// Both messages went to their ends.
  case complete
  /// The peer reset it. `refusedStream` means that nothing was done for the request.
  case reset(HTTP2ErrorCode)
  /// The request was not processed by the peer, which has said so by GOAWAY, or was never sent: it may be sent elsewhere.
  case unprocessed
  /// The peer broke a rule of that stream alone, and it was reset.
  case malformed(HTTPFault)
  /// The connection ended before it; nil if no fault is known.
  case connectionLost(HTTP2Fault?)
}
