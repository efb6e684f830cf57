import CSQLite

extension Database {
  /// What the file of changes that wait to be written back (the write-ahead log) came to.
  public struct Journal: Sendable {
    /// Pages in it, and how many of them are written back.
    public let pageCount: Int
    public let writtenBackCount: Int
  }

  /// Readers see a whole state while the writer goes on, and a process that dies leaves a file that is sound. What was written in
  /// the last moments before the power failed may be lost, but nothing is torn (SQLite, "Write-Ahead Logging").
  /// - Parameter journalByteCount: what the journal is cut back to when everything in it is written back.
  public func useJournal(journalByteCount: Int) throws(DatabaseFault) {
    let mode = try statement("PRAGMA journal_mode = WAL")
    defer { mode.reset() }
    guard try mode.step(), mode.text(0).lowercased() == "wal" else {
      throw DatabaseFault(.cannotOpen, "\(path): this file system cannot hold a write-ahead log")
    }
    try execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(journalByteCount)")
  }

  /// Writes back what no reader needs any more, without waiting for readers.
  public func writeBack() throws(DatabaseFault) -> Journal {
    let statement = try statement("PRAGMA wal_checkpoint(PASSIVE)")
    defer { statement.reset() }
    guard try statement.step() else { return Journal(pageCount: 0, writtenBackCount: 0) }
    return Journal(pageCount: Int(statement.integer(1)), writtenBackCount: Int(statement.integer(2)))
  }
}
