import Names
import Records
import Synchronization

/// A daemon that does what tests want of it, and remembers what it was asked.
final class FakeControl: ProxyControl {
  struct State {
    var isReady = true
    var whitelist: [WebOrigin] = []
    var reloadCount = 0
    var fault: ControlFault?
    var replayed: [ReplayRequest] = []
    var replayFault: ReplayFault?
  }

  let state = Mutex(State())
  /// Without a store: it serves the feed.
  let exchanges = ExchangeHistory(nil) { _ in }
  let archive: FakeArchive?

  init(_ archive: FakeArchive? = FakeArchive()) {
    self.archive = archive
  }

  var isReady: Bool { state.withLock { $0.isReady } }
  var history: (any ExchangeSurvey)? { archive }
  var feed: ExchangeFeed { exchanges.feed }
  func metrics() -> [UInt8] { Array("pinwarden_up 1\n".utf8) }
  func policy() -> [UInt8] { Array(#"{"lanes":[]}"#.utf8) }
  func devices() -> [UInt8] { Array(#"{"devices":[]}"#.utf8) }
  func whitelist() -> [WebOrigin] { state.withLock { $0.whitelist } }

  func replaceWhitelist(_ origins: [WebOrigin]) async throws(ControlFault) {
    if let fault = state.withLock({ $0.fault }) { throw fault }
    state.withLock { $0.whitelist = origins }
  }

  func reload() async throws(ControlFault) {
    if let fault = state.withLock({ $0.fault }) { throw fault }
    state.withLock { $0.reloadCount += 1 }
  }

  func explain(_ question: [UInt8]) throws(ControlFault) -> [UInt8] {
    guard question.first == UInt8(ascii: "{") else { throw ControlFault(.invalid, "no object") }
    return question
  }

  func replay(_ request: ReplayRequest) async throws(ReplayFault) -> ReplayOutcome {
    if let fault = state.withLock({ $0.replayFault }) { throw fault }
    state.withLock { $0.replayed.append(request) }
    return ReplayOutcome(identifier: 7, status: 201)
  }
}

/// A history in memory.
final class FakeArchive: ExchangeSurvey {
  struct Unreadable: Error {}

  let exchanges: [StoredExchange]
  let isUnreadable: Bool

  /// - Parameter exchanges: oldest first.
  init(_ exchanges: [StoredExchange] = [], isUnreadable: Bool = false) {
    self.exchanges = exchanges
    self.isUnreadable = isUnreadable
  }

  func page(_ query: ExchangeQuery) throws -> ExchangePage {
    if isUnreadable { throw Unreadable() }
    if let cursor = query.cursor, UInt64(cursor) == nil { throw ExchangeQueryFault.cursor(cursor) }
    let older = exchanges.reversed().drop { exchange in
      query.cursor.flatMap { UInt64($0) }.map { exchange.identifier >= $0 } ?? false
    }
    let page = Array(older.prefix(query.limit))
    return ExchangePage(exchanges: page, next: page.count < older.count ? page.last.map { "\($0.identifier)" } : nil)
  }

  func exchange(_ identifier: UInt64) throws -> StoredExchange? {
    if isUnreadable { throw Unreadable() }
    return exchanges.first { $0.identifier == identifier }
  }

  func count(_ query: ExchangeQuery) throws -> Int {
    if isUnreadable { throw Unreadable() }
    return exchanges.count
  }

  func hosts() throws -> [HostSummary] {
    if isUnreadable { throw Unreadable() }
    var host = HostSummary(host: "a.test", port: 80, isEncrypted: false)
    (host.requests, host.violations, host.last) = (exchanges.count, ["cleartext": exchanges.count], 1_000)
    return [host]
  }

  func series(_ span: SeriesSpan) throws -> [SeriesBucket] {
    if isUnreadable { throw Unreadable() }
    var buckets = (0..<span.stepCount).map { SeriesBucket(time: span.start + Int64($0) * span.step) }
    for _ in exchanges { buckets[1].add(.deny, milliseconds: 10) }
    return buckets
  }

  func each(_ query: ExchangeQuery, _ body: (StoredExchange) throws -> Void) throws {
    if isUnreadable { throw Unreadable() }
    for exchange in exchanges { try body(exchange) }
  }
}
