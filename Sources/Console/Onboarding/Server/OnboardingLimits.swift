import HTTP

/// What the site's own listener takes at most. A handful of devices is set up at a time.
enum OnboardingLimits {
  /// Connections that are open, in all and of one client; more are closed.
  static let connections = 128
  static let connectionsOfClient = 16
  /// Requests of one client; more are answered 429.
  static let requestsPerSecond = 20
  static let requestBurst = 120
  /// Clients whose requests are counted, and strangers who are remembered.
  static let clients = 1_024
  /// Above it nothing more is answered before the client has taken something.
  static let highMark = 256 << 10
  static let receivedByteCount = 32 << 10
  /// A head, from its first byte.
  static let headTime = Duration.seconds(10)
  static let idleTime = Duration.seconds(30)
  /// A client that takes nothing of what waits for it.
  static let stallTime = Duration.seconds(15)
  static let lingerTime = Duration.seconds(2)

  static let http = HTTP1Limits(headByteCount: 16 << 10, fieldCount: 100)
}
