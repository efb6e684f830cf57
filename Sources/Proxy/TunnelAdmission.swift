import Configuration
import EventLoop
import HTTP
import Names
import Policy
import Records

/// The decision on a tunnel that a client asks for, with what is known at that moment (contract, section 4: access, loop and
/// `reject` answer the CONNECT itself).
struct TunnelAdmission {
  let target: TunnelTarget
  let plan: OriginPlan
  /// Why there will be no tunnel; nil: it may be opened.
  let refusal: Refusal?
  private let connection: ClientConnection
  private let context: Context
  private let loop: LoopEvidence

  /// - Parameter loop: what the request itself tells of having been here before.
  init(connection: ClientConnection, target: TunnelTarget, context: Context, loop: LoopEvidence = .none) {
    self.connection = connection
    self.target = target
    self.context = context
    self.loop = loop
    plan = connection.plan(scheme: .https, target: target.target, context: context, dialled: nil)
    refusal = Self.refusal(plan: plan, target: target, loop: loop, worker: connection.worker)
  }

  private static func refusal(
    plan: OriginPlan, target: TunnelTarget, loop: LoopEvidence, worker: Worker
  ) -> Refusal? {
    if target.target.host.text == InternalHost.name { return nil }
    guard loop == .none else { return .loop(loop, host: target.target.host) }
    if let obstacle = plan.obstacle(worker) { return obstacle }
    guard plan.decision.action == .deny else { return nil }
    return plan.decision.refusal ?? .internalError(detail: "The decision gave no reason.")
  }

  var url: String { "https://\(plan.authorityText)/" }

  /// The steps that led here, for the answer.
  var steps: [TracedStep] {
    var facts = RequestFacts(scheme: .https, host: target.target.host, port: target.target.port, context: context)
    switch refusal?.decidedBy {
    case .loop: facts.loop = loop == .none ? .ownListener : loop
    case .target: facts.prohibitedTarget = target.target.host.address
    default: break
    }
    return plan.lane.policy.decide(facts, tracing: .on).steps
  }

  /// Writes the record of a tunnel that was refused.
  /// - Parameters:
  ///   - head: the CONNECT, if it was one.
  ///   - answer: what is kept of the answer.
  func record(_ head: RequestHead? = nil, answer: CapturedMessage? = nil) {
    let worker = connection.worker
    guard let refusal else { return }
    let clientProtocol = head.map { HTTPProtocol($0.version) } ?? .http11
    connection.count(
      ExchangeOutcome(clientProtocol: clientProtocol, status: refusal.status, refusal: refusal))
    guard worker.wantsRecords else { return }
    var record = ExchangeRecord(
      started: worker.loop.wallClock, ended: worker.loop.wallClock, identifier: worker.nextIdentifier(),
      lane: connection.lane.name, client: connection.clientText, context: context,
      clientProtocol: clientProtocol.name,
      method: "CONNECT", url: RecordURL(text: url), status: refusal.status, action: .deny, decidedBy: refusal.decidedBy,
      rule: refusal.decidedBy == .rule ? plan.decision.rule : nil,
      ats: ATSVerdict(outcome: plan.lane.policy.ats.mode == .off ? .off : .pass),
      os: plan.lane.policy.osText)
    record.failure = ExchangeRecord.Failure(
      error: refusal.error, proxyStatus: refusal.proxyError, detail: refusal.detail)
    let request = answer == nil ? nil : head.map { CapturedMessage(CapturedFields($0.fields)) }
    worker.record(RecordedExchange(record: record, request: request, response: answer))
  }
}
