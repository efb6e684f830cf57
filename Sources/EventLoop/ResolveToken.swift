/// One caller's wait for a name. Confined to the resolver's loop.
public final class ResolveToken {
  typealias Outcome = Result<[SocketAddress], ResolveFault>

  private var done: ((Outcome) -> Void)?
  private var timer: Timer?

  init(_ done: @escaping (Outcome) -> Void) {
    self.done = done
  }

  /// Gives up waiting: the callback is released and not called any more. The look-up goes on for others and for the
  /// cache.
  public func cancel() {
    timer?.invalidate()
    timer = nil
    done = nil
  }

  var isWaiting: Bool { done != nil }

  func startTimer(after timeout: Duration, on loop: EventLoop) {
    let timer = Timer(loop: loop) { [weak self] in self?.finish(.failure(.timeout)) }
    timer.start(after: timeout)
    self.timer = timer
  }

  /// Calls back, unless that has happened before.
  func finish(_ outcome: Outcome) {
    guard let done else { return }
    cancel()
    done(outcome)
  }
}
