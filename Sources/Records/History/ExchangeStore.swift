import Bytes
import Database

/// The file of the history, as its writer sees it. Confined to one thread at a time; readers have connections of their own.
final class ExchangeStore {
  /// The journal may grow to so many times what it should be while a reader of another program keeps an old state.
  private static let journalPatience = 8
  /// Rows that are taken away in one go at most, so that no transaction grows without bound.
  private static let tidyingStep = 2_000
  /// Free pages that are given back to the file system in one go at most.
  private static let returningStep = 512

  let path: String
  private let database: Database
  private let room = ByteQueue()
  /// Pages that the journal should hold at most.
  private var journalLimit = 0
  private var journalCount = 0
  private(set) var exchangeCount = 0
  /// What the exchanges take in the file, without pages that are free.
  private(set) var byteCount = 0

  init(path: String, byteLimit: Int) throws(DatabaseFault) {
    self.path = path
    database = try Database(path: path, access: .readWrite)
    // The first two only have an effect on an empty file, before anything else is said to it.
    try database.execute(
      """
      PRAGMA page_size = \(HistorySchema.pageSize); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = FAST;
      PRAGMA cell_size_check = ON
      """)
    let journal = Self.journalLimit(byteLimit)
    try database.useJournal(journalByteCount: journal * HistorySchema.pageSize)
    journalLimit = journal
    // It is written back here, where a failure is seen.
    try database.execute("PRAGMA wal_autocheckpoint = 0")
    try database.adopt(HistorySchema.schema)
    try measure()
  }

  /// Ends the connection; nothing can be done with the store afterwards.
  func close() {
    database.close()
  }

  /// For tests: a file that may not grow further is as good as a full disk.
  func limit(pageCount: Int) throws(DatabaseFault) {
    _ = try database.integer("PRAGMA max_page_count = \(pageCount)")
  }

  // MARK: writing

  /// Writes the exchanges and takes away the oldest that are too many, as one change.
  /// - Returns: whether there is more to tidy up, because a limit became much smaller.
  func append(_ batch: [RecordedExchange], limits: HistorySettings) throws(DatabaseFault) -> Bool {
    try use(byteLimit: limits.byteCount)
    try emptyJournal()
    let hasMore = try database.transaction { () throws(DatabaseFault) in
      for exchange in batch { try append(exchange) }
      return try tidy(limits)
    }
    try emptyJournal()
    return hasMore
  }

  private func append(_ exchange: RecordedExchange) throws(DatabaseFault) {
    let row = ExchangeRow(exchange, in: room)
    let statement = try database.statement(HistorySchema.insertion)
    defer { statement.reset() }
    try row.bind(to: statement, from: room)
    _ = try statement.step()
    journalCount += 1 + room.count / HistorySchema.pageSize
  }

  /// A sixteenth of the file, within reason: what waits there is part of what the history may take.
  private static func journalLimit(_ byteLimit: Int) -> Int {
    min(max(byteLimit / 16 / HistorySchema.pageSize, 16), 512)
  }

  private func use(byteLimit: Int) throws(DatabaseFault) {
    let limit = Self.journalLimit(byteLimit)
    guard limit != journalLimit else { return }
    _ = try database.integer("PRAGMA journal_size_limit = \(limit * HistorySchema.pageSize)")
    journalLimit = limit
  }

  /// Writes back what the journal holds once that is enough.
  private func emptyJournal() throws(DatabaseFault) {
    guard journalCount >= journalLimit else { return }
    room.removeAll()
    room.releaseIfEmpty()
    let journal = try database.writeBack()
    journalCount = journal.pageCount - journal.writtenBackCount
    guard journalCount > journalLimit * Self.journalPatience else { return }
    throw DatabaseFault(.busy, "\(path): another program has kept an old state of it open for too long")
  }

  // MARK: bounds

  /// Takes away the oldest.
  private func tidy(_ limits: HistorySettings) throws(DatabaseFault) -> Bool {
    try measure()
    let pageLimit = max(1, limits.byteCount / HistorySchema.pageSize - journalLimit)
    var allowance = Self.tidyingStep
    while allowance > 0, exchangeCount > 1 {
      let pageCount = byteCount / HistorySchema.pageSize
      let excess = max(
        exchangeCount - limits.exchangeCount,
        pageCount > pageLimit ? max(1, (pageCount - pageLimit) * exchangeCount / pageCount) : 0)
      guard excess > 0 else { break }
      let count = min(excess, allowance, exchangeCount - 1)
      try remove(oldest: count)
      allowance -= count
      try measure()
    }
    return try returnPages(beyond: pageLimit) || allowance <= 0
  }

  private func remove(oldest count: Int) throws(DatabaseFault) {
    let statement = try database.statement(
      "DELETE FROM exchanges WHERE sequence < (SELECT min(sequence) FROM exchanges) + ?1")
    try statement.bind(1, Int64(count))
    try statement.run()
    journalCount += 1 + count / 8
  }

  /// Free pages are used again first; those that the limit leaves no use for go back to the file system.
  private func returnPages(beyond pageLimit: Int) throws(DatabaseFault) -> Bool {
    let pageCount = Int(try database.integer("PRAGMA page_count") ?? 0)
    let freeCount = Int(try database.integer("PRAGMA freelist_count") ?? 0)
    let excess = min(pageCount - pageLimit, freeCount)
    guard excess > 0 else { return false }
    let step = min(excess, Self.returningStep)
    try database.execute("PRAGMA incremental_vacuum(\(step))")
    journalCount += step
    return excess > step
  }

  private func measure() throws(DatabaseFault) {
    // Asked for in one SELECT, first and last would cost a walk through all rows.
    let statement = try database.statement(
      "SELECT (SELECT min(sequence) FROM exchanges), (SELECT max(sequence) FROM exchanges)")
    defer { statement.reset() }
    let isEmpty = try !statement.step() || statement.isNull(0)
    exchangeCount = isEmpty ? 0 : Int(statement.integer(1) - statement.integer(0) + 1)
    let pageCount = try database.integer("PRAGMA page_count") ?? 0
    byteCount = Int(pageCount - (try database.integer("PRAGMA freelist_count") ?? 0)) * HistorySchema.pageSize
  }
}
