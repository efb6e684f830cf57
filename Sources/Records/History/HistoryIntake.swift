/// The exchanges that wait to be written, and the rules by which more may come. A value behind a lock; the clock is its owner's.
///
/// Three bounds hold, so that the history costs the traffic little, whatever comes: so many exchanges a second, so many bytes of
/// bodies a second, and so many of both that wait.
struct HistoryIntake {
  /// 72,000 a minute. Measured: an exchange of a kilobyte costs some 30 microseconds of a processor, each further kilobyte of bodies
  /// 3; with as many bodies as may come, that is 3 % of two processors.
  private static let exchangesPerSecond = 1_200
  private static let exchangeBurst = 4_096
  private static let bodyBytesPerSecond = 8 << 20
  private static let bodyByteBurst = 16 << 20
  /// What waits at most.
  private static let exchangeLimit = 8_192
  private static let byteLimit = 32 << 20
  /// The gate opens again when there is room for so many, so that they come, and are written, in groups.
  private static let reopeningLevel = 64

  private(set) var pending: [RecordedExchange] = []
  private var byteCount = 0
  private var exchanges: TokenBucket
  private var bodyBytes: TokenBucket
  /// Dropped because they came too fast.
  private(set) var droppedCount = 0
  private(set) var bodiesDroppedCount = 0
  /// Whether exchanges may come; its owner tells it to those who ask.
  private(set) var isOpen = true
  /// Whether the queue that writes knows of what waits.
  var isScheduled = false

  init(now: UInt64) {
    exchanges = TokenBucket(perSecond: Self.exchangesPerSecond, burst: Self.exchangeBurst, now: now)
    bodyBytes = TokenBucket(perSecond: Self.bodyBytesPerSecond, burst: Self.bodyByteBurst, now: now)
  }

  mutating func add(_ batch: [RecordedExchange], now: UInt64) {
    exchanges.fill(now: now)
    bodyBytes.fill(now: now)
    for exchange in batch { add(exchange) }
    if exchanges.level <= 0 || pending.count >= Self.exchangeLimit / 2 || byteCount >= Self.byteLimit / 2 {
      isOpen = false
    }
  }

  private mutating func add(_ exchange: RecordedExchange) {
    var exchange = exchange
    let bodies = exchange.bodyByteCount
    if bodies > 0 {
      if bodyBytes.level > 0 {
        bodyBytes.take(bodies)
      } else {
        exchange = exchange.withoutBodies
        bodiesDroppedCount += 1
      }
    }
    let size = exchange.roughByteCount
    guard pending.count < Self.exchangeLimit, byteCount + size <= Self.byteLimit else {
      droppedCount += 1
      return
    }
    exchanges.take(1)
    byteCount += size
    pending.append(exchange)
  }

  /// - Returns: whether the queue is to be told that there is work.
  mutating func claimSchedule() -> Bool {
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Takes out all that waits, and opens the gate again if there is room.
  mutating func take(now: UInt64) -> [RecordedExchange] {
    defer {
      pending = []
      byteCount = 0
    }
    exchanges.fill(now: now)
    isOpen = exchanges.level >= (isOpen ? 1 : Self.reopeningLevel)
    return pending
  }
}

extension RecordedExchange {
  fileprivate var bodyByteCount: Int { (request?.body.count ?? 0) + (response?.body.count ?? 0) }

  /// The memory that it holds, more or less.
  fileprivate var roughByteCount: Int {
    1_024 + record.url.path.count + (request?.fieldByteCount ?? 0) + (response?.fieldByteCount ?? 0) + bodyByteCount
  }

  fileprivate var withoutBodies: RecordedExchange {
    RecordedExchange(record: record, request: request?.withoutBody, response: response?.withoutBody)
  }
}
