/// What is done about a violation of App Transport Security (contract, section 2: `ats.mode`).
public enum ATSMode: String, Sendable, Hashable, CaseIterable {
  case enforce
  /// Violations are recorded and let pass.
  case observe
  /// Nothing is judged; plain HTTP needs a rule or the whitelist.
  case off
}
