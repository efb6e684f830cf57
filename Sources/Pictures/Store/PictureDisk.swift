import Database
import Glibc
import HTTP

/// The pictures on disk: one SQLite file in the state directory. Confined to one thread at a time.
///
/// A process that dies in the middle of a change leaves all of it or nothing, so half a picture is never found. Bounded: when it is full,
/// those go that were used the longest ago, until half is free, as SDWebImage sweeps its files.
final class PictureDisk {
  private let database: Database
  private(set) var byteCount = 0
  private(set) var evictionCount = 0
  var byteLimit: Int

  /// What a picture takes besides its body.
  private static let overhead = 1_024
  /// Bytes that may wait in the journal.
  private static let journalByteCount = 4 << 20

  /// - Parameter folder: made if it is not there, for the owner alone.
  init(folder: String, byteLimit: Int) throws(DatabaseFault) {
    try Self.makeFolder(folder)
    self.byteLimit = byteLimit
    database = try Database(path: "\(folder)/pictures.sqlite3", access: .readWrite)
    // The first two only have an effect on an empty file.
    try database.execute(
      "PRAGMA page_size = \(PictureSchema.pageSize); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON"
    )
    try database.useJournal(journalByteCount: Self.journalByteCount)
    try database.adopt(PictureSchema.schema)
    byteCount = Int(try database.integer("SELECT sum(bytes) FROM pictures") ?? 0)
    try sweep()
  }

  func close() {
    database.close()
  }

  /// Takes away the file, which is damaged or somebody else's; a cache can begin anew.
  static func discard(folder: String) {
    for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/pictures.sqlite3\(suffix)") }
  }

  private static func makeFolder(_ folder: String) throws(DatabaseFault) {
    guard mkdir(folder, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw DatabaseFault(system: errno, path: folder) }
    guard chmod(folder, 0o700) == 0 else { throw DatabaseFault(system: errno, path: folder) }
  }

  // MARK: reading

  /// Calls `body` with the URL of each picture.
  func forEachURL(_ body: (String) -> Void) throws(DatabaseFault) {
    let statement = try database.statement("SELECT DISTINCT url FROM pictures")
    defer { statement.reset() }
    while try statement.step() { body(statement.text(0)) }
  }

  /// The newest that fits (RFC 9111, section 4.1).
  func find(_ question: PictureQuestion) throws(DatabaseFault) -> StoredPicture? {
    var best: (id: Int64, picture: StoredPicture)?
    for row in try rows(at: question.place) where row.picture.answers(question) {
      if best.map({ row.picture.isNewer(than: $0.picture) }) ?? true { best = row }
    }
    guard let best else { return nil }
    let statement = try database.statement("SELECT body FROM bodies WHERE id = ?1")
    defer { statement.reset() }
    try statement.bind(1, best.id)
    guard try statement.step() else { return nil }
    return best.picture.with(body: statement.bytes(0))
  }

  /// What is known of the pictures of one place; their bodies stay where they are.
  private func rows(at place: PicturePlace) throws(DatabaseFault) -> [(id: Int64, picture: StoredPicture)] {
    let statement = try database.statement(PictureSchema.selection)
    defer { statement.reset() }
    try statement.bind(1, place.url)
    try statement.bind(2, place.scope)
    try statement.bind(3, place.decision)
    var rows: [(Int64, StoredPicture)] = []
    while try statement.step() {
      guard let variant = FieldCoding.variant(statement.bytes(6)), let fields = FieldCoding.fields(statement.bytes(7))
      else { continue }
      let picture = StoredPicture(
        place: place, status: Int(statement.integer(2)), reason: statement.bytes(5), fields: fields, body: [],
        variant: variant, requested: statement.integer(3), received: statement.integer(4), used: statement.integer(1))
      rows.append((statement.integer(0), picture))
    }
    return rows
  }

  // MARK: writing

  /// Takes a picture in place of those that `question` would have got so far.
  func insert(_ picture: StoredPicture, for question: PictureQuestion) throws(DatabaseFault) {
    guard picture.body.count + Self.overhead <= byteLimit / 2 else { return }
    try database.transaction { () throws(DatabaseFault) in
      for row in try rows(at: picture.place)
      where row.picture.answers(question) || row.picture.variant == picture.variant {
        try remove(row.id)
      }
      let id = try insert(picture)
      let statement = try database.statement("INSERT INTO bodies (id, body) VALUES (?1, ?2)")
      try statement.bind(1, id)
      try withBytes(picture.body) { bytes throws(DatabaseFault) in
        try statement.bind(2, borrowedBytes: bytes)
        try statement.run()
      }
    }
    try measure()
    try sweep()
  }

  private func insert(_ picture: StoredPicture) throws(DatabaseFault) -> Int64 {
    let statement = try database.statement(PictureSchema.insertion)
    defer { statement.reset() }
    try statement.bind(1, picture.place.url)
    try statement.bind(2, picture.place.scope)
    try statement.bind(3, picture.place.decision)
    try statement.bind(4, picture.lastUse)
    try statement.bind(5, Int64(picture.body.count + Self.overhead))
    try statement.bind(6, Int64(picture.status))
    try statement.bind(7, picture.requested)
    try statement.bind(8, picture.received)
    let variant = FieldCoding.bytes(picture.variant)
    let fields = FieldCoding.bytes(picture.fields)
    return try withBytes(picture.reason) { reason throws(DatabaseFault) in
      try withBytes(variant) { variant throws(DatabaseFault) in
        try withBytes(fields) { fields throws(DatabaseFault) in
          try statement.bind(9, borrowedBytes: reason)
          try statement.bind(10, borrowedBytes: variant)
          try statement.bind(11, borrowedBytes: fields)
          return try statement.step() ? statement.integer(0) : 0
        }
      }
    }
  }

  /// A picture was confirmed by its origin: its fields and times are new.
  func refresh(_ picture: StoredPicture) throws(DatabaseFault) {
    for row in try rows(at: picture.place) where row.picture.variant == picture.variant {
      let statement = try database.statement(
        "UPDATE pictures SET requested = ?2, received = ?3, used = ?4, fields = ?5 WHERE id = ?1")
      try statement.bind(1, row.id)
      try statement.bind(2, picture.requested)
      try statement.bind(3, picture.received)
      try statement.bind(4, picture.lastUse)
      try withBytes(FieldCoding.bytes(picture.fields)) { bytes throws(DatabaseFault) in
        try statement.bind(5, borrowedBytes: bytes)
        try statement.run()
      }
    }
  }

  func used(_ place: PicturePlace, at now: Int64) throws(DatabaseFault) {
    let statement = try database.statement(
      "UPDATE pictures SET used = max(used, ?1) WHERE url = ?2 AND scope = ?3 AND decision = ?4")
    try statement.bind(1, now)
    try statement.bind(2, place.url)
    try statement.bind(3, place.scope)
    try statement.bind(4, place.decision)
    try statement.run()
  }

  // MARK: removing

  func remove(url: String) throws(DatabaseFault) {
    let statement = try database.statement("DELETE FROM pictures WHERE url = ?1")
    try statement.bind(1, url)
    try statement.run()
    try measure()
  }

  /// What came under another decision of the scope is gone, in the file and in its journal too.
  func wipe(scope: String, except decision: String) throws(DatabaseFault) {
    try wipe("DELETE FROM pictures WHERE scope = ?1 AND decision <> ?2", scope, decision)
  }

  /// What came under that decision of the scope is gone.
  func wipe(scope: String, decision: String) throws(DatabaseFault) {
    try wipe("DELETE FROM pictures WHERE scope = ?1 AND decision = ?2", scope, decision)
  }

  private func wipe(_ deletion: String, _ scope: String, _ decision: String) throws(DatabaseFault) {
    let statement = try database.statement(deletion)
    try statement.bind(1, scope)
    try statement.bind(2, decision)
    try statement.run()
    let before = byteCount
    try measure()
    guard byteCount < before else { return }
    try database.execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func remove(_ id: Int64) throws(DatabaseFault) {
    let statement = try database.statement("DELETE FROM pictures WHERE id = ?1")
    try statement.bind(1, id)
    try statement.run()
  }

  private func measure() throws(DatabaseFault) {
    byteCount = Int(try database.integer("SELECT sum(bytes) FROM pictures") ?? 0)
  }

  /// To half of the limit, those first that were used the longest ago.
  func sweep() throws(DatabaseFault) {
    guard byteCount > byteLimit else { return }
    try database.transaction { () throws(DatabaseFault) in
      for (id, bytes) in try oldest(byteCount - byteLimit / 2) {
        try remove(id)
        byteCount -= bytes
        evictionCount += 1
      }
    }
    try database.execute("PRAGMA incremental_vacuum")
  }

  /// Those used the longest ago, so many bytes of them.
  private func oldest(_ excess: Int) throws(DatabaseFault) -> [(Int64, Int)] {
    let statement = try database.statement("SELECT id, bytes FROM pictures ORDER BY used")
    defer { statement.reset() }
    var found: [(Int64, Int)] = []
    var sum = 0
    while sum < excess, try statement.step() {
      found.append((statement.integer(0), Int(statement.integer(1))))
      sum += Int(statement.integer(1))
    }
    return found
  }
}

/// As `withUnsafeBytes`, with a typed error; the pointer of an empty array is not nil, which SQLite would take for NULL.
private func withBytes<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(DatabaseFault) -> Result
) throws(DatabaseFault) -> Result {
  guard !bytes.isEmpty else {
    let nothing: [UInt8] = [0]
    return try nothing.span.bytes.withUnsafeBytes { room throws(DatabaseFault) in
      try body(UnsafeRawBufferPointer(rebasing: room[..<0]))
    }
  }
  return try bytes.span.bytes.withUnsafeBytes { bytes throws(DatabaseFault) in try body(bytes) }
}
