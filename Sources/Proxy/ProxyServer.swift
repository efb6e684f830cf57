import Authority
import Configuration
import Dispatch
import EventLoop
import Names
import Records
import Synchronization
import TLS

/// A listener that could not be opened.
public struct ListenFault: Error, CustomStringConvertible {
  /// As configured.
  public let address: String
  public let reason: String
  /// The address may not be used by this user (EACCES); everything else is "unavailable".
  public let isPermission: Bool

  public var description: String { "cannot listen on \(address): \(reason)" }
}

/// The proxy as a whole: its loops, its listeners, and the generation that they serve. Any thread may use it.
public final class ProxyServer: Sendable {
  /// One open listener.
  public struct Listening: Sendable {
    /// The lane's name.
    public let listener: String
    /// The real address, with port 0 resolved.
    public let address: String
  }

  private struct State {
    var generation: Generation
    var listeners: [OpenListener] = []
    var isDraining = false
  }

  private let loops: [EventLoop]
  private let workers: [LoopBound<Worker>]
  private let shared: Shared
  private let state: Mutex<State>
  /// Socket-activation descriptors by their names, each taken once.
  private let inherited: Mutex<[String: Int32]>

  /// Minting is CPU work: a queue of its own, of another QoS than blocking work.
  private static let minting = WorkQueue(label: "pinwarden.mint", width: 2, qos: .userInitiated)

  /// - Parameters:
  ///   - recorder: takes the record of each exchange beside the log.
  ///   - inherited: listening descriptors by name, as systemd hands them over; for `systemd:NAME` addresses.
  ///   - loopCount: as many as there are processors, usually.
  public init(
    configuration: Configuration, authority: CertificateAuthority, site: any InternalSite, log: Log,
    recorder: (any ExchangeRecorder)? = nil, inherited: [String: Int32] = [:], loopCount: Int
  ) throws {
    shared = Shared(log: log, site: site, recorder: recorder)
    self.inherited = Mutex(inherited)
    let generation = try Self.generation(configuration, authority, keeping: nil)
    state = Mutex(State(generation: generation))
    var loops: [EventLoop] = []
    for index in 0..<max(1, loopCount) { loops.append(try EventLoop(name: "pinwarden.loop-\(index)")) }
    self.loops = loops
    // Made before its loop runs, and touched only there afterwards.
    let shared = shared
    workers = loops.map { LoopBound(Worker(loop: $0, shared: shared, generation: generation), on: $0) }
    for loop in loops { loop.start() }
  }

  // MARK: listeners

  /// Opens the listeners of the configuration. On a failure none stays open.
  public func start() throws(ListenFault) -> [Listening] {
    try open(state.withLock { $0.generation.configuration.listeners })
    return listening
  }

  public var listening: [Listening] {
    state.withLock { state in
      state.listeners.map { Listening(listener: $0.context.settings.lane, address: "\($0.listener.address)") }
    }
  }

  /// Listeners that are there already stay open: first those that are wanted as they are, then those whose address is.
  private func open(_ wanted: [ListenerSettings]) throws(ListenFault) {
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
    shared.ownListeners.use(all.map(\.listener.address), machine: Self.machineAddresses)
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
        guard let descriptor = inherited.withLock({ $0.removeValue(forKey: name) }) else {
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

  // MARK: reload

  /// Serves another configuration from now on. Listeners that both have stay open; running exchanges keep what they have.
  /// On a failure nothing has changed.
  public func reload(_ configuration: Configuration, authority: CertificateAuthority) throws {
    let current = state.withLock { $0.generation }
    let next = try Self.generation(configuration, authority, keeping: current)
    try open(configuration.listeners)
    state.withLock { $0.generation = next }
    for worker in workers { worker.onLoop { $0.use(next) } }
  }

  private static var machineAddresses: [IPAddress] {
    SocketAddress.ofThisMachine().compactMap { $0.ipBytes.flatMap(IPAddress.init(bytes:)) }
  }

  private static func generation(
    _ configuration: Configuration, _ authority: CertificateAuthority, keeping current: Generation?
  ) throws -> Generation {
    let settings = configuration.authority
    if let current, current.authority.certificate == authority.certificate,
      current.configuration.authority.leafLifetime == settings.leafLifetime,
      current.configuration.authority.leafKey == settings.leafKey
    {
      return Generation(
        configuration: configuration, authority: authority, leaves: current.leaves,
        serverContext: current.serverContext, ownAddresses: machineAddresses)
    }
    let mint = try LeafMint(authority: authority, lifetime: settings.leafLifetime, keyKind: settings.leafKey)
    let leaves = LeafCache(mint: mint, capacity: 4_096) { job in minting.submit(job) }
    return Generation(
      configuration: configuration, authority: authority, leaves: leaves, serverContext: try TLSServerContext(),
      ownAddresses: machineAddresses)
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
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let waiting = Countdown(workers.count) { continuation.resume() }
      for worker in workers { worker.onLoop { $0.drain { waiting.reached() } } }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + limit.interval) { waiting.expire() }
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let waiting = Countdown(workers.count) { continuation.resume() }
      for worker in workers {
        worker.onLoop { worker in
          worker.abort()
          waiting.reached()
        }
      }
    }
    for loop in loops { loop.stop() }
  }
}

/// Calls once when it was reached so many times, or when its time is over.
private final class Countdown: Sendable {
  private let state: Mutex<(left: Int, done: (@Sendable () -> Void)?)>

  init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
    state = Mutex((count, done))
  }

  func reached() {
    finish { state in
      state.left -= 1
      return state.left <= 0
    }
  }

  func expire() {
    finish { _ in true }
  }

  private func finish(_ isOver: (inout (left: Int, done: (@Sendable () -> Void)?)) -> Bool) {
    let done = state.withLock { state -> (@Sendable () -> Void)? in
      guard isOver(&state) else { return nil }
      defer { state.done = nil }
      return state.done
    }
    done?()
  }
}

extension Duration {
  /// For Dispatch.
  fileprivate var interval: DispatchTimeInterval {
    .milliseconds(Int(clamping: components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
  }
}
