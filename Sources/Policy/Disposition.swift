/// What rule, whitelist and default want done with a request, before App Transport Security has its say.
struct Disposition {
  var action: RuleAction
  var step: DecisionStep
  /// The pattern of the rule that decided.
  var rule: String?

  /// Bypassed by somebody who named the host, not by the default.
  var isNamedBypass: Bool { action == .bypass && step != .default }
}

extension Decision {
  /// `rule` is the pattern of the rule, where a rule refuses.
  static func denied(_ denial: Denial, rule: String? = nil, _ trace: DecisionTrace) -> Decision {
    Decision(action: .deny, decidedBy: denial.step, rule: rule, denial: denial, steps: trace.steps)
  }

  /// The request goes on; a rejected one does not come here.
  static func passed(_ disposition: Disposition, _ trace: DecisionTrace, observedViolations: [String] = []) -> Decision
  {
    Decision(
      action: disposition.action == .bypass ? .bypass : .intercept, decidedBy: disposition.step,
      rule: disposition.rule, observedViolations: observedViolations, steps: trace.steps)
  }
}
