extension TrustPolicy {
  /// What in the policy does not protect, or refuses everything; each says what really happens and what to write instead. Key paths are
  /// relative to the policy; warnings and notes only.
  ///
  /// That loosening switches are effective only where ATS permits it depends on the hosts of the rules and is not judged here.
  ///
  /// - Parameter now: seconds since 1970.
  public func lint(now: Int64) -> [Finding] {
    var linter = TrustLinter(policy: self, now: now)
    linter.lint()
    return linter.findings
  }
}
