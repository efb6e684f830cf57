import Database
import Foundation
import Testing

@testable import Records

@Suite struct ExchangeStoreTests {
  private let folder: Folder
  private var path: String { HistorySettings.path(in: folder.path) }

  init() throws {
    folder = try Folder()
  }

  private func limits(bytes: Int = 64 << 20, exchanges: Int = 100_000) -> HistorySettings {
    HistorySettings(directory: folder.path, byteCount: bytes, exchangeCount: exchanges)
  }

  private func store(bytes: Int = 64 << 20) throws -> ExchangeStore {
    try ExchangeStore(path: path, byteLimit: bytes)
  }

  private func fileByteCount(_ suffix: String = "") -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int) ?? 0
  }

  private var reader: ExchangeReader { ExchangeReader(path: path) }

  // MARK: bounds

  @Test func `the newest stay, no more than may`() throws {
    let store = try store()
    for start in stride(from: 0, to: 60, by: 7) {
      _ = try store.append(MadeExchange.plain(start..<min(60, start + 7)), limits: limits(exchanges: 20))
      #expect(store.exchangeCount <= 20)
    }
    #expect(try reader.numbers() == Array((40..<60).reversed()))
  }

  @Test func `a batch above the limit leaves the newest of it`() throws {
    let store = try store()
    #expect(try !store.append(MadeExchange.plain(0..<500), limits: limits(exchanges: 1)))
    #expect(try reader.numbers() == [499])
  }

  @Test func `bytes are bounded, those of captured bodies too, and so is the file`() throws {
    let store = try store(bytes: 2 << 20)
    for start in stride(from: 0, to: 1_000, by: 20) {
      _ = try store.append(
        MadeExchange.plain(start..<(start + 20), bodyByteCount: 10_000), limits: limits(bytes: 2 << 20))
      #expect(store.byteCount <= 2 << 20)
      // One batch comes before the oldest give way to it.
      #expect(fileByteCount() + fileByteCount("-wal") < 4 << 20)
    }
    let numbers = try reader.numbers()
    #expect(numbers.first == 999 && numbers.count > 50 && numbers.count < 100, "\(numbers.count)")
    #expect(numbers == Array(((1_000 - numbers.count)..<1_000).reversed()))
  }

  @Test func `one exchange above the limit stays until the next comes`() throws {
    let store = try store(bytes: 1 << 20)
    _ = try store.append([MadeExchange.plain(1)], limits: limits(bytes: 1 << 20))
    _ = try store.append([MadeExchange.plain(2, bodyByteCount: 1 << 20)], limits: limits(bytes: 1 << 20))
    #expect(try reader.numbers() == [2])
    _ = try store.append([MadeExchange.plain(3)], limits: limits(bytes: 1 << 20))
    #expect(try reader.numbers() == [3])
  }

  @Test func `a limit that became smaller gives the disk back, step by step`() throws {
    let store = try store()
    for start in stride(from: 0, to: 12_000, by: 1_000) {
      #expect(try !store.append(MadeExchange.plain(start..<(start + 1_000)), limits: limits()))
    }
    let before = fileByteCount()
    var rounds = 1
    while try store.append([], limits: limits(bytes: 1 << 20)) { rounds += 1 }
    #expect(rounds > 3, "no transaction takes it all")
    #expect(before > 8 << 20 && fileByteCount() <= 1 << 20, "\(before) \(fileByteCount())")
    let numbers = try reader.numbers()
    #expect(numbers.first == 11_999 && numbers.count > 100)
  }

  @Test func `space is used again, so the file stays as large as it is`() throws {
    let store = try store()
    var sizes: [Int] = []
    for start in stride(from: 0, to: 10_000, by: 100) {
      _ = try store.append(
        MadeExchange.plain(start..<(start + 100), bodyByteCount: 500), limits: limits(exchanges: 500))
      sizes.append(fileByteCount() + fileByteCount("-wal"))
    }
    #expect(sizes.suffix(50).max() == sizes.prefix(50).max())
  }

  // MARK: what goes wrong

  @Test func `a full disk loses the batch and nothing else`() throws {
    let store = try store()
    _ = try store.append(MadeExchange.plain(0..<10), limits: limits())
    try store.limit(pageCount: store.byteCount / HistorySchema.pageSize + 2)
    #expect {
      _ = try store.append(MadeExchange.plain(10..<1_000), limits: limits())
    } throws: {
      ($0 as? DatabaseFault)?.kind == .full
    }
    #expect(try reader.numbers().count == 10)
    try store.limit(pageCount: 100_000)
    _ = try store.append(MadeExchange.plain(10..<20), limits: limits())
    #expect(try reader.numbers().count == 20)
  }

  /// What a killed process leaves: the file and as much of the journal as had reached the disk.
  @Test func `a journal that is cut anywhere leaves whole batches`() throws {
    let store = try store()
    for start in stride(from: 0, to: 60, by: 10) {
      _ = try store.append(MadeExchange.plain(start..<(start + 10), bodyByteCount: 3_000), limits: limits())
    }
    let (file, journal) = (
      try Data(contentsOf: URL(filePath: path)), try Data(contentsOf: URL(filePath: path + "-wal"))
    )
    #expect(journal.count > 400_000)
    var counts: Set<Int> = []
    for cut in stride(from: 0, through: journal.count, by: 9_973) {
      let copy = try Folder()
      try file.write(to: URL(filePath: HistorySettings.path(in: copy.path)))
      try journal.prefix(cut).write(to: URL(filePath: HistorySettings.path(in: copy.path) + "-wal"))
      let survivor = try ExchangeStore(path: HistorySettings.path(in: copy.path), byteLimit: 64 << 20)
      let numbers = try ExchangeReader(path: HistorySettings.path(in: copy.path)).numbers()
      #expect(numbers.count % 10 == 0 && numbers == Array((0..<numbers.count).reversed()))
      counts.insert(numbers.count)
      _ = try survivor.append([MadeExchange.plain(1_000)], limits: limits())
    }
    #expect(counts == [0, 10, 20, 30, 40, 50])
  }

  @Test func `a reader that holds an old state does not let the journal grow without bound`() throws {
    let store = try store(bytes: 1 << 20)
    _ = try store.append(MadeExchange.plain(0..<10), limits: limits(bytes: 1 << 20))
    let stranger = try Database(path: path, access: .readOnly)
    try stranger.execute("BEGIN; SELECT count(*) FROM exchanges")
    #expect {
      for start in 0..<1_000 {
        _ = try store.append(MadeExchange.plain(start..<(start + 10)), limits: limits(bytes: 1 << 20))
      }
    } throws: {
      ($0 as? DatabaseFault)?.kind == .busy
    }
    #expect(fileByteCount("-wal") < 3 << 20, "\(fileByteCount("-wal"))")
    try stranger.execute("COMMIT")
    _ = try store.append(MadeExchange.plain(0..<10), limits: limits(bytes: 1 << 20))
  }
}
