import Names
import Policy

/// How clients find their way to a listener.
public enum ListenerMode: Sendable, Hashable {
  /// Clients are configured to use a proxy.
  case explicit
  /// Redirected TCP; the name comes from SNI or Host.
  case transparent
  /// For clients that cannot use a proxy: every request goes to this origin.
  case reverse(WebOrigin)
  case socks5
}

/// One entry of `listeners`.
public struct ListenerSettings: Sendable, Hashable {
  public let address: ListenAddress
  /// The permissions of a Unix socket's file; nil: what the process's umask leaves.
  public let socketMode: UInt32?
  public let mode: ListenerMode
  /// The lane of its clients, unless their address or user name them another.
  public internal(set) var lane: String
  /// The ATS context of its requests; nil: judged from the request (`auto`).
  public let context: Context?
  /// The names of the certificate with which devices speak TLS to the proxy itself; nil: they speak plain text.
  public let tlsNames: [Host]?
  /// The balancers whose PROXY headers are believed, beside those on a Unix socket; nil: the PROXY protocol is not spoken.
  public let proxyProtocol: [CIDR]?

  public init(
    address: ListenAddress, mode: ListenerMode = .explicit, lane: String = Lane.defaultName, context: Context? = nil,
    tlsNames: [Host]? = nil, proxyProtocol: [CIDR]? = nil, socketMode: UInt32? = nil
  ) {
    self.address = address
    self.mode = mode
    self.lane = lane
    self.context = context
    self.tlsNames = tlsNames
    self.proxyProtocol = proxyProtocol
    self.socketMode = socketMode
  }
}
