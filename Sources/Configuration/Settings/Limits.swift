/// `limits`: what clients may cost.
public struct Limits: Sendable {
  /// Client connections at the same time.
  public internal(set) var connections = 10_000
  /// Bytes of a message head.
  public internal(set) var head = 64 << 10
  /// For a whole request head.
  public internal(set) var headTimeout = Duration.seconds(10)
  /// From the last request byte sent to the first response byte.
  public internal(set) var requestTimeout = Duration.seconds(60)
  /// For what runs when the daemon is told to end.
  public internal(set) var drain = Duration.seconds(10)
  /// Of an idle client connection.
  public internal(set) var keepAlive = Duration.seconds(75)
  /// Of a tunnel without a byte.
  public internal(set) var tunnelIdle = Duration.seconds(600)
  /// Of a WebSocket without a byte.
  public internal(set) var webSocketIdle = Duration.seconds(600)
  public internal(set) var http2 = HTTP2Limits()
}

/// `limits.http2`: for each connection, and within 10 seconds where it is a rate.
public struct HTTP2Limits: Sendable {
  /// Streams at the same time.
  public internal(set) var streams = 128
  public internal(set) var resets = 200
  public internal(set) var settings = 100
  public internal(set) var pings = 100
  public internal(set) var emptyFrames = 1000
  /// CONTINUATION frames of one header block.
  public internal(set) var continuations = 8
}
