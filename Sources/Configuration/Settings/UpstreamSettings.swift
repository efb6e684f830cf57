import Policy
import TLS

/// `upstream`: the way to origins.
public struct UpstreamSettings: Sendable {
  /// Where to connect in place of an origin; name, SNI and verification stay.
  public internal(set) var resolve = Redirections()
  /// Trust anchors in place of the system's; nil: the system's.
  public internal(set) var anchors: [Certificate]?
  /// Another proxy on the way; nil: none.
  public internal(set) var proxy: UpstreamProxy?
  /// Destinations that are reached without it.
  public internal(set) var noProxy = ProxyExemptions()
  /// Whether requests get a Via field.
  public internal(set) var via = true
  public internal(set) var http2 = true
  /// For name, TCP and TLS together.
  public internal(set) var connectTimeout = Duration.seconds(10)
  /// Of an unused pooled connection.
  public internal(set) var idleTimeout = Duration.seconds(60)
}
