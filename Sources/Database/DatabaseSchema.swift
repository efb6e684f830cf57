/// The tables that a program expects in a file, and how they came to be over its versions.
public struct DatabaseSchema: Sendable {
  /// Stands in the file's head, so that a file of another program is known as such.
  let application: Int32
  /// What makes version n out of n - 1; the first makes the tables in an empty file. Never changed once released, only added to.
  let versions: [String]

  public init(application: Int32, versions: [String]) {
    self.application = application
    self.versions = versions
  }
}

extension Database {
  /// Brings the tables to the newest version in one transaction.
  public func adopt(_ schema: DatabaseSchema) throws(DatabaseFault) {
    let version = try self.version(of: schema)
    guard version < schema.versions.count else { return }
    try transaction { () throws(DatabaseFault) in
      // Another process may have been faster.
      for change in schema.versions[try self.version(of: schema)...] { try execute(change) }
      try execute("PRAGMA application_id = \(schema.application); PRAGMA user_version = \(schema.versions.count)")
    }
  }

  /// Makes sure that the file holds the newest version, without changing it.
  public func check(_ schema: DatabaseSchema) throws(DatabaseFault) {
    let version = try self.version(of: schema)
    guard version == schema.versions.count else {
      throw DatabaseFault(.foreign, "\(path): it has version \(version) of its tables, not \(schema.versions.count)")
    }
  }

  /// 0: the file is empty.
  private func version(of schema: DatabaseSchema) throws(DatabaseFault) -> Int {
    guard try integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else { return 0 }
    guard try integer("PRAGMA application_id") == Int64(schema.application) else {
      throw DatabaseFault(.foreign, "\(path): it is the database of another program")
    }
    let version = Int(try integer("PRAGMA user_version") ?? 0)
    guard (1...schema.versions.count).contains(version) else {
      throw DatabaseFault(
        .foreign, "\(path): it has version \(version) of its tables; this program knows 1 to \(schema.versions.count)")
    }
    return version
  }
}
