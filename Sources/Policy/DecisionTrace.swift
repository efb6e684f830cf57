/// The steps of one decision as they are looked at. Reasons are put together only when somebody wants them.
struct DecisionTrace {
  enum Outcome: String {
    case pass, skip, decided, deny, pending
  }

  let isOn: Bool
  private(set) var steps: [TracedStep] = []

  init(_ tracing: Tracing) {
    isOn = tracing == .on
  }

  mutating func add(_ step: DecisionStep, _ outcome: Outcome, _ reason: @autoclosure () -> String) {
    guard isOn else { return }
    steps.append(TracedStep(step: step, outcome: outcome.rawValue, reason: reason()))
  }
}
