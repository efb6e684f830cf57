import Testing

@testable import Database

@Suite struct DatabaseSchemaTests {
  private static let first = DatabaseSchema(application: 7, versions: ["CREATE TABLE t (a); INSERT INTO t VALUES (1)"])
  private static let second = DatabaseSchema(
    application: 7, versions: first.versions + ["ALTER TABLE t ADD COLUMN b DEFAULT 2"])

  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func opened() throws -> Database {
    try Database(path: folder.file("test.sqlite"), access: .readWrite)
  }

  private func isForeign(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      return (error as? DatabaseFault)?.kind == .foreign
    }
  }

  @Test func `an empty file gets all versions`() throws {
    let database = try opened()
    try database.adopt(Self.second)
    #expect(try database.integer("SELECT b FROM t") == 2)
    try database.check(Self.second)
  }

  @Test func `an old file keeps its rows and gets what is new, once`() throws {
    try opened().adopt(Self.first)
    for _ in 0..<2 { try opened().adopt(Self.second) }
    #expect(try opened().integer("SELECT a + b FROM t") == 3)
    #expect(try opened().integer("PRAGMA user_version") == 2)
  }

  @Test func `a file of a later version is left alone`() throws {
    try opened().adopt(Self.second)
    #expect(isForeign { try opened().adopt(Self.first) })
    #expect(isForeign { try opened().check(Self.first) })
    #expect(try opened().integer("SELECT b FROM t") == 2)
  }

  @Test func `a file of another program is left alone`() throws {
    try opened().execute("CREATE TABLE theirs (a)")
    #expect(isForeign { try opened().adopt(Self.first) })
    try opened().execute("PRAGMA application_id = 7")
    #expect(isForeign { try opened().adopt(Self.first) }, "tables without a version are not ours either")
  }

  @Test func `a reader does not take an old file for a new one`() throws {
    try opened().adopt(Self.first)
    #expect(isForeign { try opened().check(Self.second) })
    try opened().check(Self.first)
  }

  @Test func `a change that fails leaves the version that was there`() throws {
    try opened().adopt(Self.first)
    let broken = DatabaseSchema(application: 7, versions: Self.first.versions + ["DROP TABLE t; SELECT nonsense"])
    #expect(throws: DatabaseFault.self) { try opened().adopt(broken) }
    #expect(try opened().integer("SELECT a FROM t") == 1)
    #expect(try opened().integer("PRAGMA user_version") == 1)
  }
}
