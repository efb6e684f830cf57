import Database

/// Keeps the file of the history open, and going: what cannot be written is dropped, counted, and told once. Confined to the queue
/// of the history.
struct HistoryWriter: ~Copyable {
  /// What came of one round, for its owner to add up and to tell.
  struct Outcome {
    var events: [LogEvent] = []
    var stored = 0
    var dropped = 0
    var exchanges = 0
    var bytes = 0
    var isFailing = false
    var hasMore = false
  }

  /// A file that is damaged so soon again is not set aside: then it is the disk that is at fault. Nanoseconds.
  private static let soundness: UInt64 = 60_000_000_000

  private var settings: HistorySettings?
  private var file: HistoryFile?
  private(set) var store: ExchangeStore?
  private var identity: FileIdentity?
  private var outage = Outage()
  private var droppedInOutage = 0
  private var setAsideAt: UInt64?

  mutating func use(_ settings: HistorySettings?, now: UInt64) -> Outcome {
    if settings?.directory != self.settings?.directory {
      closeStore()
      file = nil
      outage = Outage()
    }
    self.settings = settings
    // Also with nothing to write: limits may have become smaller, and a file that cannot be opened is better told at once.
    return write([], now: now)
  }

  mutating func write(_ batch: [RecordedExchange], now: UInt64) -> Outcome {
    var outcome = Outcome()
    guard let settings else { return outcome }
    if outage.allowsTry(now: now) {
      do throws(DatabaseFault) {
        outcome.hasMore = try attempt(batch, settings, now: now, &outcome)
        outcome.stored = batch.count
        if outage.succeeded(now: now) { tellEnd(&outcome) }
      } catch {
        outcome.dropped = batch.count
        closeStore()
        if outage.failed(now: now) {
          outcome.events.append(LogEvent(.warning, "history-stopped", [("reason", .text(error.description))]))
        }
      }
    } else {
      outcome.dropped = batch.count
    }
    if outage.isOn { droppedInOutage += outcome.dropped }
    outcome.isFailing = outage.isFailing
    outcome.exchanges = store?.exchangeCount ?? 0
    outcome.bytes = store?.byteCount ?? 0
    return outcome
  }

  /// A reader found the file damaged.
  mutating func damaged(_ fault: DatabaseFault, now: UInt64) -> Outcome {
    var outcome = Outcome()
    guard store != nil, mayBeSetAside(fault, now: now) else { return outcome }
    // What cannot be set aside stays as it is; the next who comes upon it tries again.
    try? setAside(fault, now: now, &outcome)
    return outcome
  }

  // MARK: private

  private mutating func attempt(
    _ batch: [RecordedExchange], _ settings: HistorySettings, now: UInt64, _ outcome: inout Outcome
  ) throws(DatabaseFault) -> Bool {
    do throws(DatabaseFault) {
      return try openedStore(settings).append(batch, limits: settings)
    } catch  where mayBeSetAside(error, now: now) {
      try setAside(error, now: now, &outcome)
      return try openedStore(settings).append(batch, limits: settings)
    }
  }

  /// The store, opened if it is not, or if somebody has taken its file away.
  private mutating func openedStore(_ settings: HistorySettings) throws(DatabaseFault) -> ExchangeStore {
    if let store, FileIdentity(store.path) == identity { return store }
    closeStore()
    if file == nil { file = try HistoryFile(directory: settings.directory) }
    let opened = try ExchangeStore(path: settings.path, byteLimit: settings.byteCount)
    identity = FileIdentity(settings.path)
    store = opened
    return opened
  }

  private mutating func closeStore() {
    store?.close()
    store = nil
  }

  private func mayBeSetAside(_ fault: DatabaseFault, now: UInt64) -> Bool {
    guard file != nil, [.corrupt, .foreign].contains(fault.kind) else { return false }
    return setAsideAt.map { now >= $0 + Self.soundness } ?? true
  }

  private mutating func setAside(
    _ fault: DatabaseFault, now: UInt64, _ outcome: inout Outcome
  ) throws(DatabaseFault) {
    closeStore()
    guard let name = try file?.setAside() else { return }
    setAsideAt = now
    outcome.events.append(
      LogEvent(.warning, "history-set-aside", [("file", .text(name)), ("reason", .text(fault.description))]))
  }

  private mutating func tellEnd(_ outcome: inout Outcome) {
    outcome.events.append(LogEvent(.info, "history-resumed", [("dropped", .number(droppedInOutage))]))
    droppedInOutage = 0
  }
}

extension HistoryCounts {
  mutating func add(_ outcome: borrowing HistoryWriter.Outcome) {
    stored += outcome.stored
    dropped += outcome.dropped
    exchanges = outcome.exchanges
    bytes = outcome.bytes
    isFailing = outcome.isFailing
  }
}
