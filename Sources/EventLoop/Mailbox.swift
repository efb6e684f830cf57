import CLinux
import Glibc
import Synchronization

// The one file with `@unchecked Sendable`: what other threads may do with a loop and with the things confined to it.

/// Jobs that other threads leave for a loop. Safe on any thread.
final class Mailbox: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    var isStopRequested = false
    var isClosed = false
    var hasEnded = false
    var whenStopped: [Job] = []
  }

  private let state = Mutex(State())
  /// An eventfd, registered edge-triggered: each write is an edge, so nobody has to read it.
  let wakeDescriptor: Int32

  init() throws(SystemError) {
    wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wakeDescriptor >= 0 else { throw .last("eventfd") }
  }

  deinit {
    Glibc.close(wakeDescriptor)
  }

  enum Acceptance {
    case accepted, firstOfBatch, refused
  }

  /// Leaves a job. The one who leaves the first of a batch has to wake the loop.
  func post(_ job: @escaping Job) -> Acceptance {
    state.withLock { state in
      guard !state.isClosed else { return .refused }
      state.jobs.append(job)
      return state.jobs.count == 1 ? .firstOfBatch : .accepted
    }
  }

  func wake() {
    var one: UInt64 = 1
    // It fails only if the counter is full: then the loop has been woken.
    _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Swaps the waiting jobs into `batch`, which must be empty. Returns whether the loop is to end.
  func take(into batch: inout [Job]) -> Bool {
    state.withLock { state in
      swap(&state.jobs, &batch)
      return state.isStopRequested
    }
  }

  /// From now on jobs are refused. Returns those that were accepted before.
  func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Asks the loop to end; `job` is called when it has. Returns false if it has ended already.
  func requestStop(_ job: Job?) -> Bool {
    state.withLock { state in
      guard !state.hasEnded else { return false }
      state.isStopRequested = true
      if let job { state.whenStopped.append(job) }
      return true
    }
  }

  /// The loop has ended. Returns whom to tell.
  func end() -> [Job] {
    state.withLock { state in
      state.hasEnded = true
      defer { state.whenStopped = [] }
      return state.whenStopped
    }
  }
}

/// Safe to share: other threads can reach only the members that this file adds, which touch the mailbox and atomics.
/// All other members are confined to the loop's thread, and debug builds assert it.
extension EventLoop: @unchecked Sendable {
  /// Runs `job` on the loop, in this turn or the next. Callable on any thread; jobs of one thread keep their order.
  ///
  /// - Returns: false if the loop has ended and the job will never run; a job that was accepted does run.
  @discardableResult
  public func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    switch mailbox.post(job) {
    case .refused: return false
    case .accepted: return true
    case .firstOfBatch:
      if isCurrent {
        noteOwnMail()
      } else {
        mailbox.wake()
      }
      return true
    }
  }

  /// Ends the loop after its turn: jobs that were submitted before run, then everything that is registered is closed
  /// without a call to its handler. Callable on any thread, more than once, and before `start`.
  ///
  /// - Parameter whenStopped: called on the loop's thread when it has ended, or at once if it had ended before.
  public func stop(_ whenStopped: (@Sendable () -> Void)? = nil) {
    guard mailbox.requestStop(whenStopped) else {
      whenStopped?()
      return
    }
    mailbox.wake()
  }
}

/// Carries something that is confined to a loop through other threads, which cannot touch it. The value is also
/// released on its loop.
public struct LoopBound<Value>: @unchecked Sendable {
  private final class Cell: @unchecked Sendable {
    var value: Value?

    init(_ value: Value) {
      self.value = value
    }
  }

  private final class Box: @unchecked Sendable {
    let loop: EventLoop
    let cell: Cell

    init(_ value: Value, loop: EventLoop) {
      self.loop = loop
      cell = Cell(value)
    }

    /// Whoever drops the last reference must not run the value's `deinit` on a wrong thread: the cell is emptied on the
    /// loop.
    deinit {
      guard !loop.isCurrent else { return }
      let cell = cell
      loop.submit { cell.value = nil }
    }
  }

  private let box: Box

  /// The loop that the value is confined to.
  public let loop: EventLoop

  public init(_ value: Value, on loop: EventLoop) {
    self.loop = loop
    box = Box(value, loop: loop)
  }

  /// The value, for whoever is on the loop already; nil on other threads.
  public var valueOnLoop: Value? {
    loop.isCurrent ? box.cell.value : nil
  }

  /// Calls `body` on the loop, in this turn or the next.
  ///
  /// - Returns: false if the loop has ended and `body` will never run.
  @discardableResult
  public func onLoop(_ body: @escaping @Sendable (Value) -> Void) -> Bool {
    let box = box
    return loop.submit {
      if let value = box.cell.value { body(value) }
    }
  }
}
