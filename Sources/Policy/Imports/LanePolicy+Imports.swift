import Names

extension LanePolicy {
  /// Why an import forbids plain HTTP to this host; nil: none does.
  ///
  /// An import can only forbid. It has its say in every `ats.mode`: with `observe` it is recorded like a violation, with `off` it counts for
  /// what a rule or the whitelist bypasses.
  func importObjection(toCleartextOf host: Host) -> String? {
    imports.lazy.compactMap { $0.cleartextObjection(host: host) }.first
  }
}
