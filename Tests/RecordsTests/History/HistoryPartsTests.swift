import Bytes
import Testing

@testable import Records

@Suite struct TokenBucketTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `a burst passes, then so many a second`() {
    var bucket = TokenBucket(perSecond: 10, burst: 100, now: 5)
    bucket.take(100)
    #expect(bucket.level == 0)
    bucket.fill(now: 5 + Self.second / 2)
    #expect(bucket.level == 5)
    bucket.fill(now: 5 + 100 * Self.second)
    #expect(bucket.level == 100, "what nobody took is not saved up beyond the burst")
  }

  @Test func `what is owed comes off the time to come, but not for ever`() {
    var bucket = TokenBucket(perSecond: 10, burst: 100, now: 0)
    bucket.take(1_000_000)
    #expect(bucket.level == -100)
    bucket.fill(now: 11 * Self.second)
    #expect(bucket.level == 10)
  }

  @Test func `a clock that stands still or goes back gives nothing`() {
    var bucket = TokenBucket(perSecond: 10, burst: 100, now: Self.second)
    bucket.take(50)
    bucket.fill(now: Self.second)
    bucket.fill(now: 0)
    #expect(bucket.level == 50)
  }
}

@Suite struct OutageTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `an outage is told once, and its end once`() {
    var outage = Outage()
    let told = [0, 1, 3, 15].map { seconds in
      // It works again in between, but not for long enough before the last.
      if seconds == 3 { #expect(Self.succeeded(&outage, 2) == false, "it may fail again in a moment") }
      if seconds == 15 {
        #expect(Self.succeeded(&outage, 12) == false)
        #expect(outage.isOn && !outage.isFailing)
        #expect(Self.succeeded(&outage, 13) == true)
        #expect(!outage.isOn)
        #expect(Self.succeeded(&outage, 14) == false)
      }
      return outage.failed(now: UInt64(seconds) * Self.second)
    }
    #expect(told == [true, false, false, true])
    #expect(outage.isOn && outage.isFailing)
  }

  private static func succeeded(_ outage: inout Outage, _ seconds: UInt64) -> Bool {
    outage.succeeded(now: seconds * second)
  }

  @Test func `it is tried less and less often, but at least each quarter of a minute`() {
    var outage = Outage()
    var now: UInt64 = 0
    var tries = 0
    #expect(outage.allowsTry(now: 0))
    while now < 3_600 * Self.second {
      if outage.allowsTry(now: now) {
        tries += 1
        _ = outage.failed(now: now)
        #expect(!outage.allowsTry(now: now) && outage.allowsTry(now: now + 15 * Self.second))
      }
      now += Self.second / 10
    }
    #expect((240...250).contains(tries))
    _ = outage.succeeded(now: now)
    #expect(outage.allowsTry(now: now))
  }
}

@Suite struct HistoryIntakeTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `seventy thousand a minute in the long run, in groups`() {
    var intake = HistoryIntake(now: 0)
    var (taken, groups) = (0, 0)
    // Sixty seconds in steps of 50 ms, with far more exchanges than fit; the first second is the burst's.
    for step in 0..<(61 * 20) {
      let now = UInt64(step) * Self.second / 20
      let batch = intake.take(now: now)
      if step >= 20 {
        taken += batch.count
        groups += batch.isEmpty ? 0 : 1
      }
      while intake.isOpen { intake.add([MadeExchange.plain(1)], now: now) }
    }
    #expect((66_000...73_000).contains(taken), "\(taken)")
    #expect(groups <= 1_200)
    #expect(intake.droppedCount == 0)
  }

  @Test func `a burst of some thousands passes`() {
    var intake = HistoryIntake(now: 0)
    intake.add(MadeExchange.plain(0..<4_000), now: 0)
    #expect(intake.isOpen && intake.pending.count == 4_000)
    intake.add(MadeExchange.plain(0..<100), now: 0)
    #expect(!intake.isOpen)
    let batch = intake.take(now: 0)
    #expect(batch.count == 4_100 && !intake.isOpen)
    _ = intake.take(now: Self.second)
    #expect(intake.isOpen)
  }

  @Test func `what waits is bounded, whatever comes, and what is lost is counted`() {
    var intake = HistoryIntake(now: 0)
    for _ in 0..<100 { intake.add(MadeExchange.plain(0..<1_000), now: 0) }
    #expect(intake.pending.count == 8_192 && intake.droppedCount == 100_000 - 8_192)
  }

  @Test func `bodies are bounded by bytes, and give way before their exchanges do`() {
    var intake = HistoryIntake(now: 0)
    intake.add(MadeExchange.plain(0..<2_000, bodyByteCount: 65_536), now: 0)
    let waiting = intake.pending
    #expect(waiting.count == 2_000 && intake.droppedCount == 0)
    let bytes = waiting.reduce(0) { $0 + ($1.request?.body.count ?? 0) + ($1.response?.body.count ?? 0) }
    #expect(bytes <= 17 << 20 && bytes > 15 << 20)
    #expect(intake.bodiesDroppedCount == waiting.count { $0.response?.body.isEmpty == true })
    #expect(waiting.last?.response?.isTruncated == true && waiting.last?.response?.fields.isEmpty == false)
    _ = intake.take(now: 10 * Self.second)
    intake.add([MadeExchange.plain(1, bodyByteCount: 10)], now: 10 * Self.second)
    #expect(intake.pending.first?.response?.body.count == 10, "and come again when there is room")
  }

  @Test func `the queue is told once until it says that it is done`() {
    var intake = HistoryIntake(now: 0)
    let first = [intake.claimSchedule(), intake.claimSchedule()]
    intake.isScheduled = false
    #expect(first + [intake.claimSchedule()] == [true, false, true])
  }
}

@Suite struct MessageCodingTests {
  private static let message = CapturedMessage(
    fields: [.init(name: "Host", value: "a.test"), .init(name: "X", value: ""), .init(name: "é", value: "\u{0}😀")],
    body: [UInt8](0...255), isTruncated: true)

  private func coded(_ message: CapturedMessage) -> [UInt8] {
    let out = ByteQueue()
    MessageCoding.append(message, to: out)
    return Array(out.bytes)
  }

  @Test func `a message comes out as it went in`() {
    for message in [Self.message, CapturedMessage(fields: []), CapturedMessage(fields: [], body: [7])] {
      #expect(MessageCoding.message(coded(message)) == message)
    }
  }

  @Test func `bytes that end too early are no message`() {
    let bytes = coded(Self.message)
    let headCount = bytes.count - Self.message.body.count
    for count in 0..<headCount { #expect(MessageCoding.message(Array(bytes.prefix(count))) == nil, "\(count)") }
    for count in headCount...bytes.count { #expect(MessageCoding.message(Array(bytes.prefix(count))) != nil) }
  }

  @Test func `absurd lengths are no message`() {
    #expect(MessageCoding.message([0, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    #expect(MessageCoding.message([0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 1]) == nil)
  }
}

@Suite struct EndpointTextTests {
  @Test(arguments: [
    ("a.test", "a.test", nil), ("a.test:443", "a.test", 443), ("[::1]:443", "::1", 443), ("[::1]", "::1", nil),
    ("::1", "::1", nil), ("fe80::1%eth0", "fe80::1%eth0", nil), ("127.0.0.1:1", "127.0.0.1", 1),
    ("unix:/run/p.sock", "unix:/run/p.sock", nil), ("", "", nil), ("a:", "a", nil), ("[::1", "[::1", nil),
    ("[::1]443", "::1", nil), ("a.test:99999999999999999999", "a.test", nil),
  ])
  func `an endpoint is cut in two`(text: String, host: String, port: Int?) {
    let endpoint = EndpointText(text[...])
    #expect(endpoint.host == host && endpoint.port == port)
  }

  @Test(arguments: [
    ("https://a.test/x", "a.test", 443), ("http://a.test:81/", "a.test", 81), ("wss://[::1]/?a:b", "::1", 443),
    ("https://a.test", "a.test", 443), ("https://a.test?x", "a.test", 443), ("a.test/x", "", nil), ("", "", nil),
    ("*", "", nil), ("x://b.test/", "b.test", nil),
  ])
  func `a URL that was text is read`(url: String, host: String, port: Int?) {
    let endpoint = RecordURL(text: url).endpoint
    #expect(endpoint.host == host && endpoint.port == port)
  }
}
