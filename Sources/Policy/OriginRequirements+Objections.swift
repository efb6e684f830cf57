extension OriginRequirements {
  /// Everything that is wrong with an origin, where `judge(_:)` stops at the first: what it refuses comes first here too. Empty exactly
  /// when `judge(_:)` accepts.
  public func objections(to facts: PeerFacts) -> [Objection] {
    let verdict = judge(facts)
    guard let refusal = verdict.refusal else { return [] }
    let facts = facts.withStatus
    let hostMatches = facts.hostMatches && !facts.evaluation.faults.contains(.nameMismatch)
    let faults = facts.evaluation.faultsForServer(hostMatches: hostMatches)
    let violations = atsMode == .enforce ? ats.violations(in: facts, isTrusted: faults.isEmpty) : []
    var found = violations.compactMap { violation in
      self.refusal(of: violation, facts).map {
        Objection(name: violation.name, refusal: naming($0, violations), secureTransport: violation.code)
      }
    }
    found += trustObjections(to: facts, faults, hostMatches: hostMatches, violations)
    guard found.first?.refusal != refusal else { return found }
    // A pin set, an import, or trust that ATS asks for where a policy would do without.
    let first = found.first { $0.refusal == refusal }
    found.removeAll { $0.refusal == refusal }
    return [first ?? Objection(name: verdict.isPinMismatch ? "pin" : "trust", refusal: refusal)] + found
  }

  /// What is wrong with a handshake that failed before the origin showed a certificate; one objection.
  public func objections(to fault: HandshakeFault) -> [Objection] {
    let verdict = judge(handshake: fault)
    guard let refusal = verdict.refusal else { return [] }
    let violation = atsMode == .enforce ? violation(behind: fault) : nil
    return [Objection(name: violation?.name ?? "handshake", refusal: refusal, secureTransport: violation?.code)]
  }

  private func trustObjections(
    to facts: PeerFacts, _ faults: TrustFaults, hostMatches: Bool, _ violations: [ATSViolation]
  ) -> [Objection] {
    let code: SecureTransportError? = violations.contains(.trust) ? .certificateTrust : nil
    let verdict = judgeTrust(facts, hostMatches: hostMatches)
    var found: [Objection] = []
    if verdict.refusal != nil || code != nil {
      found = faults.ranked.map { ($0.name, self.refusal(of: $0, facts.evaluation)) }
        .map { Objection(name: $0, refusal: naming($1, violations), secureTransport: code) }
      found += faults.policy.map { ($0.name, self.refusal(of: $0, facts.evaluation)) }
        .map { Objection(name: $0, refusal: naming($1, violations), secureTransport: code) }
    }
    if let refusal = verdict.refusal, verdict.isPinMismatch { found.append(Objection(name: "pin", refusal: refusal)) }
    var transparent = TrustVerdict(ats: ATSVerdict(outcome: .off))
    judgeTransparency(facts, into: &transparent)
    if let refusal = transparent.refusal {
      found.append(Objection(name: "certificate-transparency", refusal: refusal))
    }
    return found
  }
}
