import Dispatch
import Synchronization

/// Runs jobs that must not run on a loop, on a few threads of its own. Safe on any thread.
///
/// Each lane is a serial dispatch queue without a target, which gets a thread at once. A concurrent queue would share
/// the root queue's pool, which grows by about one thread a second when its jobs block.
public final class WorkQueue: Sendable {
  private typealias Job = @Sendable () -> Void

  private struct State {
    var waiting: [Job] = []
    /// The waiting jobs begin here: taking one does not move the others.
    var head = 0
    var idleLanes: [Int]
  }

  private let lanes: [DispatchQueue]
  private let capacity: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - label: names the threads.
  ///   - width: how many jobs run at once.
  ///   - qos: CPU work and blocking work should differ here.
  ///   - capacity: how many jobs may wait besides those that run.
  public init(label: String, width: Int, qos: DispatchQoS, capacity: Int = 1024) {
    lanes = (0..<max(1, width)).map { DispatchQueue(label: "\(label)-\($0)", qos: qos) }
    self.capacity = max(1, capacity)
    state = Mutex(State(idleLanes: Array(lanes.indices)))
  }

  /// Has `job` run as soon as a thread is free, in order of submission.
  ///
  /// - Returns: false, and the job never runs, if too many are waiting.
  @discardableResult
  public func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    let (isAccepted, lane) = state.withLock { state -> (Bool, Int?) in
      if let lane = state.idleLanes.popLast() {
        state.waiting.append(job)
        return (true, lane)
      }
      guard state.waiting.count - state.head < capacity else { return (false, nil) }
      state.waiting.append(job)
      return (true, nil)
    }
    if let lane {
      lanes[lane].async { self.run(lane: lane) }
    }
    return isAccepted
  }

  /// How many jobs wait for a thread.
  public var waitingCount: Int { state.withLock { $0.waiting.count - $0.head } }

  private func run(lane: Int) {
    while let job = next(lane: lane) { job() }
  }

  /// The next job; nil, and the lane is idle, if there is none.
  private func next(lane: Int) -> Job? {
    state.withLock { state in
      guard state.head < state.waiting.count else {
        state.waiting.removeAll(keepingCapacity: true)
        state.head = 0
        state.idleLanes.append(lane)
        return nil
      }
      let job = state.waiting[state.head]
      state.head += 1
      if state.head >= 512 {
        state.waiting.removeFirst(state.head)
        state.head = 0
      }
      return job
    }
  }
}
