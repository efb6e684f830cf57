/// Why a request was not repeated, or its end is not known. What the proxy answered instead of the origin is no fault, but an outcome.
public enum ReplayFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no lane of that name (any more).
  case unknownLane(String)
  /// The request cannot be sent; why, as a clause.
  case invalid(String)
  /// So many repetitions run already.
  case tooMany(Int)
  /// The proxy is ending, or was out of descriptors.
  case unavailable(String)
  /// There was no end of the exchange within that time; it was given up.
  case timedOut(Duration)

  public var description: String {
    switch self {
    case .unknownLane(let name): "the configuration has no lane \"\(name)\" any more"
    case .invalid(let reason): "the request cannot be repeated: \(reason)"
    case .tooMany(let count): "\(count) repetitions are running already; try again when they have ended"
    case .unavailable(let reason): "the proxy cannot repeat requests now: \(reason)"
    case .timedOut(let time): "the repeated request did not end within \(time.components.seconds) s"
    }
  }
}
