/// Calls a handler once, some time after it was started. Confined to its loop.
///
/// The handler runs at the deadline or at most about 10 ms (and one turn of the loop) later, never earlier. Starting,
/// starting again and cancelling are cheap enough for every request. While a timer is armed its loop keeps it alive. A
/// handler that captures the owner of the timer makes a cycle: `invalidate` in the owner's teardown breaks it.
public final class Timer {
  public let loop: EventLoop
  private var handler: (() -> Void)?
  /// Monotonic nanoseconds. Means something only while the timer is armed.
  var deadline: UInt64 = 0
  /// The place in the loop's wheel, -1 if there is none. The wheel sets it.
  var node = -1
  /// Off the wheel, and about to fire in this turn unless it is cancelled or started again before.
  private var isDue = false

  public init(loop: EventLoop, _ handler: @escaping () -> Void) {
    self.loop = loop
    self.handler = handler
  }

  /// Whether the handler is going to be called.
  public var isArmed: Bool { node >= 0 || isDue }

  /// Arms the timer, or moves its deadline if it is armed. The time counts from the beginning of the loop's turn
  /// (`EventLoop.now`); a negative one counts as zero. A handler may start its own timer again.
  public func start(after delay: Duration) {
    loop.assertIsCurrent()
    guard handler != nil else { return }
    isDue = false
    deadline = loop.now &+ delay.clampedNanoseconds
    loop.wheel.arm(self)
  }

  public func cancel() {
    loop.assertIsCurrent()
    isDue = false
    loop.wheel.disarm(self)
  }

  /// Cancels, and lets go of the handler: the timer can never be started again.
  public func invalidate() {
    cancel()
    handler = nil
  }

  func becomeDue() {
    isDue = true
  }

  func fireIfDue() {
    guard isDue else { return }
    isDue = false
    handler?()
  }
}

extension Duration {
  /// From zero up to about 100 years, so that adding it to a clock cannot overflow.
  var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(min(seconds, 3_155_760_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
