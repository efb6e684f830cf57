import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records

/// A request that was answered before an exchange could begin: malformed, too large, too late, without credentials, or for
/// another host than its tunnel's.
struct UnreadRequest {
  let connection: ClientConnection
  let role: HTTP1ClientStream.Role
  /// nil when not even the head was understood.
  let head: RequestHead?

  /// - Parameters:
  ///   - answer: what is kept of the answer; nil: nothing is kept, or there was none.
  ///   - spoken: what the client spoke, if that was no HTTP.
  func record(
    _ refusal: Refusal, answer: CapturedMessage?, clientProtocol: HTTPProtocol? = nil, spoken: StaticString? = nil
  ) {
    let worker = connection.worker
    let clientProtocol = clientProtocol ?? head.map { HTTPProtocol($0.version) } ?? .http11
    connection.count(
      ExchangeOutcome(clientProtocol: clientProtocol, status: refusal.status, refusal: refusal))
    guard worker.wantsRecords || connection.replay != nil else { return }
    let now = worker.loop.wallClock
    var record = ExchangeRecord(
      started: now, ended: now, identifier: worker.nextIdentifier(), lane: connection.lane.name,
      client: connection.clientText, context: .app,
      clientProtocol: spoken ?? clientProtocol.name,
      method: head?.method.description ?? "", url: RecordURL(text: url), status: refusal.status, action: .deny,
      decidedBy: refusal.decidedBy, rule: nil, ats: ATSVerdict(outcome: .off),
      os: connection.lane.policy.osText)
    record.failure = ExchangeRecord.Failure(
      error: refusal.error, proxyStatus: refusal.proxyError, detail: refusal.detail)
    let request = answer == nil ? nil : head.map { CapturedMessage(CapturedFields($0.fields)) }
    worker.record(RecordedExchange(record: record, request: request, response: answer))
    connection.replay?.exchangeEnded(identifier: record.identifier, status: record.status)
  }

  /// As much as is known of the URL; credentials that a client wrote into it are not repeated.
  private var url: String {
    let target = head.map { String(decoding: $0.target, as: UTF8.self) } ?? ""
    guard case .tunnel(let tunnel) = role else {
      let authorityEnd = target.firstIndex(of: "@") ?? target.startIndex
      return String(target[authorityEnd...])
    }
    return "\(tunnel.scheme.rawValue)://\(tunnel.target)\(target)"
  }
}
