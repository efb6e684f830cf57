/// The scheme of a target.
public enum Scheme: String, Sendable, Hashable, CaseIterable {
  case http, https, ws, wss

  /// The scheme with this name, whatever its case (RFC 3986, section 3.1).
  public init?(name: some StringProtocol) {
    switch name.utf8.count {
    case 2...5:
      guard let known = Self(rawValue: name.lowercased()) else { return nil }
      self = known
    default: return nil
    }
  }

  /// Whether TLS protects it.
  public var isSecure: Bool {
    switch self {
    case .https, .wss: true
    case .http, .ws: false
    }
  }

  /// The port that a URL without one means.
  public var defaultPort: UInt16 { isSecure ? 443 : 80 }
}
