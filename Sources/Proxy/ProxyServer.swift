import Authority
import Configuration
import Dispatch
import EventLoop
import Names
import Pictures
import Records
import Synchronization
import TLS

/// The proxy as a whole: its loops, its listeners, and the generation that they serve. Any thread may use it.
public final class ProxyServer: Sendable {
  /// One open listener.
  public struct Listening: Sendable {
    /// The lane's name.
    public let listener: String
    /// The real address, with port 0 resolved.
    public let address: String
  }

  /// How long a reload waits for loops that are busy; they follow in any case.
  private static let switchTime = Duration.seconds(5)

  /// Learns the addresses of this machine's interfaces.
  public typealias Interfaces = @Sendable () throws(SystemError) -> [SocketAddress]

  private struct State {
    var generation: Generation
    var listeners: [OpenListener] = []
    var isDraining = false
  }

  /// What it counts of itself.
  public let metrics: Metrics
  private let loops: [EventLoop]
  private let workers: [LoopBound<Worker>]
  private let shared: Shared
  private let state: Mutex<State>
  private let interfaces: Interfaces
  private let leafCounts = LeafCounts()
  /// Repetitions of requests that run.
  let replayCount = Atomic<Int>(0)
  private let turn = Atomic<Int>(0)
  /// Socket-activation descriptors by their names, each taken once.
  private let inherited: Mutex<[String: Int32]>

  /// - Parameters:
  ///   - recorder: takes the record of each exchange beside the log.
  ///   - captureByteLimit: how many bytes of their messages the running exchanges of one loop may keep for the recorder.
  ///   - metrics: what is counted goes there; others may add theirs to it.
  ///   - inherited: listening descriptors by name, as systemd hands them over; for `systemd:NAME` addresses.
  ///   - loopCount: as many as there are processors, usually.
  ///   - interfaces: how the addresses of this machine are learnt, at the start and at each reload.
  public init(
    configuration: Configuration, authority: CertificateAuthority, site: any InternalSite, log: Log,
    recorder: (any ExchangeRecorder)? = nil, captureByteLimit: Int = 64 << 20, metrics: Metrics = Metrics(),
    inherited: [String: Int32] = [:],
    loopCount: Int, interfaces: @escaping Interfaces = SocketAddress.ofThisMachine
  ) throws {
    self.metrics = metrics
    let pictures = PictureCache.make(configuration, log: log)
    shared = Shared(
      log: log, site: site, recorder: recorder, captureByteLimit: captureByteLimit, pictures: pictures)
    self.inherited = Mutex(inherited)
    self.interfaces = interfaces
    let generation = try Generation.make(
      configuration, authority, keeping: nil, machine: try Self.machineAddresses(interfaces), counting: leafCounts)
    state = Mutex(State(generation: generation))
    var loops: [EventLoop] = []
    for index in 0..<max(1, loopCount) { loops.append(try EventLoop(name: "pinwarden.loop-\(index)")) }
    self.loops = loops
    // Made before its loop runs, and touched only there afterwards.
    let shared = shared
    workers = loops.map {
      LoopBound(Worker(loop: $0, shared: shared, generation: generation, counters: metrics.makeLoopCounters()), on: $0)
    }
    for loop in loops { loop.start() }
    metrics.register { [leafCounts] in Self.families(log: log, leaves: leafCounts) }
    metrics.register { PictureReadings.families(pictures.readings) }
  }

  // MARK: listeners

  /// Opens the listeners of the configuration. On a failure none stays open.
  public func start() throws(ListenFault) -> [Listening] {
    let generation = state.withLock { $0.generation }
    try open(generation.configuration.listeners, machine: generation.ownAddresses)
    return listening
  }

  public var listening: [Listening] {
    state.withLock { state in
      state.listeners.map { Listening(listener: $0.context.settings.lane, address: "\($0.listener.address)") }
    }
  }

  /// Listeners that are there already stay open: first those that are wanted as they are, then those whose address is.
  /// - Parameter machine: the addresses of this machine.
  private func open(_ wanted: [ListenerSettings], machine: [IPAddress]) throws(ListenFault) {
    var existing = state.withLock { $0.listeners }
    var found = wanted.map { settings in Self.take(from: &existing) { $0.context.settings == settings } }
    for index in wanted.indices where found[index] == nil {
      found[index] = Self.take(from: &existing) { $0.isAt(wanted[index].address) }
    }
    var fresh: [OpenListener] = []
    for index in wanted.indices where found[index] == nil {
      do throws(ListenFault) {
        let opened = OpenListener(try listener(for: wanted[index], among: wanted), wanted[index])
        fresh.append(opened)
        found[index] = opened
      } catch {
        for opened in fresh { opened.listener.close() }
        throw error
      }
    }
    for old in existing { old.listener.close() }
    let all = found.compactMap { $0 }
    for (open, settings) in zip(all, wanted) { open.use(settings) }
    state.withLock { $0.listeners = all }
    shared.ownListeners.use(all.map(\.listener.address), machine: machine)
    shared.ownConnections.watch(wanted.contains { $0.mode == .transparent })
    for opened in fresh {
      noteMissingCapability(opened)
      accept(on: opened)
    }
  }

  /// Redirected connections need no capability, those that keep their destination do.
  private func noteMissingCapability(_ opened: OpenListener) {
    guard opened.context.settings.mode == .transparent, !opened.listener.takesForeignDestinations else { return }
    shared.log.write(
      LogEvent(
        .info, "no-tproxy",
        [
          ("address", .text("\(opened.listener.address)")),
          ("detail", .text("without CAP_NET_ADMIN the listener takes connections that nftables redirects, not tproxy")),
        ]))
  }

  private static func take(from listeners: inout [OpenListener], where fits: (OpenListener) -> Bool) -> OpenListener? {
    listeners.firstIndex(where: fits).map { listeners.remove(at: $0) }
  }

  private func listener(for settings: ListenerSettings, among all: [ListenerSettings]) throws(ListenFault) -> Listener {
    let traits = settings.traits(among: all)
    do {
      switch settings.address {
      case .tcp(let ip, let port):
        guard let address = SocketAddress(ip: ip.bytes, port: port) else {
          throw ListenFault(address: "\(settings.address)", reason: "not an address", isPermission: false)
        }
        return try Listener(address: address, traits: traits)
      case .unix(let path):
        return try Listener(address: SocketAddress(unixPath: path), traits: traits)
      case .systemd(let name):
        guard let descriptor = takeInherited(name) else {
          throw ListenFault(
            address: "\(settings.address)", reason: "systemd handed over no socket of that name", isPermission: false)
        }
        return try Listener(adopting: descriptor)
      }
    } catch let fault as ListenFault {
      throw fault
    } catch {
      throw ListenFault(
        address: "\(settings.address)", reason: "\(error)", isPermission: (error as? SystemError)?.isPermission ?? false
      )
    }
  }

  private func accept(on open: OpenListener) {
    let workers = workers
    open.listener.start(on: loops) { descriptor, peer, loop in
      guard let worker = workers.first(where: { $0.loop === loop })?.valueOnLoop else { return }
      worker.accept(descriptor, peer: peer, listener: open.context)
    }
  }

  /// Addresses on which the daemon listens besides the proxy, such as the console's: they are not reached through the proxy either.
  public func alsoOwn(_ addresses: [SocketAddress]) {
    shared.ownListeners.use(others: addresses)
  }

  /// Where the site for devices listens itself: requests through the proxy to these addresses are answered by the site.
  public func alsoServeSite(at addresses: [SocketAddress]) {
    shared.ownListeners.use(site: addresses)
  }

  /// A listening descriptor that systemd handed over under this name; nil: there is none, or it is taken.
  public func takeInherited(_ name: String) -> Int32? {
    inherited.withLock { $0.removeValue(forKey: name) }
  }

  // MARK: for repetitions

  func hasLane(_ name: String) -> Bool {
    state.withLock { $0.generation.configuration.lanes[name] != nil }
  }

  /// Each worker in turn.
  var anyWorker: LoopBound<Worker> {
    workers[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue.magnitude % workers.count.magnitude)]
  }

  // MARK: reload

  /// Serves another configuration, and returns when every loop does. Listeners that both have stay open; running exchanges keep what
  /// they have. On a failure nothing has changed. Not for loops.
  public func reload(_ configuration: Configuration, authority: CertificateAuthority) async throws {
    let current = state.withLock { $0.generation }
    // Asked before anything changes: without its own addresses the target guard would let everybody reach them.
    let machine = try Self.machineAddresses(interfaces)
    let next = try Generation.make(
      configuration, authority, keeping: current, machine: machine, counting: leafCounts)
    try open(configuration.listeners, machine: machine)
    state.withLock { $0.generation = next }
    shared.pictures.use(PictureLimits(configuration.pictures))
    await switchLoops(to: next)
  }

  private func switchLoops(to next: Generation) async {
    let isTimely = await onAllLoops(within: Self.switchTime) { worker, done in
      worker.use(next)
      done()
    }
    guard !isTimely else { return }
    shared.log.write(
      LogEvent(.warning, "reload-late", [("detail", .text("a loop is so busy that it still serves what was before"))]))
  }

  /// Calls `body` on each loop that has not ended, and returns when all have called its closure (true), or the time is over.
  private func onAllLoops(
    within limit: Duration?, _ body: @escaping @Sendable (Worker, @escaping @Sendable () -> Void) -> Void
  ) async -> Bool {
    await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let waiting = Countdown(workers.count) { continuation.resume(returning: $0) }
      for worker in workers {
        let isAccepted = worker.onLoop { body($0) { waiting.reached() } }
        if !isAccepted { waiting.reached() }
      }
      guard let limit else { return }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + limit.interval) { waiting.expire() }
    }
  }

  private static func machineAddresses(_ interfaces: Interfaces) throws(InterfacesFault) -> [IPAddress] {
    do throws(SystemError) {
      return try interfaces().compactMap { $0.ipBytes.flatMap(IPAddress.init(bytes:)) }
    } catch {
      throw InterfacesFault(cause: error)
    }
  }

  // MARK: end

  /// Stops accepting, lets what runs finish, and returns when nothing is left or `limits.drain` is over; then what still runs
  /// has been cut. Not for loops. A second call does nothing, and does not wait for the first.
  public func drain() async {
    let begun = state.withLock { state -> (listeners: [OpenListener], limit: Duration)? in
      guard !state.isDraining else { return nil }
      state.isDraining = true
      defer { state.listeners = [] }
      return (state.listeners, state.generation.configuration.limits.drain)
    }
    guard let (listeners, limit) = begun else { return }
    for opened in listeners { opened.listener.close() }
    _ = await onAllLoops(within: limit) { worker, done in worker.drain(done) }
    _ = await onAllLoops(within: nil) { worker, done in
      worker.abort()
      done()
    }
    for loop in loops { loop.stop() }
    await withCheckedContinuation { continuation in shared.pictures.close { continuation.resume() } }
  }
}

extension Duration {
  /// For Dispatch.
  fileprivate var interval: DispatchTimeInterval {
    .milliseconds(Int(clamping: components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
  }
}
