import Glibc

/// Why no address could be connected to: of all attempts' reasons the most telling one.
public enum DialFault: Error, Equatable, Sendable {
  /// A host answered that nobody listens there.
  case refused(SystemError)
  /// No way to the host, or no address of that family here.
  case unreachable(SystemError)
  /// The kernel gave up waiting for an answer.
  case timeout
  /// Anything else, such as a lack of descriptors or permission.
  case failed(SystemError)

  init(_ error: SystemError) {
    switch error.code {
    case ECONNREFUSED, ENOENT: self = .refused(error)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT: self = .unreachable(error)
    case ETIMEDOUT: self = .timeout
    default: self = .failed(error)
    }
  }

  /// The larger, the more it says about the peer.
  var weight: Int {
    switch self {
    case .refused: return 3
    case .failed: return 2
    case .unreachable: return 1
    case .timeout: return 0
    }
  }
}
