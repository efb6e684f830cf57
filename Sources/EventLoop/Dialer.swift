/// Connects to whichever of several addresses answers first (RFC 8305, happy eyeballs).
public enum Dialer {
  /// How long an attempt has before the next address is tried beside it (RFC 8305 section 5).
  public static let attemptDelay = Duration.milliseconds(250)

  /// More addresses than this are not tried.
  static let addressLimit = 32

  /// Tries `addresses` one after the other, 250 ms apart, or at once when the one before has failed; the first that
  /// connects wins and the others are closed. The order is that of the list (RFC 6724, as the resolver sorts), with the
  /// two IP families alternating. There is no overall deadline: cancel.
  ///
  /// - Parameter done: called once on the loop, never inside this call, and not after `cancel`. The socket it gets is
  ///   registered already and belongs to the callee, who sets its `handler`, which is called again if bytes have
  ///   arrived meanwhile.
  @discardableResult
  public static func dial(
    _ addresses: [SocketAddress], on loop: EventLoop, _ done: @escaping (Result<Socket, DialFault>) -> Void
  ) -> DialAttempt {
    dial(addresses, on: loop, attemptDelay: attemptDelay, done)
  }

  static func dial(
    _ addresses: [SocketAddress], on loop: EventLoop, attemptDelay: Duration,
    _ done: @escaping (Result<Socket, DialFault>) -> Void
  ) -> DialAttempt {
    let tried = Array(interleaved(addresses).prefix(addressLimit))
    let attempt = DialAttempt(tried, loop: loop, attemptDelay: attemptDelay, done)
    attempt.begin()
    return attempt
  }

  /// Keeps the order inside each family, begins with the first one's, and alternates (RFC 8305 section 4).
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.family == first.family }
    let other = addresses.filter { $0.family != first.family }
    var result: [SocketAddress] = []
    result.reserveCapacity(addresses.count)
    for index in 0..<max(same.count, other.count) {
      if index < same.count { result.append(same[index]) }
      if index < other.count { result.append(other[index]) }
    }
    return result
  }
}
