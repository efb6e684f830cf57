import Names

extension OriginRequirements {
  /// Whether the judgement needs `PeerFacts.anchorOrigin`.
  public var wantsAnchorOrigin: Bool { imports.contains { $0.anchors != nil } }

  /// All imports must be satisfied; each is asked, even behind one that refuses, so that each failure is reported.
  func judgeImports(_ facts: PeerFacts, hostMatches: Bool) -> ImportsJudgement {
    var judgement = ImportsJudgement()
    guard !imports.isEmpty else { return judgement }
    let faults = facts.evaluation.faultsForServer(hostMatches: hostMatches)
    for demand in imports {
      let outcome = demand.outcome(for: facts, faults)
      if let failure = demand.failure(outcome) { judgement.failures.append(failure) }
      switch outcome {
      case .satisfied(let matched): judgement.matched = judgement.matched ?? matched
      case .noMatchingPin where !demand.enforce: judgement.mismatched.append(demand.source.description)
      default: judgement.refusal = judgement.refusal ?? refusal(of: outcome, demand, facts)
      }
    }
    return judgement
  }

  /// What a trust policy with `reportURIs` reports: that its pins do not fit, enforced or not.
  func failure(
    of policy: TrustPolicy, _ outcome: AFEvaluation.Outcome, chain: [CertificateFacts]
  ) -> PinFailure? {
    guard !policy.reportURIs.isEmpty else { return nil }
    var isMismatch = outcome.isPinMismatch
    if case .accepted = outcome { isMismatch = !policy.pins.isEmpty && policy.match(chain) == nil }
    guard isMismatch else { return nil }
    let pattern = rulePattern ?? host.text
    let pinned = policy.pinning == .none ? [] : policy.certificates.map(Pin.init(of:))
    return PinFailure(
      source: policy.place, cause: .noMatchingPin, entry: pattern,
      includesSubdomains: pattern.utf8.first == UInt8(ascii: "*"), isEnforced: policy.enforce,
      pins: policy.pins + pinned, expiryDay: policy.expires.map { CalendarDay(secondsSince1970: $0).description },
      reportURIs: policy.reportURIs)
  }

  private func refusal(of outcome: ImportDemand.Outcome, _ demand: ImportDemand, _ facts: PeerFacts) -> Refusal? {
    switch outcome {
    case .satisfied: return nil
    case .noMatchingPin:
      let count = demand.pinCount
      return importRefusal(
        "A pin refuses the origin's certificate",
        "The chain of \(place) does not match \(count == 1 ? "the one pin" : "the \(count) pins") of \(demand.source) "
          + "(\(Self.excerpt(demand.entry))). \(seen(facts.evaluation.chain)) If the origin changed its key on purpose, the "
          + "imported file must change too.")
    case .invalidChain:
      return importRefusal(
        "An imported policy refuses the origin's certificate",
        "\(demand.source) (\(Self.excerpt(demand.entry))) wants a valid chain for \(place) before it looks at pins, and this one is "
          + "accepted by the trust policy of the rule alone.")
    case .foreignAnchor:
      return importRefusal(
        "An imported policy does not trust the origin's root",
        "The chain of \(place) ends at \"\(Self.excerpt(facts.evaluation.chain.last?.subject ?? ""))\", which is none of the "
          + "trust-anchors that \(demand.source) has for \(Self.excerpt(demand.entry)).")
    }
  }

  private func importRefusal(_ title: String, _ detail: String) -> Refusal {
    Refusal(
      status: 502, error: .serverCertificateUntrusted, proxyError: .tlsCertificateError, decidedBy: .trust,
      title: title, detail: detail)
  }
}
