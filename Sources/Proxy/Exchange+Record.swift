import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records
import TLS

/// The record by which an exchange ends.
extension Exchange {
  var url: RecordURL { RecordURL(scheme: scheme.rawValue, authority: authority, path: path) }

  static func authority(_ scheme: Scheme, _ target: HostPort) -> String {
    target.port == scheme.defaultPort ? target.host.bracketed : "\(target)"
  }

  var authority: String { plan?.authorityText ?? Self.authority(scheme, target) }

  var requestFramingName: StaticString {
    if case .http2 = stream { return "h2" }
    return switch framing {
    case .none, .untilClose: "none"
    case .length: "length"
    case .chunked: "chunked"
    }
  }

  /// The method that the client used.
  var methodName: String {
    if case .extendedConnect = webSocket { return HTTPMethod.connect.description }
    return head.method.description
  }

  func responseFramingName(_ framing: BodyFraming) -> StaticString {
    if case .running(.http2) = phase { return "h2" }
    return switch framing {
    case .none: "none"
    case .length: "length"
    case .chunked: "chunked"
    case .untilClose: "close"
    }
  }

  /// The one place where an exchange ends.
  func finish() {
    guard case .over = phase else {
      phase = .over
      if worker.wantsRecords { worker.record(makeRecord()) }
      return
    }
  }

  func makeRecord() -> ExchangeRecord {
    let decision = plan?.decision
    var record = ExchangeRecord(
      started: startedAt, ended: worker.loop.wallClock, identifier: worker.nextIdentifier(),
      lane: connection.lane.name, client: connection.clientText, context: context,
      clientProtocol: stream.spoken(head).name, method: methodName, url: url,
      status: status, action: decision?.action ?? .intercept, decidedBy: decision?.decidedBy, rule: decision?.rule,
      ats: ats ?? defaultVerdict, os: connection.lane.policy.osText)
    if let refusedBy {
      if let decidedBy = refusedBy.decidedBy {
        record.action = .deny
        record.decidedBy = decidedBy
        if decidedBy != .rule { record.rule = nil }
      } else if [400, 408, 421, 431, 503].contains(refusedBy.status) || refusedBy.isAboutNames {
        record.decidedBy = nil
        record.rule = nil
      }
    }
    record.stream = stream.identifier
    record.origin = origin
    if let digest = digest?.finish() {
      request.sha256 = digest
      request.sentSha256 = digest
    }
    record.request = request
    record.response = response
    timing.total = worker.loop.now &- began
    record.timing = timing
    record.failure = failure
    return record
  }

  /// What ATS says of an exchange that reached no judged origin.
  var defaultVerdict: ATSVerdict {
    if connection.lane.policy.ats.mode == .off { return ATSVerdict(outcome: .off) }
    if refusedBy?.decidedBy == .ats { return ATSVerdict(outcome: .fail, violations: ["cleartext"]) }
    return ATSVerdict(outcome: .pass)
  }
}

extension Refusal {
  /// DNS decides nothing; its records say so (contract, section 5).
  fileprivate var isAboutNames: Bool { proxyError == .dnsError || proxyError == .dnsTimeout }
}
