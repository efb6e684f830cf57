/// What a rule does with a host (contract, section 2: `rules.hosts`).
public enum RuleAction: String, Sendable, Hashable, CaseIterable {
  case intercept, bypass, reject
}
