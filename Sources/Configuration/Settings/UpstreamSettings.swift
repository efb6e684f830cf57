import Names
import TLS

/// `upstream`: the way to origins.
public struct UpstreamSettings: Sendable {
  /// Where to connect in place of an origin; name, SNI and verification stay.
  public internal(set) var resolve: [HostPort: HostPort] = [:]
  /// Trust anchors in place of the system's; nil: the system's.
  public internal(set) var anchors: [Certificate]?
  /// Another proxy on the way; nil: none.
  public internal(set) var proxy: UpstreamProxy?
  /// Destinations that are reached without it.
  public internal(set) var noProxy: [ProxyExemption] = []
  /// Whether requests get a Via field.
  public internal(set) var via = true
  public internal(set) var http2 = true
  /// For name, TCP and TLS together.
  public internal(set) var connectTimeout = Duration.seconds(10)
  /// Of an unused pooled connection.
  public internal(set) var idleTimeout = Duration.seconds(60)
}

/// A proxy through which origins are reached.
public struct UpstreamProxy: Sendable, Hashable {
  /// `http` or `https`: how the proxy itself is spoken to.
  public let scheme: Scheme
  public let address: HostPort
  public let user: String?
  public let password: String?
}

/// What `upstream.noProxy` names.
public enum ProxyExemption: Sendable, Hashable {
  case pattern(HostPattern)
  case network(CIDR)
}
