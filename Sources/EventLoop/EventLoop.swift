import CLinux
import Dispatch
import Glibc
import Synchronization

/// One thread that waits for sockets, timers and jobs, and runs what they are for.
///
/// The thread is that of a serial dispatch queue without a target, on which one block runs until `stop`. Everything but
/// `submit`, `stop`, `start`, `isCurrent`, `name` and `load` is confined to that thread. A turn does, in this order:
/// events of the kernel, sockets that asked to be called again, jobs from the mailbox, timers, `performSoon`,
/// end-of-turn tasks. What a later step leaves for an earlier one runs in the next turn, which then does not sleep.
public final class EventLoop {
  /// Name of the loop and of its queue.
  public let name: String

  let mailbox: Mailbox
  let slots = SlotTable()
  let wheel: TimerWheel

  /// Scratch memory of 64 KiB for reading, shared by all sockets of the loop: what is in it is valid until the handler
  /// returns.
  public let readBuffer: UnsafeMutableRawBufferPointer

  /// Pipes that nobody uses at the moment.
  let pipes = PipePool()

  private static let readBufferSize = 65_536
  private static let eventCapacity: Int32 = 256

  private let queue: DispatchQueue
  private let epoll: Int32
  private let events: UnsafeMutableRawPointer
  private let hasStarted = Atomic(false)
  private let sourceCount = Atomic(0)

  private var hasOwnMail = false
  private var mail: [Mailbox.Job] = []
  private var requeued: [Socket] = []
  private var requeuedNow: [Socket] = []
  private var soon: [() -> Void] = []
  private var soonNow: [() -> Void] = []
  private var turnTasks: [any TurnTask] = []
  private var turnTasksNow: [any TurnTask] = []
  private var due: [Timer] = []

  /// CLOCK_MONOTONIC in nanoseconds, read once a turn.
  public private(set) var now: UInt64

  /// Milliseconds since 1970, read once a turn.
  public private(set) var wallClock: Int64

  /// Makes a loop that does not run yet.
  ///
  /// - Throws: when the process has no descriptors left for it.
  public init(name: String) throws(SystemError) {
    self.name = name
    mailbox = try Mailbox()
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .last("epoll_create1") }
    queue = DispatchQueue(label: name)
    events = .allocate(byteCount: Int(Self.eventCapacity) * clinux_epoll_event_size(), alignment: 16)
    readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 64)
    now = Clock.monotonic()
    wallClock = Clock.wallMilliseconds()
    wheel = TimerWheel(now: now)
    let edge = EPOLLIN.rawValue | EPOLLET.rawValue
    guard
      clinux_epoll_control(epoll, EPOLL_CTL_ADD, mailbox.wakeDescriptor, edge, SlotTable.mailKey) == 0
    else { throw .last("epoll_ctl") }
  }

  deinit {
    Glibc.close(epoll)
    events.deallocate()
    readBuffer.deallocate()
  }

  /// Makes `count` loops (at least one) and starts them.
  public static func start(count: Int, name: String = "loop") throws(SystemError) -> [EventLoop] {
    var loops: [EventLoop] = []
    for index in 0..<max(1, count) {
      loops.append(try EventLoop(name: "\(name)-\(index)"))
    }
    for loop in loops { loop.start() }
    return loops
  }

  /// Starts the loop, once; later calls do nothing. Callable on any thread. The running loop keeps itself alive until
  /// `stop`.
  public func start() {
    guard !hasStarted.exchange(true, ordering: .relaxed) else { return }
    queue.async { self.run() }
  }

  // MARK: Which thread

  /// The loop whose thread this is; nil on other threads.
  public static var current: EventLoop? {
    pthread_getspecific(CurrentLoop.key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether this is the loop's thread. Callable on any thread.
  public var isCurrent: Bool {
    pthread_getspecific(CurrentLoop.key) == Unmanaged.passUnretained(self).toOpaque()
  }

  /// Guards confined members in debug builds.
  @inline(__always)
  func assertIsCurrent() {
    assert(isCurrent, "confined to the loop \(name)")
  }

  // MARK: Work for later in this turn

  /// Runs `job` in this turn, after the timers (or in the next turn, at once, if this one is past that). For callbacks
  /// that must not run inside the call that asked for them.
  public func performSoon(_ job: @escaping () -> Void) {
    assertIsCurrent()
    soon.append(job)
  }

  /// Runs `task` once at the end of this turn; the same task added twice runs twice. This is where a connection sends
  /// what it gathered.
  public func atEndOfTurn(_ task: any TurnTask) {
    assertIsCurrent()
    turnTasks.append(task)
  }

  /// The same as `timer.start(after: delay)`.
  public func schedule(_ timer: Timer, after delay: Duration) {
    timer.start(after: delay)
  }

  /// The same as `timer.cancel()`.
  public func cancel(_ timer: Timer) {
    timer.cancel()
  }

  func requeue(_ socket: Socket) {
    requeued.append(socket)
  }

  func noteOwnMail() {
    hasOwnMail = true
  }

  // MARK: Registration

  /// How many sockets and other descriptors are registered here: what a listener balances by. Callable on any thread.
  public var load: Int { sourceCount.load(ordering: .relaxed) }

  func addLoad(_ count: Int) {
    sourceCount.add(count, ordering: .relaxed)
  }

  /// Adds `descriptor` to the epoll set. The loop owns `source` until `unregister`.
  ///
  /// - Returns: the key for `unregister`.
  func register(_ descriptor: Int32, events: UInt32, source: any EventSource) throws(SystemError) -> UInt64 {
    let key = adopt(source)
    guard watch(descriptor, events: events, key: key) else {
      let error = SystemError.last("epoll_ctl")
      unregister(key)
      throw error
    }
    return key
  }

  /// The first half of `register`: the loop owns `source`, nothing is watched yet.
  func adopt(_ source: any EventSource) -> UInt64 {
    assertIsCurrent()
    addLoad(1)
    return slots.insert(source)
  }

  /// The other half. Returns false if the kernel refuses, with the reason in `errno`.
  func watch(_ descriptor: Int32, events: UInt32, key: UInt64) -> Bool {
    assertIsCurrent()
    return clinux_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, events, key) == 0
  }

  /// Undoes `watch`; `register`'s other half stays.
  func unwatch(_ descriptor: Int32) {
    assertIsCurrent()
    _ = clinux_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0)
  }

  /// Asks for other events of a registered descriptor.
  func reregister(_ descriptor: Int32, events: UInt32, key: UInt64) {
    assertIsCurrent()
    _ = clinux_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, events, key)
  }

  /// Forgets a source. From here on its events are dropped, even those of this batch.
  ///
  /// The descriptor leaves the epoll set when it is closed next; one that is shared with other loops or processes needs
  /// `unwatch` before.
  func unregister(_ key: UInt64) {
    assertIsCurrent()
    guard slots.source(key) != nil else { return }
    slots.remove(key)
    addLoad(-1)
  }

  // MARK: The turn

  private func run() {
    CurrentLoop.enter(self)
    while !turn() {}
    for job in mailbox.close() { job() }
    let sources = slots.removeAll()
    addLoad(-sources.count)
    for source in sources { source.loopStopped() }
    wheel.removeAll()
    requeued.removeAll()
    soon.removeAll()
    turnTasks.removeAll()
    let whenStopped = mailbox.end()
    CurrentLoop.leave()
    for job in whenStopped { job() }
  }

  /// Returns whether the loop is to end.
  private func turn() -> Bool {
    let count = clinux_epoll_wait(epoll, events, Self.eventCapacity, sleepMilliseconds())
    now = Clock.monotonic()
    wallClock = Clock.wallMilliseconds()
    var index: Int32 = 0
    // An interrupted wait returns -1: a turn without events.
    while index < count {
      let key = clinux_epoll_data(events, index)
      slots.source(key)?.eventArrived(clinux_epoll_events(events, index))
      index += 1
    }
    runRequeued()
    let isStopRequested = runMail()
    fireTimers()
    runSoon()
    runTurnTasks()
    return isStopRequested
  }

  /// How long the kernel may hold the thread; -1 is for ever.
  private func sleepMilliseconds() -> Int32 {
    guard requeued.isEmpty, soon.isEmpty, turnTasks.isEmpty, !hasOwnMail else { return 0 }
    guard let look = wheel.nextLook else { return -1 }
    guard look > now else { return 0 }
    return Int32(min((look - now + 999_999) / 1_000_000, 60_000))
  }

  private func runRequeued() {
    guard !requeued.isEmpty else { return }
    swap(&requeued, &requeuedNow)
    for socket in requeuedNow { socket.runRequeued() }
    requeuedNow.removeAll(keepingCapacity: true)
  }

  private func runMail() -> Bool {
    hasOwnMail = false
    let isStopRequested = mailbox.take(into: &mail)
    for job in mail { job() }
    mail.removeAll(keepingCapacity: true)
    return isStopRequested
  }

  private func fireTimers() {
    wheel.takeDue(at: now, into: &due)
    guard !due.isEmpty else { return }
    for timer in due { timer.becomeDue() }
    for timer in due { timer.fireIfDue() }
    due.removeAll(keepingCapacity: true)
  }

  private func runSoon() {
    guard !soon.isEmpty else { return }
    swap(&soon, &soonNow)
    for job in soonNow { job() }
    soonNow.removeAll(keepingCapacity: true)
  }

  private func runTurnTasks() {
    guard !turnTasks.isEmpty else { return }
    swap(&turnTasks, &turnTasksNow)
    for task in turnTasksNow { task.runTurnTask() }
    turnTasksNow.removeAll(keepingCapacity: true)
  }
}
