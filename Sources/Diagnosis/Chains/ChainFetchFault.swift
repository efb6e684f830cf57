import EventLoop
import Names
import TLS

/// Why a server's certificates could not be had.
public enum ChainFetchFault: Error, Sendable, Equatable {
  case notFound(ResolveFault)
  case unreachable(DialFault)
  /// TLS ended before there was a certificate.
  case handshake(TLSFailure)
  case timeout
  /// The connection broke before there was a certificate.
  case closed
  /// The process has no descriptors or no memory left.
  case system(String)

  /// A clause.
  public var reason: String {
    switch self {
    case .notFound(.notFound): "DNS has no address for it"
    case .notFound(.timeout): "no DNS server answered in time"
    case .notFound(.failed(let reason)): "DNS failed: \(reason)"
    case .unreachable(.refused): "the connection was refused: nothing listens there, or a firewall says no"
    case .unreachable(.unreachable): "there is no route to it"
    case .unreachable(.timeout), .timeout: "it did not answer in time"
    case .unreachable(.failed(let error)): "\(error)"
    case .handshake(let failure): "the TLS handshake failed: \(failure)"
    case .closed: "it closed the connection before it had shown a certificate"
    case .system(let reason): reason
    }
  }
}
