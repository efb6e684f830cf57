import Database
import Synchronization

/// Reads the history, in a connection of its own, that never waits for the writer. Any thread may use it, and it may block on the
/// disk. A file that is not there, or has no tables yet, is an empty history.
public final class ExchangeReader: Sendable {
  /// The connection, and the file that it was opened on.
  private struct Opened {
    let database: Database
    let identity: FileIdentity
  }

  let path: String
  private let opened = Mutex<Opened?>(nil)

  /// - Parameter path: of the file (`HistorySettings.path(in:)`). It is opened at the first look.
  public init(path: String) {
    self.path = path
  }

  /// Makes sure that the file is there and can be read.
  public func check() throws(DatabaseFault) {
    guard FileIdentity(path) != nil else { throw DatabaseFault(.cannotOpen, "\(path): there is no such file") }
    _ = try read { database throws(DatabaseFault) in try database.integer("SELECT max(sequence) FROM exchanges") }
  }

  /// Runs `body` with the connection; nil without a history. Nothing is kept locked in the file afterwards.
  func read<Result: Sendable>(
    _ body: @Sendable (Database) throws(DatabaseFault) -> Result?
  ) throws(DatabaseFault) -> Result? {
    try opened.withLock { opened throws(DatabaseFault) in
      guard let database = try Self.database(path, &opened) else { return nil }
      do throws(DatabaseFault) {
        return try body(database)
      } catch {
        // Whatever is the matter with it, the next look begins with a new connection.
        opened = nil
        throw error
      }
    }
  }

  /// A file that was set aside or taken away is let go.
  private static func database(_ path: String, _ opened: inout Opened?) throws(DatabaseFault) -> Database? {
    let identity = FileIdentity(path)
    if let opened, opened.identity == identity { return opened.database }
    opened = nil
    guard let identity else { return nil }
    let database = try Database(path: path, access: .readOnly)
    guard try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else { return nil }
    try database.check(HistorySchema.schema)
    opened = Opened(database: database, identity: identity)
    return database
  }
}

extension ExchangeReader: ExchangeArchive {
  public func page(_ query: ExchangeQuery) throws -> ExchangePage {
    let limit = min(max(query.limit, 1), ExchangeQuery.limits.upperBound)
    let (conditions, skip) = try Self.selection(query)
    let rows = try read { database throws(DatabaseFault) in
      let statement = try conditions.statement(
        "sequence, identifier, record", order: "DESC", limit: limit + 1, skip: skip, in: database)
      defer { statement.reset() }
      var rows: [(sequence: Int64, exchange: StoredExchange)] = []
      while try statement.step() {
        let exchange = StoredExchange(
          identifier: UInt64(bitPattern: statement.integer(1)), record: statement.bytes(2), request: nil, response: nil)
        rows.append((statement.integer(0), exchange))
      }
      return rows
    }
    guard let rows else { return ExchangePage(exchanges: [], next: nil) }
    let shown = rows.prefix(limit)
    let next = rows.count > limit ? shown.last.map { HistoryCursor.text($0.sequence) } : nil
    let start = shown.first.map { HistoryCursor.text($0.sequence + 1) }
    return ExchangePage(exchanges: shown.map(\.exchange), start: start, next: next)
  }

  /// What a page shows, and how many rows are to be passed over for it. Behind a cursor alone they need not be walked through, since
  /// the numbers have no holes.
  private static func selection(_ query: ExchangeQuery) throws(ExchangeQueryFault) -> (ExchangeSelection, skip: Int) {
    let skip = max(0, query.skip)
    let selection = ExchangeSelection(query)
    guard selection.isEmpty, skip > 0, let cursor = query.cursor else {
      return (try selection.before(query.cursor), skip)
    }
    var narrower = selection
    narrower.add("sequence < ?", .number(try HistoryCursor.sequence(cursor) - Int64(skip)))
    return (narrower, 0)
  }

  public func exchange(_ identifier: UInt64) throws -> StoredExchange? {
    try read { database throws(DatabaseFault) in
      let statement = try database.statement(
        """
        SELECT sequence, identifier, record, request, response FROM exchanges WHERE identifier = ?1
        ORDER BY sequence DESC LIMIT 1
        """)
      defer { statement.reset() }
      try statement.bind(1, Int64(bitPattern: identifier))
      return try statement.step() ? Self.exchange(statement) : nil
    }
  }

  /// Each is read by itself, so that neither the memory nor the journal grows with the walk: between two of them nothing is locked.
  /// Exchanges that end after it began are not part of it, and those that give way meanwhile are left out.
  public func each(_ query: ExchangeQuery, _ body: (StoredExchange) throws -> Void) throws {
    let end = try read { database throws(DatabaseFault) in try database.integer("SELECT max(sequence) FROM exchanges") }
    guard let end else { return }
    var sequence: Int64 = 0
    while let (next, exchange) = try next(after: sequence, until: end, query) {
      try body(exchange)
      sequence = next
    }
  }

  private func next(
    after sequence: Int64, until end: Int64, _ query: ExchangeQuery
  ) throws(DatabaseFault) -> (Int64, StoredExchange)? {
    var selection = ExchangeSelection(query)
    selection.add("sequence > ?", .number(sequence))
    selection.add("sequence <= ?", .number(end))
    let conditions = selection
    return try read { database throws(DatabaseFault) in
      let statement = try conditions.statement(
        "sequence, identifier, record, request, response", order: "ASC", limit: 1, in: database)
      defer { statement.reset() }
      return try statement.step() ? (statement.integer(0), Self.exchange(statement)) : nil
    }
  }

  private static func exchange(_ statement: Statement) -> StoredExchange {
    func message(_ column: Int32) -> CapturedMessage? {
      statement.isNull(column) ? nil : MessageCoding.message(statement.bytes(column))
    }
    return StoredExchange(
      identifier: UInt64(bitPattern: statement.integer(1)), record: statement.bytes(2), request: message(3),
      response: message(4))
  }
}
