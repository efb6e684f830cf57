import Names

/// What happens to a request (contract, section 3).
public enum Action: String, Sendable, Hashable {
  case intercept, bypass, deny
}

/// The steps of the decision, in their order (contract, section 3).
public enum DecisionStep: String, Sendable, Hashable, CaseIterable {
  case access, loop, target, rule, whitelist, `default`, ats, trust
}

/// One step that was looked at, for people and `explain`.
public struct TracedStep: Sendable, Hashable {
  public let step: DecisionStep
  /// A word for machines: `pass` (looked at, does not stop the request), `skip` (has no say here), `decided`, `deny`, or `pending`
  /// (the origin has to be seen first).
  public let outcome: String
  /// One sentence for people.
  public let reason: String

  public init(step: DecisionStep, outcome: String, reason: String) {
    self.step = step
    self.outcome = outcome
    self.reason = reason
  }
}

/// Whether the steps are wanted with the decision; they cost allocations, so live traffic asks only when it refuses.
public enum Tracing: Sendable {
  case off, on
}

/// The facts of a request that the decision may use. Contains no I/O and nothing mutable.
public struct RequestFacts: Sendable {
  public var scheme: Scheme
  public var host: Host
  public var port: UInt16
  public var context: Context
  public var loop: LoopEvidence
  /// The address that the target guard closed to this client; nil where none was, or none is known yet.
  public var prohibitedTarget: IPAddress?

  public init(
    scheme: Scheme, host: Host, port: UInt16, context: Context, loop: LoopEvidence = .none,
    prohibitedTarget: IPAddress? = nil
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.context = context
    self.loop = loop
    self.prohibitedTarget = prohibitedTarget
  }
}

/// The answer of the decision. Equal facts and an equal policy give an equal decision.
public struct Decision: Sendable, Equatable {
  public var action: Action
  /// nil only where no step decided (contract, section 5: 400, 421, 431, 503 and DNS).
  public var decidedBy: DecisionStep?
  /// The pattern of the rule, as written, when a rule decided.
  public var rule: String?
  /// The cleartext rules would deny this request, but `ats.mode` is `observe`, so it goes on (`ats.violations` of the record).
  public var observedViolations: [String]
  /// Why it was refused, in words that are put together at each call; only with `.deny`.
  public var refusal: Refusal? { denial?.refusal }
  let denial: Denial?
  /// Filled only when tracing was on.
  public var steps: [TracedStep]

  init(
    action: Action, decidedBy: DecisionStep?, rule: String? = nil, observedViolations: [String] = [],
    denial: Denial? = nil, steps: [TracedStep] = []
  ) {
    self.action = action
    self.decidedBy = decidedBy
    self.rule = rule
    self.observedViolations = observedViolations
    self.denial = denial
    self.steps = steps
  }
}

extension Decision {
  public static func == (one: Decision, other: Decision) -> Bool {
    one.action == other.action && one.decidedBy == other.decidedBy && one.rule == other.rule
      && one.observedViolations == other.observedViolations && one.refusal == other.refusal && one.steps == other.steps
  }
}
