import Authority
import Bytes
import Configuration
import EventLoop
import Names
import Policy
import Records
import Synchronization
import TLS

/// Everything that one loop needs to serve: its connections, its plans with their origin connections, its resolver.
///
/// Confined to its loop. Only `shared` is seen by other threads.
final class Worker {
  let loop: EventLoop
  let shared: Shared
  let resolver: Resolver
  let counters: LoopCounters
  private(set) var generation: Generation
  private(set) var isDraining = false

  /// The idle HTTP/1 connections of all plans.
  var idle = IdleConnections()
  /// The idle HTTP/2 connections to origins, the longest idle first. Few, so that an array serves.
  private var idleShared: [HTTP2Origin] = []
  private static let idleSharedLimit = 256
  /// Reports of pin failures that wait to be posted.
  private(set) lazy var reports = ReportQueue(self)
  /// Certificates that origins did not send.
  private(set) var issuers: IssuerCache
  private var plans = PlanCache()
  private var clientContexts: [TLSClientParameters: TLSClientContext] = [:]
  /// Contexts depend on their parameters alone; those of policies that are gone go when there are many.
  private static let clientContextLimit = 64
  private var connections: [ObjectIdentifier: ClientConnection] = [:]
  private let lines = ByteQueue()
  private var recorded: [RecordedExchange] = []
  private var areLinesScheduled = false
  /// What running exchanges keep of their messages.
  var capturedByteCount = 0
  /// Repetitions of requests that run.
  var replays: [ObjectIdentifier: ReplayClient] = [:]
  private var drained: (@Sendable () -> Void)?
  private var identifiers: UInt64

  init(loop: EventLoop, shared: Shared, generation: Generation, counters: LoopCounters) {
    self.loop = loop
    self.shared = shared
    self.generation = generation
    self.counters = counters
    resolver = Resolver(loop: loop)
    issuers = IssuerCache(loop: loop)
    identifiers = RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: connections

  /// - Parameter replay: who stands for the device, where a request is repeated.
  /// - Returns: nil: there is no connection.
  @discardableResult
  func accept(
    _ descriptor: Int32, peer: SocketAddress, listener: ListenerContext, replay: ReplayClient? = nil
  ) -> ClientConnection? {
    guard let socket = try? Socket(adopting: descriptor, on: loop) else { return nil }
    guard !isDraining else {
      socket.close()
      return nil
    }
    let connection = ClientConnection(
      worker: self, transport: Transport(socket, on: loop), peer: peer, listener: listener, replay: replay)
    let count = shared.connectionCount.wrappingAdd(1, ordering: .relaxed).newValue
    connections[ObjectIdentifier(connection)] = connection
    counters.connectionOpened(listener.kind)
    if count > generation.configuration.limits.connections {
      connection.refuseAsTooMany()
    } else {
      connection.start()
    }
    return connection
  }

  func connectionEnded(_ connection: ClientConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    shared.connectionCount.wrappingSubtract(1, ordering: .relaxed)
    counters.connectionClosed(connection.listener.kind)
    if isDraining, connections.isEmpty { reportDrained() }
  }

  // MARK: origins

  func plan(for key: OriginPlan.Key, lane: Lane) -> OriginPlan {
    plans.plan(for: key, lane: lane, generation: generation)
  }

  /// The settings of origin connections with these parameters; nil when OpenSSL knows none of the suites.
  func clientContext(for parameters: TLSClientParameters) -> TLSClientContext? {
    if let known = clientContexts[parameters] { return known }
    let made = try? TLSClientContext(parameters)
    clientContexts[parameters] = made
    return made
  }

  /// Whether a connection to this address would come back to one of our listeners.
  func isOwnListener(_ address: SocketAddress) -> Bool {
    shared.ownListeners.contains(address)
  }

  /// Dials ahead of the first request, unless a connection is there or on its way.
  /// - Returns: the dial that is under way; nil when there is nothing to wait for.
  func prepare(_ plan: OriginPlan) -> OriginAttempt? {
    guard plan.idle.isEmpty, plan.sharedOrigin() == nil else { return nil }
    if let running = plan.attempt, running.isUnclaimed { return running }
    let attempt = OriginAttempt(plan: plan, worker: self)
    attempt.start()
    return attempt
  }

  /// The longest idle one closes when there are too many.
  func becameIdle(_ origin: HTTP2Origin) {
    becameBusy(origin)
    idleShared.append(origin)
    counters.originBecameIdle(.http2)
    if idleShared.count > Self.idleSharedLimit { idleShared.removeFirst().closeIfIdle() }
  }

  /// Busy, or over.
  func becameBusy(_ origin: HTTP2Origin) {
    guard let index = idleShared.lastIndex(where: { $0 === origin }) else { return }
    idleShared.remove(at: index)
    counters.originLeftIdle(.http2)
  }

  // MARK: reload and end

  /// New requests use `generation` from now on; running exchanges keep what they have, and so do the origins whose policy, way and
  /// identities it leaves as they are.
  func use(_ generation: Generation) {
    plans.forEach { $0.wipePictures(from: shared.pictures, movingTo: generation) }
    plans.move(from: self.generation, to: generation)
    self.generation = generation
    issuers = IssuerCache(loop: loop)
    if clientContexts.count > Self.clientContextLimit { clientContexts = [:] }
    for connection in connections.values { connection.generationChanged() }
  }

  /// Lets running exchanges finish, closes what is idle, and tells when nothing is left.
  func drain(_ done: @escaping @Sendable () -> Void) {
    isDraining = true
    drained = done
    plans.removeAll()
    for connection in Array(connections.values) { connection.drain() }
    if connections.isEmpty { reportDrained() }
  }

  /// The time for draining is over: what still runs is cut, and recorded so.
  func abort() {
    for replay in Array(replays.values) { replay.fail(.unavailable("it is ending")) }
    for connection in Array(connections.values) { connection.abort() }
    reports.close()
    resolver.close()
    flushLines()
  }

  private func reportDrained() {
    flushLines()
    drained?()
    drained = nil
  }

  // MARK: records

  /// A new identifier for an exchange: unique in this process, and different after a restart. They follow one another, so that the
  /// index of the history grows at its end only.
  func nextIdentifier() -> UInt64 {
    identifiers &+= 1
    return identifiers
  }

  var writesRecords: Bool { shared.log.writes(.info) }

  /// Whether somebody would take the record of an exchange that ends now; asked once for each.
  var wantsRecords: Bool {
    if writesRecords { return true }
    guard let recorder = shared.recorder else { return false }
    if recorder.admits { return true }
    recorder.omitted()
    return false
  }

  func record(_ exchange: RecordedExchange) {
    if writesRecords { shared.log.text.append(exchange.record, to: lines) }
    if let recorder = shared.recorder {
      if recorder.admits { recorded.append(exchange) } else { recorder.omitted() }
    }
    scheduleLines()
  }

  func record(_ record: TunnelRecord) {
    guard writesRecords else { return }
    shared.log.text.append(record, to: lines)
    scheduleLines()
  }

  /// The mismatch of a pin set that only reports.
  func report(_ mismatch: PinMismatch, plan: OriginPlan) {
    shared.log.write(
      LogEvent(
        .warning, "pin-mismatch",
        [
          ("host", .text(plan.key.host.text)), ("rule", .text(plan.requirements?.rulePattern ?? "")),
          ("source", .text(mismatch.source)), ("pins", .text(mismatch.seen.joined(separator: " "))),
        ]))
  }

  private func scheduleLines() {
    guard !areLinesScheduled else { return }
    areLinesScheduled = true
    loop.atEndOfTurn(self)
  }

  private func flushLines() {
    shared.log.submit(lines)
    guard !recorded.isEmpty else { return }
    shared.recorder?.submit(recorded)
    recorded.removeAll(keepingCapacity: true)
  }
}

extension Worker: TurnTask {
  func runTurnTask() {
    areLinesScheduled = false
    flushLines()
  }
}
