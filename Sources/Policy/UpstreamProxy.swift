import Names

/// A proxy through which origins are reached. It resolves their names itself.
public struct UpstreamProxy: Sendable, Hashable {
  /// How it is spoken to.
  public enum Kind: String, Sendable, Hashable {
    /// HTTP/1.1: CONNECT, and absolute targets for plain HTTP (RFC 9112, section 3.2.2).
    case http
    /// The same inside TLS.
    case https
    /// SOCKS 5 (RFC 1928), names included.
    case socks5

    /// The port that a URL without one means.
    public var defaultPort: UInt16 {
      switch self {
      case .http: 80
      case .https: 443
      case .socks5: 1080
      }
    }
  }

  public let kind: Kind
  public let address: HostPort
  /// nil: it asks for no credentials.
  public let user: String?
  public let password: String?

  public init(kind: Kind, address: HostPort, user: String? = nil, password: String? = nil) {
    self.kind = kind
    self.address = address
    self.user = user
    self.password = password
  }
}

extension UpstreamProxy: CustomStringConvertible {
  /// `http://corp:3128`; credentials are never shown.
  public var description: String { "\(kind.rawValue)://\(address)" }
}

extension UpstreamProxy: CustomReflectable {
  /// Credentials stay out of dumps too.
  public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
