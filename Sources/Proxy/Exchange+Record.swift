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
    if case .over = phase { return }
    phase = .over
    endPicture()
    finishRecord()
  }

  /// Writes the record, unless that was done when the client had gone before the end.
  func finishRecord() {
    guard !isRecorded else { return }
    isRecorded = true
    timing.total = worker.loop.now &- began
    let verdict = verdict
    connection.count(outcome(verdict))
    let (kept, answer) = takeCapture()
    guard worker.wantsRecords || connection.replay != nil else { return }
    let record = makeRecord(verdict)
    worker.record(RecordedExchange(record: record, request: kept, response: answer))
    connection.replay?.exchangeEnded(identifier: record.identifier, status: status)
  }

  /// What was done with the request, and why.
  struct Verdict {
    var action = Action.intercept
    /// nil: nothing decided.
    var decidedBy: DecisionStep?
    var rule: String?
  }

  var verdict: Verdict {
    var verdict = Verdict()
    if let plan {
      verdict = Verdict(
        action: plan.decision.action, decidedBy: plan.decision.decidedBy, rule: plan.decision.rule)
    }
    guard let refusedBy else { return verdict }
    if let decidedBy = refusedBy.decidedBy {
      verdict.action = .deny
      verdict.decidedBy = decidedBy
      if decidedBy != .rule { verdict.rule = nil }
    } else if [400, 408, 421, 431, 503].contains(refusedBy.status) || refusedBy.isAboutNames {
      verdict.decidedBy = nil
      verdict.rule = nil
    }
    return verdict
  }

  private func outcome(_ verdict: Verdict) -> ExchangeOutcome {
    var outcome = ExchangeOutcome(
      clientProtocol: stream.spoken(head), action: verdict.action, decidedBy: verdict.decidedBy, status: status)
    outcome.error = failure?.error
    outcome.proxyError = failure?.proxyStatus
    outcome.violations = (ats ?? defaultVerdict).violations
    outcome.requestByteCount = request.byteCount
    outcome.responseByteCount = response.byteCount
    outcome.firstByte = timing.firstByte
    outcome.total = timing.total
    return outcome
  }

  func makeRecord(_ verdict: Verdict) -> ExchangeRecord {
    var record = ExchangeRecord(
      started: startedAt, ended: worker.loop.wallClock, identifier: worker.nextIdentifier(),
      lane: connection.lane.name, client: stream.clientText, context: context,
      clientProtocol: stream.spoken(head).name, method: methodName, url: url,
      status: status, action: verdict.action, decidedBy: verdict.decidedBy, rule: verdict.rule,
      ats: ats ?? defaultVerdict, os: connection.lane.policy.osText)
    record.stream = stream.identifier
    record.clientTLS = connection.transport.session?.negotiated.map { ExchangeRecord.TLS($0) }
    record.origin = origin
    if let digest = digest?.finish() {
      request.sha256 = digest
      request.sentSha256 = digest
    }
    if connection.generation.configuration.bodies.receipts, let digest = restoredDigest { request.sentSha256 = digest }
    record.request = request
    record.response = response
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
