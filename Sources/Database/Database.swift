import CSQLite
import Glibc

/// One connection to a database file. Confined to one thread at a time; whoever shares it puts a lock around it.
///
/// Nothing here ends the process: whatever SQLite reports comes out as a `DatabaseFault`.
public final class Database {
  public enum Access: Sendable {
    /// The file is made if there is none, for its owner alone.
    case readWrite
    /// The file must be there. Several readers and one writer do not wait for each other.
    case readOnly
  }

  public let path: String
  private var connection: OpaquePointer?
  private var statements: [String: Statement] = [:]
  /// Statements are kept for the next use; more than so many are forgotten and begun anew.
  private static let statementLimit = 64

  /// - Parameter busyTimeout: milliseconds to wait for a lock of another process.
  public init(path: String, access: Access, busyTimeout: Int32 = 2_000) throws(DatabaseFault) {
    self.path = path
    if access == .readWrite { try Self.prepareFile(path) }
    connection = try Self.open(path, access, busyTimeout)
  }

  deinit {
    close()
  }

  /// Ends the connection; whatever is asked of it afterwards fails. Nothing, if that was done before.
  public func close() {
    forgetStatements()
    sqlite3_close_v2(connection)
    connection = nil
  }

  // MARK: statements

  /// A statement, ready to be bound. The same text gives the same statement, so one that is still in use must not be asked for again.
  public func statement(_ text: String) throws(DatabaseFault) -> Statement {
    if let known = statements[text] {
      known.reset()
      return known
    }
    if statements.count >= Self.statementLimit { forgetStatements() }
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw fault(code == SQLITE_OK ? SQLITE_MISUSE : code) }
    let made = Statement(handle, of: self)
    statements[text] = made
    return made
  }

  /// Runs statements that give no rows, one after the other.
  public func execute(_ text: String) throws(DatabaseFault) {
    let code = sqlite3_exec(connection, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw fault(code) }
  }

  /// The first column of the first row; nil when there is no row, or NULL in it.
  public func integer(_ text: String) throws(DatabaseFault) -> Int64? {
    let statement = try statement(text)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Runs `body` as one change: all of it is kept, or nothing.
  public func transaction<Result>(
    _ body: () throws(DatabaseFault) -> Result
  ) throws(DatabaseFault) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseFault) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // SQLite has undone it itself after some errors; then there is nothing to undo, and no reason to hide the first error.
      if let connection, sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func run(_ text: String) throws(DatabaseFault) {
    let statement = try statement(text)
    defer { statement.reset() }
    while try statement.step() {}
  }

  private func forgetStatements() {
    for statement in statements.values { statement.finalize() }
    statements = [:]
  }

  // MARK: faults

  /// The fault of the last call.
  func fault(_ code: Int32) -> DatabaseFault {
    guard let connection else { return DatabaseFault(.other, code: code, "\(path): the connection is closed") }
    let extended = sqlite3_extended_errcode(connection)
    let known = extended & 0xFF == code & 0xFF ? extended : code
    return DatabaseFault(code: known, path: path, message: Self.message(connection, code))
  }

  static func message(_ connection: OpaquePointer?, _ code: Int32) -> String {
    let words = String(cString: sqlite3_errmsg(connection) ?? sqlite3_errstr(code))
    let system = sqlite3_system_errno(connection)
    let isOfSystem = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF) && system != 0
    return isOfSystem ? "\(words) (\(String(cString: strerror(system))))" : words
  }
}
