public import Configuration
import Dispatch
public import EventLoop
public import Records
import Synchronization

/// The console: an HTTP server of its own on a loop of its own, so that neither the proxy nor it can hold the other up. Any thread
/// may use it.
///
/// It is opened, moved and closed by its owner, one call after the other.
public final class ConsoleServer: Sendable {
  private struct State {
    var opening: ConsoleOpening?
    var isRunning = false
  }

  private let loop: EventLoop
  private let worker: LoopBound<ConsoleWorker>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - control: what it can ask of the daemon.
  ///   - version: of the program.
  public convenience init(control: any ProxyControl, log: Log, version: String) throws(SystemError) {
    let page = PageFiles.installed
    try self.init(control: control, log: log, version: version, page: page)
    guard page.isEmpty else { return }
    log.write(
      LogEvent(
        .warning, "console-page-missing",
        [("folders", .text(page.folders.joined(separator: ", "))), ("detail", .text("the API is served without it"))]))
  }

  init(control: any ProxyControl, log: Log, version: String, page: PageFiles) throws(SystemError) {
    loop = try EventLoop(name: "pinwarden.console")
    // Made before the loop runs, and touched only there afterwards.
    worker = LoopBound(
      ConsoleWorker(loop: loop, control: control, log: log, version: version, page: page), on: loop)
  }

  /// Where it is configured to listen, and where it does; nil: it is switched off.
  public var listening: (configured: ListenAddress, address: SocketAddress)? {
    state.withLock { $0.opening.map { ($0.configured, $0.address) } }
  }

  /// Lets visitors in through `opening`, then closes the listener before. Connections that there are go on.
  public func open(_ opening: ConsoleOpening, _ credentials: ConsoleCredentials) {
    use(credentials)
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

  /// Who comes in from now on; whoever came in by something else is put out.
  public func use(_ credentials: ConsoleCredentials) {
    let mustStart = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { loop.start() }
    worker.onLoop { $0.use(credentials) }
  }

  /// Switches it off: nobody is let in, and whoever is in is put out.
  public func close() {
    let before = state.withLock { state in
      defer { state.opening = nil }
      return state.opening
    }
    before?.close()
    worker.onLoop { $0.closeAll() }
  }

  /// Stops letting visitors in, lets running answers end for at most `limit`, and ends the loop. The last call to it.
  public func drain(_ limit: Duration = .seconds(1)) async {
    let (before, isRunning) = state.withLock { state in
      defer { state.opening = nil }
      return (state.opening, state.isRunning)
    }
    before?.close()
    guard isRunning else { return }
    let worker = worker
    let (seconds, attoseconds) = limit.components
    let milliseconds = Int(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let once = Mutex<CheckedContinuation<Void, Never>?>(continuation)
      let resume: @Sendable () -> Void = { once.withLock { $0.take() }?.resume() }
      worker.onLoop { $0.drain(resume) }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: resume)
    }
    worker.onLoop { $0.closeAll() }
    loop.stop()
  }
}
