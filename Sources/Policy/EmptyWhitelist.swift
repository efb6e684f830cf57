/// What an empty whitelist means (contract, section 2: `rules.emptyWhitelist`).
public enum EmptyWhitelist: String, Sendable, Hashable, CaseIterable {
  /// Nothing is exempt.
  case intercept
  /// Nobody is intercepted, as in the class that the whitelist comes from.
  case bypass
}
