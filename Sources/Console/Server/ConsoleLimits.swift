import HTTP

/// What the console takes at most. It serves a few people and probes; whatever comes beyond is refused.
enum ConsoleLimits {
  /// Connections that are served; more are answered 503.
  static let connections = 64
  /// Connections that are open at all, those that are being told 503 included; more are closed.
  static let openConnections = 128
  /// Clients that watch events.
  static let watchers = 16
  static let bodyByteCount = 1 << 20
  /// What waits of later requests while one is answered.
  static let receivedByteCount = 64 << 10
  /// Above it a connection is given no more to send, below the low mark it is again.
  static let highMark = 256 << 10
  static let lowMark = 64 << 10
  /// A head, from its first byte.
  static let headTime = Duration.seconds(10)
  /// A body, from the end of its head.
  static let bodyTime = Duration.seconds(30)
  /// Between two requests, and before the first.
  static let idleTime = Duration.seconds(60)
  /// A client that takes nothing of what waits for it.
  static let stallTime = Duration.seconds(30)
  /// What a client still sends is thrown away for so long after an answer that ends the connection.
  static let lingerTime = Duration.seconds(2)
  /// Comments keep proxies and browsers from giving a quiet stream of events up.
  static let heartbeat = Duration.seconds(15)

  static let http = HTTP1Limits(headByteCount: 32 << 10, fieldCount: 128)
}
