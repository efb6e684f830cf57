public import Configuration
public import EventLoop
public import Records
import Synchronization

/// The site for devices on an address of its own (`onboarding.address`), for their first contact: plain HTTP, under whatever name or
/// address this machine is reached, since a device knows nothing else yet. It is another server than the console's, and knows nothing
/// of it; nothing secret is there that a page of somebody else could read.
///
/// It is opened, moved and closed by its owner, one call after the other.
public final class OnboardingServer: Sendable {
  private struct State {
    var opening: ConsoleOpening?
    var isRunning = false
  }

  private let loop: EventLoop
  private let worker: LoopBound<OnboardingWorker>
  private let state = Mutex(State())

  public init(log: Log) throws(SystemError) {
    loop = try EventLoop(name: "pinwarden.onboarding")
    // Made before the loop runs, and touched only there afterwards.
    worker = LoopBound(OnboardingWorker(loop: loop, log: log), on: loop)
  }

  /// Where it is configured to listen, and where it does; nil: it is switched off.
  public var listening: (configured: ListenAddress, address: SocketAddress)? {
    state.withLock { $0.opening.map { ($0.configured, $0.address) } }
  }

  /// Lets devices in through `opening`, then closes the listener before.
  public func open(_ opening: ConsoleOpening, _ terms: OnboardingTerms) {
    use(terms)
    let before = state.withLock { state in
      defer { state.opening = opening }
      return state.opening
    }
    let worker = worker
    opening.listener.start(on: [loop]) { descriptor, peer, _ in
      worker.valueOnLoop?.accept(descriptor, peer: peer)
    }
    before?.close()
  }

  /// Whom it serves from now on, and what it tells them.
  public func use(_ terms: OnboardingTerms) {
    let mustStart = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // A loop that nobody needs has no thread.
    if mustStart { loop.start() }
    worker.onLoop { $0.use(terms) }
  }

  /// Switches it off.
  public func close() {
    let before = state.withLock { state in
      defer { state.opening = nil }
      return state.opening
    }
    before?.close()
    worker.onLoop { $0.use(nil) }
  }

  /// Stops letting devices in, and ends. The last call to it.
  public func end() {
    let isRunning = state.withLock { $0.isRunning }
    close()
    guard isRunning else { return }
    loop.stop()
  }
}
