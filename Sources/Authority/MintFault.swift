/// Why there is no leaf for a host.
public enum MintFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name is no host name that a certificate may carry.
  case nameNotAllowed(String)
  /// The authority's own certificate has expired, so no leaf of it would be valid.
  case authorityExpired
  /// Too much work is waiting already.
  case busy
  /// OpenSSL could not make it; its words.
  case failed(String)

  public var description: String {
    switch self {
    case .nameNotAllowed(let name): "no certificate can be made for the name \"\(name)\""
    case .authorityExpired: "the local authority's certificate has expired (pinwarden authority rotate makes a new one)"
    case .busy: "too many certificates are being made already"
    case .failed(let reason): "no certificate could be made: \(reason)"
    }
  }
}
