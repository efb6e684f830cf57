import Database
import Foundation
import Testing

@testable import Records

/// The writer by its own clock.
@Suite struct HistoryWriterTests {
  private static let second: UInt64 = 1_000_000_000

  private let folder: Folder
  private let settings: HistorySettings

  init() throws {
    folder = try Folder()
    settings = HistorySettings(directory: folder.path, byteCount: 64 << 20, exchangeCount: 1_000)
  }

  private var reader: ExchangeReader { ExchangeReader(path: settings.path) }

  private func overwrite(_ path: String, at offset: Int, _ count: Int) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(repeating: 0xA5, count: count))
    try handle.close()
  }

  @Test func `without settings nothing is kept, and nothing lost`() {
    var writer = HistoryWriter()
    let outcome = writer.write(MadeExchange.plain(0..<5), now: 0)
    #expect(outcome.stored == 0 && outcome.dropped == 0 && outcome.events.isEmpty)
  }

  @Test func `what is written is counted`() throws {
    var writer = HistoryWriter()
    _ = writer.use(settings, now: 0)
    let outcome = writer.write(MadeExchange.plain(0..<5), now: 1)
    #expect(outcome.stored == 5 && outcome.exchanges == 5 && outcome.bytes > 0 && !outcome.isFailing)
    #expect(outcome.events.isEmpty)
    #expect(try reader.numbers().count == 5)
  }

  @Test func `a folder that is missing is made, for its owner alone`() throws {
    let deep = HistorySettings(directory: folder.file("a/b"), byteCount: 1 << 20, exchangeCount: 10)
    var writer = HistoryWriter()
    let opened = writer.use(deep, now: 0)
    #expect(opened.events.isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: deep.directory)[.posixPermissions] as? Int
    #expect(mode == 0o700 && FileManager.default.fileExists(atPath: deep.path))
  }

  @Test func `a full disk is told once, costs what comes meanwhile, and is over by itself`() throws {
    var writer = HistoryWriter()
    _ = writer.use(settings, now: 0)
    var dropped = 0
    var events: [LogEvent] = []
    for tick in 0..<25 {
      let now = UInt64(tick) * Self.second
      // A failure closes the file, and a file that is opened again has no limit.
      if writer.store == nil { events += writer.write([], now: now).events }
      if tick < 20 { try writer.store?.limit(pageCount: 5) }
      let outcome = writer.write(MadeExchange.plain(0..<100), now: now)
      #expect((outcome.dropped == 100) == (tick < 20) && outcome.isFailing == (tick < 20))
      dropped += outcome.dropped
      events += outcome.events
    }
    #expect(events.map(\.name) == ["history-stopped"])
    #expect(events.first?.level == .warning && "\(events)".contains("full"))
    #expect(try reader.numbers().count == 500)
    let after = writer.write(MadeExchange.plain(0..<1), now: 60 * Self.second)
    #expect(after.events.map(\.name) == ["history-resumed"] && !after.isFailing && after.stored == 1)
    #expect("\(after.events)".contains("\(dropped)"))
  }

  @Test func `a folder that cannot be is told once, and used when it can be`() throws {
    let blocked = HistorySettings(directory: folder.file("blocked"), byteCount: 1 << 20, exchangeCount: 10)
    #expect(FileManager.default.createFile(atPath: blocked.directory, contents: nil))
    var writer = HistoryWriter()
    let refused = writer.use(blocked, now: 0)
    #expect(refused.events.map(\.name) == ["history-stopped"])
    for tick in 1..<20 {
      let outcome = writer.write(MadeExchange.plain(0..<1), now: UInt64(tick) * Self.second)
      #expect(outcome.dropped == 1 && outcome.events.isEmpty && outcome.isFailing)
    }
    try FileManager.default.removeItem(atPath: blocked.directory)
    let outcome = writer.write(MadeExchange.plain(0..<1), now: 100 * Self.second)
    #expect(outcome.stored == 1 && outcome.events.map(\.name) == ["history-resumed"])
  }

  @Test(arguments: [0, 20]) func `a damaged file is set aside, and another begun`(byteCount: Int) throws {
    try Data(repeating: 0x41, count: 20_000).write(to: URL(filePath: settings.path))
    try Data(repeating: 0x42, count: byteCount).write(to: URL(filePath: settings.path + "-wal"))
    var writer = HistoryWriter()
    let outcome = writer.use(settings, now: 0)
    #expect(outcome.events.map(\.name) == ["history-set-aside"] && outcome.events.first?.level == .warning)
    let written = writer.write(MadeExchange.plain(0..<3), now: 1)
    #expect(written.stored == 3)
    #expect(try reader.numbers() == [2, 1, 0])
    let aside = try Data(contentsOf: URL(filePath: settings.path + ".damaged"))
    #expect(aside == Data(repeating: 0x41, count: 20_000))
  }

  @Test func `a file that is damaged while it is used loses no batch`() throws {
    var writer = HistoryWriter()
    _ = writer.use(settings, now: 0)
    for start in stride(from: 0, to: 900, by: 100) {
      _ = writer.write(MadeExchange.plain(start..<(start + 100)), now: 1)
    }
    _ = writer.use(nil, now: 2)
    // The first page of rows, which tidying comes upon.
    try overwrite(settings.path, at: 2 * HistorySchema.pageSize, 20 * HistorySchema.pageSize)
    var events = writer.use(settings, now: 3).events
    for start in stride(from: 900, to: 2_000, by: 100) {
      let outcome = writer.write(MadeExchange.plain(start..<(start + 100)), now: 4)
      #expect(outcome.stored == 100)
      events += outcome.events
    }
    #expect(events.map(\.name) == ["history-set-aside"])
    #expect(try reader.numbers().first == 1_999)
  }

  @Test func `a disk that damages every file is an outage, not a heap of files`() throws {
    var writer = HistoryWriter()
    var events: [LogEvent] = []
    for tick in 0..<50 {
      try Data(repeating: 0x41, count: 20_000).write(to: URL(filePath: settings.path))
      _ = writer.use(nil, now: UInt64(tick) * Self.second)
      events += writer.use(settings, now: UInt64(tick) * Self.second).events
    }
    #expect(events.count { $0.name == "history-set-aside" } == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.contains("-") }
    #expect(files.count <= 3, "\(files)")
  }

  @Test func `what a reader found damaged is set aside`() throws {
    var writer = HistoryWriter()
    _ = writer.use(settings, now: 0)
    _ = writer.write(MadeExchange.plain(0..<3), now: 1)
    let outcome = writer.damaged(DatabaseFault(.corrupt, "so said the reader"), now: 2)
    #expect(outcome.events.map(\.name) == ["history-set-aside"])
    let again = writer.damaged(DatabaseFault(.corrupt, "said another"), now: 3)
    #expect(again.events.isEmpty)
    let written = writer.write(MadeExchange.plain(7..<8), now: 4)
    #expect(written.stored == 1)
    #expect(try reader.numbers() == [7])
  }

  @Test func `a file of a later version is set aside too`() throws {
    try ExchangeStore(path: settings.path, byteLimit: 1 << 20).close()
    try Database(path: settings.path, access: .readWrite).execute("PRAGMA user_version = 99")
    var writer = HistoryWriter()
    let opened = writer.use(settings, now: 0)
    #expect(opened.events.map(\.name) == ["history-set-aside"])
    let written = writer.write(MadeExchange.plain(0..<1), now: 1)
    #expect(written.stored == 1)
  }

  @Test func `a file that was taken away is made again`() throws {
    var writer = HistoryWriter()
    _ = writer.use(settings, now: 0)
    _ = writer.write(MadeExchange.plain(0..<3), now: 1)
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: settings.path + suffix) }
    let written = writer.write(MadeExchange.plain(5..<6), now: 2)
    #expect(written.stored == 1)
    #expect(try reader.numbers() == [5])
  }

  @Test func `a second daemon keeps out until the first is gone`() throws {
    var first = HistoryWriter()
    var second = HistoryWriter()
    _ = first.use(settings, now: 0)
    let refused = second.use(settings, now: 0)
    #expect(refused.events.map(\.name) == ["history-stopped"] && "\(refused.events)".contains("another daemon"))
    let kept = first.write(MadeExchange.plain(0..<1), now: 1)
    #expect(kept.stored == 1)
    let lost = second.write(MadeExchange.plain(1..<2), now: 100 * Self.second)
    #expect(lost.dropped == 1)
    _ = first.use(nil, now: 2)
    let taken = second.write(MadeExchange.plain(2..<3), now: 200 * Self.second)
    #expect(taken.stored == 1)
    #expect(try reader.numbers() == [2, 0])
  }

  @Test func `limits and places change while it runs`() throws {
    var writer = HistoryWriter()
    _ = writer.use(settings, now: 0)
    _ = writer.write(MadeExchange.plain(0..<100), now: 1)
    let smaller = HistorySettings(directory: folder.path, byteCount: 64 << 20, exchangeCount: 10)
    let shrunk = writer.use(smaller, now: 2)
    #expect(shrunk.exchanges == 10)
    let other = try Folder()
    let elsewhere = HistorySettings(directory: other.path, byteCount: 64 << 20, exchangeCount: 10)
    let moved = writer.use(elsewhere, now: 3)
    #expect(moved.exchanges == 0)
    // A reader leaves an empty journal behind, so this is looked at first.
    #expect(!FileManager.default.fileExists(atPath: settings.path + "-wal"), "closed, and written back")
    let written = writer.write(MadeExchange.plain(5..<6), now: 4)
    #expect(written.stored == 1)
    #expect(try reader.numbers().count == 10 && ExchangeReader(path: elsewhere.path).numbers() == [5])
    let closed = writer.use(nil, now: 5)
    #expect(closed.exchanges == 0)
  }
}
