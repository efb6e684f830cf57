import Policy
import Testing

@testable import Records

/// Exchanges as tests make them up.
enum MadeExchange {
  static func record(
    _ number: Int, url: String = "https://a.test/n", status: Int? = 200, action: Action = .intercept,
    ats: ATSVerdict.Outcome = .pass, lane: String = "default", client: String = "127.0.0.1:40000", error: String? = nil
  ) -> ExchangeRecord {
    let cut = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map { String($0) }
    let slash = cut[2].firstIndex(of: "/") ?? cut[2].endIndex
    var record = ExchangeRecord(
      started: 1_000_000 + Int64(number), ended: 1_000_100 + Int64(number),
      identifier: UInt64(number) &* 0x0100_0000_0001,
      lane: lane, client: client, context: .app, clientProtocol: "http/1.1", method: "GET",
      url: RecordURL(
        scheme: String(cut[0].dropLast()), authority: String(cut[2][..<slash]), path: Array(cut[2][slash...].utf8)[...]),
      status: status, action: action, decidedBy: .default, rule: nil, ats: ATSVerdict(outcome: ats), os: "18.4")
    if let error {
      record.failure = ExchangeRecord.Failure(
        error: .serverCertificateUntrusted, proxyStatus: .tlsCertificateError, detail: error)
    }
    return record
  }

  /// Number `number`, at `/n<number>`.
  static func plain(_ number: Int, bodyByteCount: Int = 0) -> RecordedExchange {
    let record = record(number, url: "https://a.test/n\(number)")
    guard bodyByteCount > 0 else { return RecordedExchange(record: record, request: nil, response: nil) }
    let message = CapturedMessage(
      fields: [.init(name: "Content-Type", value: "text/plain")],
      body: [UInt8](repeating: UInt8(ascii: "b"), count: bodyByteCount))
    return RecordedExchange(record: record, request: message, response: message)
  }

  static func plain(_ numbers: some Sequence<Int>, bodyByteCount: Int = 0) -> [RecordedExchange] {
    numbers.map { plain($0, bodyByteCount: bodyByteCount) }
  }
}

extension ExchangeArchive {
  /// The numbers of plain exchanges on a page.
  func numbers(_ query: ExchangeQuery = ExchangeQuery(limit: 1_000)) throws -> [Int] {
    try page(query).exchanges.map { try #require($0.number) }
  }
}

extension ExchangeQuery {
  init(limit: Int) {
    self.init()
    self.limit = limit
  }
}

extension StoredExchange {
  /// Of a plain exchange, from its URL.
  var number: Int? { facts.flatMap { $0.url.split(separator: "/n").last.flatMap { Int($0) } } }
}

/// Waits for a condition that comes true on its own; false after ten seconds.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<2_000 {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return try condition()
}
