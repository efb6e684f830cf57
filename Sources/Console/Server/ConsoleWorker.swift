import Dispatch
import EventLoop
import HTTP
import Records

/// The console on its loop: its connections, and who may come in. Confined to the loop.
final class ConsoleWorker {
  let loop: EventLoop
  /// Jobs that read disks or take a while.
  let work = WorkQueue(label: "pinwarden.console-work", width: 2, qos: .utility, capacity: 64)
  /// Answers that are written as fast as the client takes them.
  let streams = WorkQueue(label: "pinwarden.console-streams", width: 2, qos: .utility, capacity: 4)
  private let router: Router
  private let log: Log
  private var gate: Gate?
  private var connections: [ObjectIdentifier: ConsoleConnection] = [:]
  private var watchers: [ObjectIdentifier: ConsoleConnection] = [:]
  private(set) var isDraining = false
  private var whenEmpty: (@Sendable () -> Void)?
  private var heartbeat: Timer?

  init(loop: EventLoop, control: any ProxyControl, log: Log, version: String, page: PageFiles) {
    self.loop = loop
    self.log = log
    router = Router(control: control, log: log, version: version, page: page)
  }

  var feed: ExchangeFeed { router.control.feed }

  // MARK: connections

  func accept(_ descriptor: Int32, peer: SocketAddress) {
    // A socket that cannot be registered has been closed.
    guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
    guard gate != nil, !isDraining, connections.count < ConsoleLimits.openConnections else { return socket.close() }
    let connection = ConsoleConnection(socket, client: peer, worker: self)
    connections[ObjectIdentifier(connection)] = connection
    if connections.count > ConsoleLimits.connections {
      connection.refuse(.problem(503, "\(ConsoleLimits.connections) connections to the console are open already"))
    } else {
      connection.start()
    }
  }

  func connectionEnded(_ connection: ConsoleConnection) {
    connections[ObjectIdentifier(connection)] = nil
    watchingEnded(connection)
    guard isDraining, connections.isEmpty else { return }
    whenEmpty?()
    whenEmpty = nil
  }

  // MARK: requests

  func judge(_ request: ConsoleRequest) -> Gate.Verdict {
    guard gate != nil, let verdict = gate?.judge(request, at: moment) else {
      return .refused(.problem(503, "the console is being switched off"))
    }
    reportAlarm()
    return verdict
  }

  func outcome(of pending: ConsoleConnection.Pending) -> Router.Outcome {
    switch pending.route {
    case .login:
      let answer = gate?.login(pending.request, at: moment)
      reportAlarm()
      return .now(answer ?? .problem(503, "the console is being switched off"))
    case .events where watchers.count >= ConsoleLimits.watchers:
      return .now(.problem(503, "\(ConsoleLimits.watchers) clients watch events already"))
    default: return router.outcome(of: pending.request, route: pending.route, visitor: pending.visitor)
    }
  }

  /// Runs a job for a request where it may block; answers the request if there are too many.
  func perform(for connection: LoopBound<ConsoleConnection>, _ number: UInt64, _ job: @escaping @Sendable () -> Void) {
    guard !work.submit(job) else { return }
    connection.onLoop { $0.answered(.problem(503, "too many requests to the console wait already"), number) }
  }

  private var moment: Gate.Moment { Gate.Moment(monotonic: loop.now, seconds: loop.wallClock / 1_000) }

  private func reportAlarm() {
    guard let client = gate?.takeAlarm() else { return }
    log.write(
      LogEvent(
        .warning, "console-tokens-refused",
        [("client", .text(client)), ("detail", .text("\(FailureLimit.allowed) wrong tokens; more are not looked at"))]))
  }

  // MARK: events

  func watchingBegan(_ connection: ConsoleConnection) {
    watchers[ObjectIdentifier(connection)] = connection
    guard heartbeat == nil else { return }
    heartbeat = Timer(loop: loop) { [weak self] in self?.beat() }
    heartbeat?.start(after: ConsoleLimits.heartbeat)
  }

  func watchingEnded(_ connection: ConsoleConnection) {
    watchers[ObjectIdentifier(connection)] = nil
    guard watchers.isEmpty else { return }
    heartbeat?.invalidate()
    heartbeat = nil
  }

  private func beat() {
    for watcher in watchers.values { watcher.heartbeat() }
    heartbeat?.start(after: ConsoleLimits.heartbeat)
  }

  // MARK: changes and the end

  /// Who comes in from now on. Whoever came in by something else has to come anew.
  func use(_ credentials: ConsoleCredentials) {
    guard let known = gate else {
      gate = Gate(credentials)
      return
    }
    guard !known.credentials.admitsTheSame(as: credentials) else { return }
    gate?.credentials = credentials
    for watcher in Array(watchers.values) { watcher.endWatching() }
  }

  /// Closes everything at once, as when the console is switched off.
  func closeAll() {
    gate = nil
    for connection in Array(connections.values) { connection.close() }
  }

  /// Lets what is being answered be answered, closes what is idle, and tells when nothing is left.
  func drain(_ done: @escaping @Sendable () -> Void) {
    isDraining = true
    whenEmpty = done
    for watcher in Array(watchers.values) { watcher.endWatching() }
    for connection in Array(connections.values) { connection.drain() }
    guard connections.isEmpty else { return }
    whenEmpty?()
    whenEmpty = nil
  }
}
