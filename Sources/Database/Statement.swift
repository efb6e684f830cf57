import CSQLite

/// A prepared statement of one connection. Bind, step, read, reset; confined like its database, which finalizes it.
public final class Statement {
  private var handle: OpaquePointer?
  private weak var database: Database?

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  /// Moves to the next row; false: there is none (any more), and the statement has done its work.
  public func step() throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let fault = fault(code)
      sqlite3_reset(handle)
      throw fault
    }
  }

  /// Runs a statement that gives no rows.
  public func run() throws(DatabaseFault) {
    defer { reset() }
    while try step() {}
  }

  /// Ready for the next use: what was bound is forgotten, and no lock is held for it.
  public func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  // MARK: parameters, counted from 1; those not bound are NULL

  public func bind(_ place: Int32, _ value: Int64?) throws(DatabaseFault) {
    guard let value else { return }
    try check(sqlite3_bind_int64(handle, place, value))
  }

  public func bind(_ place: Int32, _ value: String) throws(DatabaseFault) {
    var value = value
    try check(
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          pw_sqlite3_bind_text_copied(handle, place, $0.baseAddress, UInt64($0.count))
        }
      })
  }

  /// - Parameter text: UTF-8 that stays where it is until the statement is reset.
  public func bind(_ place: Int32, borrowedText text: UnsafeRawBufferPointer) throws(DatabaseFault) {
    let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    try check(pw_sqlite3_bind_text_borrowed(handle, place, start, UInt64(text.count)))
  }

  /// - Parameter bytes: they stay where they are until the statement is reset. nil: NULL.
  public func bind(_ place: Int32, borrowedBytes bytes: UnsafeRawBufferPointer?) throws(DatabaseFault) {
    guard let bytes else { return }
    try check(pw_sqlite3_bind_blob_borrowed(handle, place, bytes.baseAddress, UInt64(bytes.count)))
  }

  private func check(_ code: Int32) throws(DatabaseFault) {
    guard code == SQLITE_OK else { throw fault(code) }
  }

  private func fault(_ code: Int32) -> DatabaseFault {
    database?.fault(code) ?? DatabaseFault(.other, code: code, "the database is closed")
  }

  // MARK: columns of the current row, counted from 0

  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// 0 for NULL and for what is no number.
  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// 0 for NULL and for what is no number.
  public func number(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Empty for NULL.
  public func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// Text or blob, copied out. Empty for NULL.
  public func bytes(_ column: Int32) -> [UInt8] {
    // The order matters: asking for the address may convert the value, and with it its length.
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
