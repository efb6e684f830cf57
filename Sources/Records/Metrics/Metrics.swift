import Synchronization

/// What the daemon counts of itself, for `/metrics`. Any thread may use it.
///
/// Each loop adds to counters of its own (`makeLoopCounters`); they are summed when somebody reads. Whatever counts elsewhere (the
/// history, the console, queues) registers how its readings are taken.
public final class Metrics: Sendable {
  /// Takes the readings of some metrics now. Called on the thread of whoever wants the text; may take locks, must not block for long.
  public typealias Source = @Sendable () -> [MetricFamily]

  private struct State {
    var loops: [LoopCounters] = []
    var sources: [Source] = []
  }

  private let process: ProcessReadings
  private let state = Mutex(State())

  /// - Parameter version: the program's, as `pinwarden_build_info` tells it.
  public init(version: String = "unknown") {
    process = ProcessReadings(version: version)
  }

  /// The counters of one loop more, which that loop alone may add to.
  public func makeLoopCounters() -> LoopCounters {
    let counters = LoopCounters()
    state.withLock { $0.loops.append(counters) }
    return counters
  }

  /// Adds metrics that are counted elsewhere. Each name must come from one source only.
  public func register(_ source: @escaping Source) {
    state.withLock { $0.sources.append(source) }
  }

  /// Everything in the text format of Prometheus, version 0.0.4 (`text/plain; version=0.0.4; charset=utf-8`). Reads small files of
  /// /proc: not for loops that carry traffic.
  public func text() -> String {
    let (loops, sources) = state.withLock { ($0.loops, $0.sources) }
    var text = MetricText()
    for family in process.families + LoopCounters.families(of: loops) { text.append(family) }
    for source in sources {
      for family in source() { text.append(family) }
    }
    return text.text
  }

  /// What is to stand as Content-Type beside the text.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"
}
