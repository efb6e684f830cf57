import Database
import Foundation
import Policy
import Testing

@testable import Records

@Suite struct ExchangeReaderTests {
  private let folder: Folder
  private let store: ExchangeStore
  private let reader: ExchangeReader
  private let limits: HistorySettings

  init() throws {
    folder = try Folder()
    let path = HistorySettings.path(in: folder.path)
    store = try ExchangeStore(path: path, byteLimit: 64 << 20)
    reader = ExchangeReader(path: path)
    limits = HistorySettings(directory: folder.path, byteCount: 64 << 20, exchangeCount: 1_000)
  }

  private func append(_ exchanges: [RecordedExchange]) throws {
    _ = try store.append(exchanges, limits: limits)
  }

  private func append(_ records: ExchangeRecord...) throws {
    try append(records.map { RecordedExchange(record: $0, request: nil, response: nil) })
  }

  /// The URLs that a query finds.
  private func urls(_ change: (inout ExchangeQuery) -> Void) throws -> [String] {
    var query = ExchangeQuery()
    change(&query)
    return try reader.page(query).exchanges.map { try #require($0.facts?.url) }
  }

  // MARK: pages

  @Test func `a cursor gives each exchange once while others come and go`() throws {
    try append(MadeExchange.plain(0..<1_000))
    var (seen, query, next) = ([Int](), ExchangeQuery(limit: 64), 1_000)
    repeat {
      let page = try reader.page(query)
      #expect(page.exchanges.count <= 64)
      seen += page.exchanges.compactMap(\.number)
      query.cursor = page.next
      // They push out as many of the oldest.
      try append(MadeExchange.plain(next..<(next + 10)))
      next += 10
    } while query.cursor != nil
    #expect(seen == Array(((1_000 - seen.count)..<1_000).reversed()), "newest first, no gap, none twice")
    #expect(seen.count < 1_000 && seen.count >= 840, "those that gave way are gone")
  }

  @Test(arguments: [(10, 10), (10, 11), (1, 3), (1_000, 7), (0, 2), (-5, 2), (Int.max, 7)])
  func `there is a next page exactly when there is more`(limit: Int, count: Int) throws {
    try append(MadeExchange.plain(0..<count))
    let page = try reader.page(ExchangeQuery(limit: limit))
    #expect(page.exchanges.count == min(max(limit, 1), count))
    #expect((page.next != nil) == (page.exchanges.count < count))
  }

  @Test(arguments: ["", "x", "0", "-1", "+1", "01", "1 ", "99999999999999999999"])
  func `a cursor that no page gave is refused`(cursor: String) throws {
    try append(MadeExchange.plain(0..<3))
    var query = ExchangeQuery()
    query.cursor = cursor
    #expect(throws: ExchangeQueryFault.cursor(cursor)) { try reader.page(query) }
  }

  @Test func `pages leave messages out, one exchange has them`() throws {
    let exchange = RecordedExchange(
      record: MadeExchange.record(5, error: "é\u{0}"),
      request: CapturedMessage(fields: [.init(name: "A", value: "b")], body: [1, 2], isTruncated: true),
      response: CapturedMessage(fields: [], body: [UInt8](repeating: 9, count: 100_000)))
    try append([exchange, MadeExchange.plain(6)])
    let page = try reader.page(ExchangeQuery()).exchanges
    #expect(page.allSatisfy { $0.request == nil && $0.response == nil })
    let found = try #require(try reader.exchange(exchange.record.identifier))
    #expect(found.request == exchange.request && found.response == exchange.response)
    #expect(found.record == page[1].record && found.identifier == exchange.record.identifier)
    #expect(found.facts?.id == exchange.record.identifierText && found.facts?.error?.detail == "é\u{0}")
    #expect(try reader.exchange(MadeExchange.plain(6).record.identifier)?.request == nil)
    #expect(try reader.exchange(7) == nil)
  }

  @Test func `identifiers may be any`() throws {
    for identifier in [0, 1, .max, 1 << 63] as [UInt64] {
      var record = MadeExchange.record(1)
      record.identifier = identifier
      try append(record)
      #expect(try reader.exchange(identifier)?.identifier == identifier)
    }
  }

  // MARK: filters

  @Test(arguments: [
    ("a.test", ["/1", "/2", "/3"]), ("A.Test.", ["/1", "/2", "/3"]), ("a.test:443", ["/1"]), ("a.test:8443", ["/2"]),
    ("a.test:80", ["/3"]), ("b.a.test", ["/4"]), ("test", []), ("::1", ["/5"]), ("[::1]", ["/5"]),
    ("[::1]:443", ["/5"]),
    ("0:0:0:0:0:0:0:1", ["/5"]), ("%", []), ("' OR 1", []), ("", []),
  ])
  func `by host, in any spelling, with or without port`(host: String, paths: [String]) throws {
    let urls = [
      "https://a.test/1", "https://a.test:8443/2", "http://a.test/3", "https://b.a.test/4", "https://[::1]/5",
    ]
    for (number, url) in urls.enumerated() { try append(MadeExchange.record(number, url: url)) }
    let found = try self.urls { $0.host = host }
    #expect(found.reversed().map { String($0.suffix(2)) } == paths)
  }

  @Test func `by status, lane, time and all of them`() throws {
    try append(
      MadeExchange.record(1, url: "https://a.test/1", status: 200, lane: "x"),
      MadeExchange.record(2, url: "https://a.test/2", status: 403, lane: "x"),
      MadeExchange.record(3, url: "https://a.test/3", status: nil, lane: "y"))
    #expect(try urls { $0.status = 403 } == ["https://a.test/2"])
    #expect(try urls { $0.lane = "y" } == ["https://a.test/3"])
    #expect(try urls { $0.since = 1_000_002 } == ["https://a.test/3", "https://a.test/2"])
    #expect(
      try urls {
        $0.lane = "x"
        $0.status = 200
        $0.since = 1_000_001
        $0.host = "a.test"
        $0.text = "TEST/1"
        $0.client = "127.0.0.1"
        $0.verdict = "pass"
      } == ["https://a.test/1"])
    #expect(try urls { $0.lane = "z" }.isEmpty)
  }

  @Test(arguments: [
    ("intercept", ["1", "3"]), ("deny", ["2"]), ("bypass", ["4"]), ("pass", ["1", "4"]), ("fail", ["2"]),
    ("off", ["3"]), ("error", ["2"]), ("nonsense", []),
  ])
  func `by verdict`(verdict: String, numbers: [String]) throws {
    try append(
      MadeExchange.record(1, url: "https://a.test/1"),
      MadeExchange.record(2, url: "https://a.test/2", action: .deny, ats: .fail, error: "no"),
      MadeExchange.record(3, url: "https://a.test/3", ats: .off),
      MadeExchange.record(4, url: "https://a.test/4", action: .bypass))
    #expect(try urls { $0.verdict = verdict }.reversed().map { String($0.suffix(1)) } == numbers)
  }

  @Test(arguments: [
    ("127.0.0.1", ["1", "2"]), ("127.0.0.1:5", ["1"]), ("::1", ["3"]), ("[::1]:7", ["3"]), ("unix:/p", ["4"]),
    ("127.0.0", []),
  ])
  func `by client, with or without port`(client: String, numbers: [String]) throws {
    for (number, client) in ["127.0.0.1:5", "127.0.0.1:6", "[::1]:7", "unix:/p"].enumerated() {
      try append(MadeExchange.record(number, url: "https://a.test/\(number + 1)", client: client))
    }
    #expect(try urls { $0.client = client }.reversed().map { String($0.suffix(1)) } == numbers)
  }

  @Test(arguments: [
    ("Path", ["1"]), ("PATH?Q=É", ["1"]), ("a.test", ["1", "2"]), ("https://A", ["1", "2"]), ("Pinned", ["2"]),
    ("%", ["2"]), ("_", []), ("lane", []), ("pass", []), ("", ["1", "2"]), ("\u{0}", ["1", "2"]),
  ])
  func `by text of URL and failure, in upper or lower case`(text: String, numbers: [String]) throws {
    try append(
      MadeExchange.record(1, url: "https://a.test/Path?q=é"),
      MadeExchange.record(2, url: "https://a.test/2", error: "Not PINNED by 100%"))
    let found = try urls { $0.text = text }.reversed().map { $0.contains("Path") ? "1" : "2" }
    #expect(found == numbers)
  }

  // MARK: all of them

  @Test func `all come oldest first, with their messages, and without those that came later`() throws {
    try append(MadeExchange.plain(0..<50, bodyByteCount: 20))
    var seen: [Int] = []
    try reader.each(ExchangeQuery()) { exchange in
      seen.append(try #require(exchange.number))
      #expect(exchange.response?.body.count == 20)
      try append([MadeExchange.plain(1_000 + seen.count)])
      // Others may read in between.
      #expect(try reader.numbers(ExchangeQuery(limit: 1)) == [1_000 + seen.count])
    }
    #expect(seen == Array(0..<50))
  }

  @Test func `a walk may be ended, and takes filters`() throws {
    struct Enough: Error {}
    try append(MadeExchange.plain(0..<50))
    var query = ExchangeQuery()
    query.text = "/n1"
    var seen: [Int] = []
    #expect(throws: Enough.self) {
      try reader.each(query) { exchange in
        seen.append(try #require(exchange.number))
        if seen.count == 5 { throw Enough() }
      }
    }
    #expect(seen == [1, 10, 11, 12, 13])
  }

  // MARK: files

  @Test func `where there is no file, there are no exchanges, until there are`() throws {
    let other = try Folder()
    let reader = ExchangeReader(path: HistorySettings.path(in: other.path))
    #expect(try reader.numbers().isEmpty && reader.exchange(1) == nil)
    try reader.each(ExchangeQuery()) { _ in Issue.record("an exchange out of nothing") }
    #expect(throws: DatabaseFault.self) { try reader.check() }
    let store = try ExchangeStore(path: HistorySettings.path(in: other.path), byteLimit: 64 << 20)
    _ = try store.append([MadeExchange.plain(3)], limits: limits)
    #expect(try reader.numbers() == [3])
    try reader.check()
  }

  @Test func `two readers and a writer do not wait for each other`() throws {
    try append(MadeExchange.plain(0..<10))
    let other = ExchangeReader(path: HistorySettings.path(in: folder.path))
    var count = 0
    try reader.each(ExchangeQuery()) { _ in
      try append([MadeExchange.plain(100)])
      try other.each(ExchangeQuery()) { _ in count += 1 }
    }
    #expect(count == (0..<10).reduce(0) { $0 + 11 + $1 })
  }

  @Test func `a file that is no history is a fault`() throws {
    let other = try Folder()
    let path = other.file("x.sqlite")
    try Data(repeating: 1, count: 5_000).write(to: URL(filePath: path))
    #expect(throws: DatabaseFault.self) { try ExchangeReader(path: path).numbers() }
    #expect(throws: DatabaseFault.self) { try ExchangeReader(path: path).check() }
    let foreign = other.file("y.sqlite")
    try Database(path: foreign, access: .readWrite).execute("CREATE TABLE exchanges (a)")
    #expect(throws: DatabaseFault.self) { try ExchangeReader(path: foreign).numbers() }
  }
}
