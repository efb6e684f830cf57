import Foundation
import Testing

@testable import Database

@Suite struct DatabaseTests {
  private let folder: Folder
  private var path: String { folder.file("test.sqlite") }

  init() throws {
    folder = try Folder()
  }

  private func opened(_ access: Database.Access = .readWrite) throws -> Database {
    try Database(path: path, access: access, busyTimeout: 0)
  }

  /// What kind of fault `body` ends with; nil: with none, or another error.
  private func kind(_ body: () throws -> Void) -> DatabaseFault.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DatabaseFault)?.kind
    }
  }

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  // MARK: values

  @Test func `every value comes out as it went in`() throws {
    let database = try opened()
    try database.execute("CREATE TABLE t (a, b, c, d, e)")
    let (text, bytes) = ("é\u{0}\"'😀", [UInt8](0...255))
    let insertion = try database.statement("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)")
    try insertion.bind(1, .min)
    try insertion.bind(2, text)
    try Array(text.utf8).withUnsafeBytes { text in
      try insertion.bind(3, borrowedText: text)
      try bytes.withUnsafeBytes { bytes in
        try insertion.bind(4, borrowedBytes: bytes)
        try insertion.run()
      }
    }
    let row = try database.statement("SELECT a, b, c, d, e, typeof(b), typeof(c), typeof(d) FROM t")
    #expect(try row.step())
    #expect(row.integer(0) == .min && row.text(1) == text && row.text(2) == text && row.bytes(3) == bytes)
    #expect(row.isNull(4) && row.integer(4) == 0 && row.text(4).isEmpty && row.bytes(4).isEmpty)
    #expect([row.text(5), row.text(6), row.text(7)] == ["text", "text", "blob"])
    #expect(try !row.step())
  }

  @Test func `empty is not NULL, and what is not bound is`() throws {
    let database = try opened()
    let row = try database.statement("SELECT ?1 IS NULL, ?2 IS NULL, ?3 IS NULL, ?4 IS NULL, ?5 IS NULL")
    try row.bind(1, "")
    try row.bind(2, borrowedText: UnsafeRawBufferPointer(start: nil, count: 0))
    try row.bind(3, borrowedBytes: UnsafeRawBufferPointer(start: nil, count: 0))
    try row.bind(4, borrowedBytes: nil)
    #expect(try row.step())
    #expect((0..<5).map { row.integer($0) } == [0, 0, 0, 1, 1])
  }

  @Test func `the same text gives the same statement, with nothing bound`() throws {
    let database = try opened()
    let first = try database.statement("SELECT ?1")
    try first.bind(1, 7)
    #expect(try first.step())
    let again = try database.statement("SELECT ?1")
    #expect(first === again)
    #expect(try again.step() && again.isNull(0))
  }

  @Test func `statements do not pile up`() throws {
    let database = try opened()
    for number in 0..<1_000 { #expect(try database.integer("SELECT \(number)") == Int64(number)) }
    #expect(try database.integer("SELECT count(*) FROM sqlite_stmt") ?? 1_000 < 100)
  }

  // MARK: transactions

  @Test func `a transaction is all or nothing`() throws {
    let database = try opened()
    try database.execute("CREATE TABLE t (a UNIQUE)")
    try database.transaction { () throws(DatabaseFault) in try database.execute("INSERT INTO t VALUES (1)") }
    let kind = kind {
      try database.transaction { () throws(DatabaseFault) in
        try database.execute("INSERT INTO t VALUES (2)")
        try database.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(kind == .constraint)
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
    try database.transaction { () throws(DatabaseFault) in try database.execute("INSERT INTO t VALUES (3)") }
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
  }

  // MARK: files

  @Test func `files are for their owner alone, whatever the umask`() throws {
    let database = try opened()
    try database.useJournal(journalByteCount: 1 << 20)
    try database.execute("CREATE TABLE t (a)")
    for name in ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"] { #expect(try mode(folder.file(name)) == 0o600) }
  }

  @Test func `a file that others can read is closed to them`() throws {
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644]))
    _ = try opened()
    #expect(try mode(path) == 0o600)
  }

  @Test func `a reader sees a whole state while the writer goes on`() throws {
    let writer = try opened()
    try writer.useJournal(journalByteCount: 1 << 20)
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try opened(.readOnly)
    let rows = try reader.statement("SELECT a FROM t")
    #expect(try rows.step())
    try writer.execute("INSERT INTO t VALUES (2)")
    #expect(try !rows.step())
    rows.reset()
    #expect(try reader.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func `the journal is written back when nobody needs it`() throws {
    let writer = try opened()
    try writer.useJournal(journalByteCount: 1 << 20)
    try writer.execute("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))")
    let reader = try opened(.readOnly)
    let rows = try reader.statement("SELECT a FROM t")
    #expect(try rows.step())
    try writer.execute("UPDATE t SET a = zeroblob(100001)")
    let held = try writer.writeBack()
    #expect(held.pageCount > 40 && held.writtenBackCount < held.pageCount)
    rows.reset()
    let free = try writer.writeBack()
    #expect(free.pageCount == free.writtenBackCount)
  }

  // MARK: faults

  @Test func `a disk without room is told apart`() throws {
    let database = try opened()
    try database.execute("CREATE TABLE t (a)")
    _ = try database.integer("PRAGMA max_page_count = 3")
    #expect(kind { try database.execute("INSERT INTO t VALUES (zeroblob(100000))") } == .full)
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
  }

  @Test(arguments: [0, 100, 5_000]) func `a file that is no database is told apart`(byteCount: Int) throws {
    try Data(repeating: 0x41, count: byteCount).write(to: URL(filePath: path))
    let kind = kind { _ = try opened().integer("SELECT count(*) FROM sqlite_schema") }
    #expect(kind == (byteCount == 0 ? nil : .corrupt))
  }

  @Test func `a damaged file is told apart`() throws {
    try opened().execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000)); CREATE INDEX i ON t (a)")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: 4_096)
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 8_192))
    try handle.close()
    #expect(kind { _ = try opened().integer("SELECT count(*) FROM t WHERE length(a) > 1") } == .corrupt)
  }

  @Test func `a lock of somebody else is told apart`() throws {
    let (one, other) = (try opened(), try opened())
    try one.execute("CREATE TABLE t (a)")
    try one.transaction { () throws(DatabaseFault) in
      #expect(kind { try other.transaction { () throws(DatabaseFault) in } } == .busy)
    }
    try other.transaction { () throws(DatabaseFault) in try other.execute("INSERT INTO t VALUES (1)") }
  }

  @Test func `what cannot be opened is told apart`() throws {
    #expect(kind { _ = try opened(.readOnly) } == .cannotOpen)
    #expect(kind { _ = try Database(path: folder.file("none/test.sqlite"), access: .readWrite) } == .cannotOpen)
    #expect(kind { _ = try Database(path: folder.path, access: .readWrite) } == .cannotOpen)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
    #expect(kind { _ = try Database(path: folder.file("link"), access: .readWrite) } == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a reader changes nothing`() throws {
    try opened().execute("CREATE TABLE t (a)")
    #expect(kind { try opened(.readOnly).execute("INSERT INTO t VALUES (1)") } == .readOnly)
  }

  @Test func `mistakes and late calls are faults, not the end`() throws {
    let database = try opened()
    #expect(kind { _ = try database.statement("SELECT nonsense FROM nowhere") } == .other)
    #expect(kind { _ = try database.statement("") } == .other)
    let statement = try database.statement("SELECT 1")
    database.close()
    #expect(kind { _ = try statement.step() } == .other)
    #expect(kind { try statement.bind(1, 1) } == .other)
    #expect(statement.bytes(0).isEmpty && statement.text(0).isEmpty)
    #expect(kind { try database.execute("SELECT 1") } == .other)
    #expect(kind { try database.transaction { () throws(DatabaseFault) in } } == .other)
    database.close()
  }

  @Test func `a statement outlives its database without harm`() throws {
    var database: Database? = try opened()
    let statement = try #require(try database?.statement("SELECT 1"))
    database = nil
    #expect(kind { _ = try statement.step() } == .other)
  }

  @Test func `faults name the file`() throws {
    do {
      _ = try opened(.readOnly)
      Issue.record("opened what is not there")
    } catch {
      #expect("\(error)".hasPrefix(path) && "\(error)".contains("No such file"))
    }
  }
}
