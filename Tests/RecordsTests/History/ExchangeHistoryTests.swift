import Foundation
import Synchronization
import Testing

@testable import Records

@Suite struct ExchangeHistoryTests {
  /// What a history had to tell.
  private final class Ear: Sendable {
    private let events = Mutex<[LogEvent]>([])
    var names: [String] { events.withLock { $0.map(\.name) } }
    func hear(_ event: LogEvent) { events.withLock { $0.append(event) } }
  }

  private let folder: Folder
  private let ear = Ear()

  init() throws {
    folder = try Folder()
  }

  private func settings(exchanges: Int = 100_000) -> HistorySettings {
    HistorySettings(directory: folder.path, byteCount: 64 << 20, exchangeCount: exchanges)
  }

  private func history(_ settings: HistorySettings?) -> ExchangeHistory {
    ExchangeHistory(settings) { [ear] in ear.hear($0) }
  }

  // MARK: the store

  @Test func `exchanges are written at once, and read again`() async throws {
    let history = history(settings())
    #expect(history.admits)
    history.submit(MadeExchange.plain(0..<3))
    #expect(await eventually { history.counts.stored == 3 })
    #expect(try history.numbers() == [2, 1, 0])
    #expect(try history.exchange(MadeExchange.plain(1).record.identifier)?.number == 1)
    var seen: [Int?] = []
    try history.each(ExchangeQuery()) { seen.append($0.number) }
    #expect(seen == [0, 1, 2])
    let counts = history.counts
    #expect(counts.exchanges == 3 && counts.bytes > 0 && counts.queued == 0 && counts.dropped == 0)
    history.close(milliseconds: 5_000)
  }

  @Test func `everything that was submitted is there after the end`() throws {
    let history = history(settings())
    for number in 0..<100 { history.submit([MadeExchange.plain(number)]) }
    history.close(milliseconds: 10_000)
    #expect(!history.admits)
    history.submit(MadeExchange.plain(100..<110))
    let reader = ExchangeReader(path: HistorySettings.path(in: folder.path))
    #expect(try reader.numbers().count == 100)
    #expect(ear.names.isEmpty)
  }

  @Test func `under overload the rest is dropped and counted, and it goes on`() async throws {
    let history = history(settings())
    var (submitted, omitted) = (0, 0)
    for number in 0..<20_000 {
      if history.admits {
        history.submit([MadeExchange.plain(number)])
        submitted += 1
      } else {
        history.omitted()
        omitted += 1
      }
    }
    #expect(submitted >= 4_096 && omitted > 5_000)
    #expect(await eventually { history.counts.stored == submitted })
    #expect(history.counts.dropped == omitted)
    #expect(await eventually { history.admits })
    history.close(milliseconds: 5_000)
  }

  @Test func `a crowd of loops loses nothing that was admitted`() async throws {
    let history = history(settings())
    await withTaskGroup(of: Void.self) { group in
      for loop in 0..<4 {
        group.addTask {
          for turn in 0..<100 {
            history.submit(MadeExchange.plain((loop * 1_000 + turn * 5)..<(loop * 1_000 + turn * 5 + 5)))
          }
        }
      }
    }
    #expect(await eventually { history.counts.stored == 2_000 })
    #expect(Set(try history.numbers().prefix(1_000)).count == 1_000)
    history.close(milliseconds: 5_000)
  }

  @Test func `bounds hold, and change with the settings`() async throws {
    let history = history(settings(exchanges: 20))
    history.submit(MadeExchange.plain(0..<60))
    #expect(await eventually { history.counts.exchanges == 20 && history.counts.stored == 60 })
    #expect(try history.numbers() == Array((40..<60).reversed()))
    history.use(settings(exchanges: 5))
    #expect(await eventually { history.counts.exchanges == 5 })
    history.use(nil)
    #expect(!history.admits)
    #expect(try history.numbers().isEmpty)
    history.use(settings(exchanges: 5))
    #expect(history.admits)
    #expect(try history.numbers().count == 5)
    history.close(milliseconds: 5_000)
  }

  @Test func `a limit that became much smaller is reached without traffic`() async throws {
    let history = history(settings())
    for start in stride(from: 0, to: 4_000, by: 500) { history.submit(MadeExchange.plain(start..<(start + 500))) }
    #expect(await eventually { history.counts.stored == 4_000 })
    history.use(settings(exchanges: 5))
    #expect(await eventually { history.counts.exchanges == 5 })
    history.close(milliseconds: 5_000)
  }

  @Test func `a file that cannot be opened stops nobody`() async throws {
    let path = folder.file("file")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let history = history(HistorySettings(directory: path, byteCount: 1 << 20, exchangeCount: 10))
    history.submit(MadeExchange.plain(0..<3))
    #expect(await eventually { history.counts.dropped == 3 })
    #expect(history.counts.isFailing && ear.names == ["history-stopped"])
    #expect(try history.numbers().isEmpty)
    history.close(milliseconds: 5_000)
  }

  @Test func `damage that a reader finds is healed`() async throws {
    let history = history(settings())
    history.submit(MadeExchange.plain(0..<200))
    #expect(await eventually { history.counts.stored == 200 })
    history.use(nil)
    history.flush(milliseconds: 5_000)
    let handle = try #require(FileHandle(forWritingAtPath: HistorySettings.path(in: folder.path)))
    try handle.seek(toOffset: UInt64(2 * HistorySchema.pageSize))
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 20 * HistorySchema.pageSize))
    try handle.close()
    history.use(settings())
    #expect(throws: (any Error).self) { try history.each(ExchangeQuery()) { _ in } }
    #expect(await eventually { ear.names == ["history-set-aside"] })
    history.submit([MadeExchange.plain(7)])
    #expect(await eventually { (try? history.numbers()) == [7] })
    history.close(milliseconds: 5_000)
  }

  // MARK: the feed

  @Test func `who watches gets each exchange at once, with and without a store`() async throws {
    for settings in [nil, settings()] {
      let history = history(settings)
      #expect(history.admits == (settings != nil))
      let woken = Atomic<Int>(0)
      let subscription = history.feed.subscribe { woken.add(1, ordering: .relaxed) }
      #expect(history.admits)
      history.submit(MadeExchange.plain(0..<3))
      #expect(await eventually { woken.load(ordering: .relaxed) == 1 })
      let delivery = subscription.take()
      #expect(delivery.lostCount == 0)
      let stored = delivery.records.map {
        StoredExchange(identifier: 0, record: $0, request: nil, response: nil).number
      }
      #expect(stored == [0, 1, 2])
      #expect(subscription.take() == ExchangeSubscription.Delivery())
      history.submit([MadeExchange.plain(3)])
      #expect(await eventually { woken.load(ordering: .relaxed) == 2 })
      subscription.cancel()
      #expect(!history.feed.isWatched && history.admits == (settings != nil))
      history.submit([MadeExchange.plain(4)])
      history.flush(milliseconds: 5_000)
      #expect(woken.load(ordering: .relaxed) == 2 && subscription.take().records.isEmpty)
      history.close(milliseconds: 5_000)
    }
  }

  @Test func `the slow lose the oldest, and are told how many; others lose nothing`() async throws {
    let history = history(nil)
    let slow = history.feed.subscribe(capacity: 10) {}
    let quick = history.feed.subscribe {}
    for start in stride(from: 0, to: 100, by: 20) {
      history.submit(MadeExchange.plain(start..<(start + 20)))
      history.flush(milliseconds: 5_000)
    }
    let delivery = slow.take()
    #expect(delivery.records.count == 10 && delivery.lostCount == 90)
    #expect(String(decoding: delivery.records.last ?? [], as: UTF8.self).contains("/n99\""))
    #expect(quick.take().records.count == 100)
    slow.cancel()
    quick.cancel()
    history.close(milliseconds: 5_000)
  }

  @Test func `large records are bounded by their bytes`() async throws {
    let history = history(nil)
    let slow = history.feed.subscribe(capacity: 1_000) {}
    let long = "https://a.test/" + String(repeating: "x", count: 60_000)
    for number in 0..<200 {
      history.submit([RecordedExchange(record: MadeExchange.record(number, url: long), request: nil, response: nil)])
    }
    history.flush(milliseconds: 5_000)
    let delivery = slow.take()
    #expect(delivery.records.reduce(0) { $0 + $1.count } <= 4 << 20 && delivery.records.count > 50)
    #expect(delivery.records.count + delivery.lostCount == 200)
    slow.cancel()
    history.close(milliseconds: 5_000)
  }

  @Test func `with neither store nor watchers nothing is taken or counted`() {
    let history = history(nil)
    #expect(!history.admits)
    history.submit(MadeExchange.plain(0..<10))
    history.omitted()
    history.flush(milliseconds: 5_000)
    #expect(history.counts == HistoryCounts())
  }
}
