import Policy
import Testing

@testable import Records

@Suite struct SurveyTests {
  private let folder: Folder
  private let store: ExchangeStore
  private let reader: ExchangeReader

  init() throws {
    folder = try Folder()
    let path = HistorySettings.path(in: folder.path)
    store = try ExchangeStore(path: path, byteLimit: 64 << 20)
    reader = ExchangeReader(path: path)
  }

  private func append(_ records: [ExchangeRecord]) throws {
    let limits = HistorySettings(directory: folder.path, byteCount: 64 << 20, exchangeCount: 10_000)
    _ = try store.append(records.map { RecordedExchange(record: $0, request: nil, response: nil) }, limits: limits)
  }

  private func refused(
    _ number: Int, _ url: String, _ violations: [String], tls: String? = nil
  ) -> ExchangeRecord {
    var record = MadeExchange.record(number, url: url, status: 502, action: .deny, ats: .fail, error: "no")
    record.ats.violations = violations
    record.origin = tls.map { version in
      ExchangeRecord.Origin(
        address: "192.0.2.1:443", isReused: false,
        tls: .init(version: version, cipher: "x", alpn: nil, isResumed: false), pins: [], matchedPin: nil, identity: nil
      )
    }
    return record
  }

  // MARK: places in the history

  @Test func `a page may begin anywhere below a cursor, whatever comes`() throws {
    try append((0..<50).map { MadeExchange.record($0, url: "https://a.test/n\($0)", status: $0 % 5 == 0 ? 403 : 200) })
    let top = try reader.page(ExchangeQuery(limit: 3))
    #expect(top.exchanges.map(\.number) == [49, 48, 47] && top.start == "51")
    try append([MadeExchange.record(50, url: "https://a.test/n50")])
    var query = ExchangeQuery(limit: 3)
    (query.cursor, query.skip) = (top.start, 40)
    #expect(try reader.numbers(query) == [9, 8, 7])
    #expect(try reader.page(query).start == "11")
    query.status = 403
    query.skip = 8
    #expect(try reader.numbers(query) == [5, 0])
    query.skip = 60
    let beyond = try reader.page(query)
    #expect(beyond.exchanges.isEmpty && beyond.start == nil && beyond.next == nil)
  }

  @Test func `counts are those of the pages`() throws {
    #expect(try reader.count(ExchangeQuery()) == 0, "no tables yet")
    try append((0..<50).map { MadeExchange.record($0, status: $0 % 5 == 0 ? 403 : 200) })
    var query = ExchangeQuery()
    #expect(try reader.count(query) == 50)
    query.cursor = "11"
    #expect(try reader.count(query) == 10)
    query.status = 403
    #expect(try reader.count(query) == 2)
    query.cursor = "x"
    #expect(throws: ExchangeQueryFault.self) { try reader.count(query) }
  }

  // MARK: hosts

  @Test func `hosts are told apart and summed up, the newest first`() throws {
    try append([
      MadeExchange.record(1, url: "https://a.test/x"), MadeExchange.record(2, url: "http://a.test/x", action: .bypass),
      MadeExchange.record(3, url: "https://a.test:8443/x", ats: .off), refused(4, "https://a.test/y", ["trust"]),
      MadeExchange.record(5, url: "wss://a.test/w", error: "lost"),
    ])
    let hosts = try reader.hosts()
    #expect(hosts.map(\.port) == [443, 8443, 80] && hosts.map(\.isEncrypted) == [true, true, false])
    let first = try #require(hosts.first)
    #expect((first.requests, first.intercepted, first.denied, first.failed) == (3, 2, 1, 2))
    #expect((first.passedATS, first.failedATS, first.withoutATS) == (2, 1, 0))
    #expect(first.first == 1_000_001 && first.last == 1_000_005 && first.violations == ["trust": 1])
    #expect(hosts[1].withoutATS == 1 && hosts[2].bypassed == 1)
  }

  @Test func `the smallest exception follows from what was violated`() throws {
    try append([
      refused(1, "https://old.test/", ["minimum-tls"], tls: "TLSv1.1"),
      refused(2, "https://older.test/", ["minimum-tls"]),
      refused(3, "https://both.test/", ["minimum-tls", "forward-secrecy"], tls: "TLSv1.0"),
      refused(4, "https://key.test/", ["key-size"]), refused(5, "http://plain.test/", ["cleartext"]),
      refused(6, "https://hash.test/", ["leaf-signature-hash"]), refused(7, "https://stranger.test/", ["trust"]),
      refused(8, "https://suite.test/", ["cipher-suite", "minimum-tls"]),
      MadeExchange.record(9, url: "https://good.test/"),
    ])
    let hosts = Dictionary(try reader.hosts().map { ($0.host, $0) }) { first, _ in first }
    let expected: [String: [String: PropertyValue]?] = [
      "old.test": ["NSExceptionMinimumTLSVersion": .string("TLSv1.1")],
      "older.test": ["NSExceptionMinimumTLSVersion": .string("TLSv1.0")],
      "both.test": [
        "NSExceptionMinimumTLSVersion": .string("TLSv1.0"), "NSExceptionRequiresForwardSecrecy": .boolean(false),
      ],
      "key.test": ["NSExceptionRequiresForwardSecrecy": .boolean(false)],
      "plain.test": ["NSExceptionAllowsInsecureHTTPLoads": .boolean(true)],
      "hash.test": ["NSExceptionAllowsInsecureHTTPLoads": .boolean(true)], "stranger.test": nil, "suite.test": nil,
      "good.test": nil,
    ]
    for (host, exception) in expected {
      #expect(hosts[host]?.exception == exception.map { .dictionary($0) }, "\(host)")
    }
    #expect(hosts["suite.test"]?.unhelped == ["cipher-suite"] && hosts["stranger.test"]?.unhelped == ["trust"])
  }

  // MARK: the course of time

  @Test func `each exchange counts once, in the step in which it began`() throws {
    try append([
      MadeExchange.record(0), MadeExchange.record(1), MadeExchange.record(10, action: .bypass),
      refused(11, "https://a.test/", []), MadeExchange.record(12, error: "lost"), MadeExchange.record(95),
    ])
    let buckets = try reader.series(SeriesSpan(start: 1_000_001, step: 10, stepCount: 3))
    #expect(buckets.map(\.time) == [1_000_001, 1_000_011, 1_000_021])
    #expect(
      buckets.map(\.counts) == [[1, 0, 1, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]], "pass, cached, bypass, fail, deny")
    #expect(buckets.map(\.requests) == [2, 2, 0])
  }

  @Test func `quantiles are within a twentieth`() throws {
    var sketch = DurationSketch()
    #expect(sketch.quantile(0.5) == nil)
    for value in 1...1_000 { sketch.add(Double(value)) }
    for (share, exact) in [(0.5, 500.0), (0.9, 900), (0.99, 990), (1, 1_000)] {
      let found = try #require(sketch.quantile(share))
      #expect(abs(found - exact) / exact < 0.06, "\(share): \(found)")
    }
  }

  @Test(arguments: [-1, 0, .infinity, .nan, 1e300] as [Double]) func `what is no duration harms nothing`(value: Double)
  {
    var sketch = DurationSketch()
    sketch.add(value)
    #expect(sketch.quantile(0.5).map { $0.isFinite } ?? true)
  }
}
