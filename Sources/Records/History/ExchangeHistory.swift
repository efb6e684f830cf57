import Database
import Dispatch
import Glibc
import Synchronization

/// The history of exchanges: takes them from the loops, shows them to whoever watches live, keeps them in a file, and gives them
/// out again. Any thread may use it. With the store switched off it serves the feed alone.
///
/// It may lose records, but it never holds up a loop, never stops the daemon, and its cost is bounded (`HistoryIntake`).
public final class ExchangeHistory: Sendable {
  /// Between two groups of exchanges that are written.
  private static let pauseNanoseconds: UInt64 = 50_000_000

  /// More than a group of exchanges takes to be written.
  private static let writingMilliseconds = 500

  public let feed = ExchangeFeed()
  private let report: @Sendable (LogEvent) -> Void
  private let intake: Mutex<HistoryIntake>
  /// Used on the queue only; the lock has no one to keep out.
  private let writer = Mutex(HistoryWriter())
  private let reader = Mutex<ExchangeReader?>(nil)
  private let surveyor = Mutex<ExchangeReader?>(nil)
  private let figures = Mutex(HistoryCounts())
  private let queue = DispatchQueue(label: "pinwarden.history", qos: .utility)
  /// What loops ask: whether there is a store, and whether the intake is open.
  private let isKeeping = Atomic<Bool>(false)
  private let isOpen = Atomic<Bool>(true)
  private let omittedCount = Atomic<Int>(0)
  private let drainedAt = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - settings: nil: nothing is kept.
  ///   - report: takes warnings and news of the history; called on a queue of its own.
  public init(_ settings: HistorySettings?, report: @escaping @Sendable (LogEvent) -> Void) {
    self.report = report
    intake = Mutex(HistoryIntake(now: Self.now))
    use(settings)
  }

  /// From now on it is kept there and so; nil: nothing is. Returns at once; what cannot be done is reported.
  public func use(_ settings: HistorySettings?) {
    isKeeping.store(settings != nil, ordering: .relaxed)
    reader.withLock { reader in
      guard reader?.path != settings?.path else { return }
      reader = settings.map { ExchangeReader(path: $0.path) }
      surveyor.withLock { $0 = settings.map { ExchangeReader(path: $0.path) } }
    }
    queue.async {
      let outcome = self.writer.withLock { $0.use(settings, now: Self.now) }
      self.tell(outcome)
      let mustSchedule = outcome.hasMore && self.intake.withLock { $0.claimSchedule() }
      if mustSchedule { self.schedule(now: Self.now) }
    }
  }

  public var counts: HistoryCounts {
    var counts = figures.withLock { $0 }
    intake.withLock { intake in
      counts.queued = intake.pending.count
      counts.dropped += intake.droppedCount
      counts.bodiesDropped = intake.bodiesDroppedCount
    }
    counts.dropped += omittedCount.load(ordering: .relaxed)
    return counts
  }

  /// Waits until what was submitted is written and the file is closed, at most `milliseconds`. Nothing is kept after it. Not for loops.
  public func close(milliseconds: Int) {
    flush(milliseconds: milliseconds)
    use(nil)
    wait(milliseconds) {}
  }

  /// Waits until what was submitted is written, at most `milliseconds`. Not for loops.
  public func flush(milliseconds: Int) {
    wait(milliseconds) { self.drain() }
  }

  private func wait(_ milliseconds: Int, for work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      work()
      done.signal()
    }
    _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  // MARK: the way in

  /// Nanoseconds of a clock that is never set.
  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  private func schedule(now: UInt64) {
    let next = drainedAt.load(ordering: .relaxed) + Self.pauseNanoseconds
    guard next > now else { return queue.async { self.runScheduled() } }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: next)) { self.runScheduled() }
  }

  private func runScheduled() {
    let hasMore = drain()
    let mustGoOn = intake.withLock { intake in
      // While the intake is shut nobody submits, so it is looked after here.
      intake.isScheduled = hasMore || !intake.isOpen || !intake.pending.isEmpty
      return intake.isScheduled
    }
    if mustGoOn { schedule(now: Self.now) }
  }

  /// Shows and writes what waits.
  /// - Returns: whether the store has more to tidy up.
  @discardableResult private func drain() -> Bool {
    let now = Self.now
    drainedAt.store(now, ordering: .relaxed)
    let batch = intake.withLock { intake in
      let batch = intake.take(now: now)
      isOpen.store(intake.isOpen, ordering: .relaxed)
      return batch
    }
    feed.publish(batch)
    let outcome = writer.withLock { $0.write(batch, now: now) }
    tell(outcome)
    return outcome.hasMore
  }

  private func tell(_ outcome: HistoryWriter.Outcome) {
    figures.withLock { $0.add(outcome) }
    for event in outcome.events { report(event) }
  }
}

extension ExchangeHistory: ExchangeRecorder {
  public var admits: Bool {
    (isKeeping.load(ordering: .relaxed) || feed.isWatched) && isOpen.load(ordering: .relaxed)
  }

  public func submit(_ batch: [RecordedExchange]) {
    guard !batch.isEmpty, isKeeping.load(ordering: .relaxed) || feed.isWatched else { return }
    let now = Self.now
    let mustSchedule = intake.withLock { intake in
      intake.add(batch, now: now)
      if !intake.isOpen { isOpen.store(false, ordering: .relaxed) }
      return intake.claimSchedule()
    }
    if mustSchedule { schedule(now: now) }
  }

  public func omitted() {
    guard isKeeping.load(ordering: .relaxed) || feed.isWatched else { return }
    omittedCount.wrappingAdd(1, ordering: .relaxed)
  }
}

extension ExchangeHistory: ExchangeArchive {
  public func page(_ query: ExchangeQuery) throws -> ExchangePage {
    try read { try $0.page(query) } ?? ExchangePage(exchanges: [], next: nil)
  }

  public func exchange(_ identifier: UInt64) throws -> StoredExchange? {
    if let found = try read({ try $0.exchange(identifier) }) ?? nil { return found }
    // Whoever watches live may ask for an exchange that is just being written.
    flush(milliseconds: Self.writingMilliseconds)
    return try read { try $0.exchange(identifier) } ?? nil
  }

  public func each(_ query: ExchangeQuery, _ body: (StoredExchange) throws -> Void) throws {
    try read { try $0.each(query, body) }
  }

  private func read<Result>(_ body: (ExchangeReader) throws -> Result) throws -> Result? {
    try read(by: reader.withLock { $0 }, body)
  }

  func survey<Result>(_ body: (ExchangeReader) throws -> Result) throws -> Result? {
    try read(by: surveyor.withLock { $0 }, body)
  }

  /// A damaged page that a reader comes upon may never be met by the writer, so it is told.
  private func read<Result>(
    by reader: ExchangeReader?, _ body: (ExchangeReader) throws -> Result
  ) throws -> Result? {
    guard let reader else { return nil }
    do {
      return try body(reader)
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      queue.async { self.tell(self.writer.withLock { $0.damaged(fault, now: Self.now) }) }
      throw fault
    }
  }
}
