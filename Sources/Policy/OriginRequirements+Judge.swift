extension OriginRequirements {
  /// Judges what was negotiated with the origin and what it presented: ATS first, then trust, pins and Certificate Transparency. The
  /// first failure is the refusal.
  public func judge(_ facts: PeerFacts) -> TrustVerdict {
    let facts = facts.withStatus
    let hostMatches = facts.hostMatches && !facts.evaluation.faults.contains(.nameMismatch)
    let isTrusted = facts.evaluation.faultsForServer(hostMatches: hostMatches).isEmpty
    let violations = atsMode == .off ? [] : ats.violations(in: facts, isTrusted: isTrusted)
    var verdict = judgeTrust(facts, hostMatches: hostMatches)
    judgeTransparency(facts, into: &verdict)
    verdict.ats = ATSVerdict(
      outcome: atsMode == .off ? .off : violations.isEmpty ? .pass : .fail, violations: violations.map(\.name))
    if atsMode == .enforce, let refusal = violations.lazy.compactMap({ refusal(of: $0, facts) }).first {
      verdict.refusal = refusal
      verdict.matchedPin = nil
    }
    verdict.refusal = verdict.refusal.map { naming($0, violations) }
    return verdict
  }

  /// Judges a handshake that failed before the origin showed a certificate; the caller has told apart what a missing client certificate causes.
  ///
  /// `ats` passes where nothing points at ATS: the origin is then refused for failing, not for a violation.
  public func judge(handshake fault: HandshakeFault) -> TrustVerdict {
    let violation = atsMode == .off ? nil : violation(behind: fault)
    let verdict = ATSVerdict(
      outcome: atsMode == .off ? .off : violation == nil ? .pass : .fail, violations: violation.map { [$0.name] } ?? [])
    guard atsMode == .enforce, let violation else { return TrustVerdict(ats: verdict, refusal: refusal(of: fault)) }
    return TrustVerdict(ats: verdict, refusal: refusal(of: violation, fault))
  }

  /// An origin does not say why it gives up. Where ATS narrows the offer, that is the likely reason.
  func violation(behind fault: HandshakeFault) -> ATSViolation? {
    guard ats.minimumTLS != nil else { return nil }
    switch fault {
    case .versionMismatch, .alert(HandshakeFault.protocolVersion): return .minimumTLS
    case .noSharedCipher, .alert(HandshakeFault.handshakeFailure), .alert(HandshakeFault.insufficientSecurity):
      return ats.suiteViolation(nil)
    case .alert, .other: return nil
    }
  }

  /// Certificate trust and pins (spec C.2, A.9); `ats` of the result is filled in by the caller.
  func judgeTrust(_ facts: PeerFacts, hostMatches: Bool) -> TrustVerdict {
    let policy = (trust ?? .system).effective(
      at: facts.now, mayLoosen: atsMode == .off || ats.permitsLoosening)
    let outcome = AFEvaluation.evaluate(
      policy: policy, hasDomain: true, hostMatches: hostMatches, evaluation: facts.evaluation,
      pinnedEvaluation: facts.pinnedEvaluation)
    var chain = facts.evaluation.chain
    var matched: [UInt8]?
    var mismatched: [String] = []
    var refusal: Refusal?
    var isPinMismatch = false

    if case .accepted(let counting, let certificate) = outcome {
      chain = counting
      matched = certificate?.spkiDigest
    } else if !policy.enforce, outcome.isPinMismatch, policy.validates(facts.evaluation, hostMatches: hostMatches) {
      mismatched.append(policy.place)
    } else {
      refusal = self.refusal(of: outcome, policy, facts)
      isPinMismatch = outcome.isPinMismatch
    }
    if refusal == nil, !policy.pins.isEmpty {
      if let pin = policy.match(chain) {
        matched = pin.digest
      } else if policy.enforce {
        refusal = pinRefusal(place: policy.place, count: policy.pins.count, chain: chain)
        isPinMismatch = true
      } else if mismatched.isEmpty {
        mismatched.append(policy.place)
      }
    }
    if refusal == nil, let pinned {
      if let digest = pinned.match(chain) {
        matched = matched ?? digest
      } else {
        refusal = pinnedDomainsRefusal(pinned, chain: chain)
        isPinMismatch = true
      }
    }
    let imported = judgeImports(facts, hostMatches: hostMatches)
    isPinMismatch = isPinMismatch || (refusal == nil && imported.refusal != nil)
    refusal = refusal ?? imported.refusal
    matched = matched ?? imported.matched
    mismatched += imported.mismatched
    let pins = chain.map { Pin.text(of: $0.spkiDigest) }
    var verdict = TrustVerdict(
      ats: ATSVerdict(outcome: .off), refusal: refusal, pins: pins,
      matchedPin: refusal == nil && mismatched.isEmpty ? matched.map(Pin.text(of:)) : nil,
      reported: mismatched.map { PinMismatch(source: $0, seen: pins) })
    verdict.failures = [failure(of: policy, outcome, chain: chain)].compactMap { $0 } + imported.failures
    verdict.isPinMismatch = isPinMismatch
    return verdict
  }
}

extension HandshakeFault {
  static let handshakeFailure: UInt8 = 40
  static let protocolVersion: UInt8 = 70
  static let insufficientSecurity: UInt8 = 71
}

extension AFEvaluation.Outcome {
  /// Whether only pins failed, which a policy that reports lets pass.
  var isPinMismatch: Bool {
    switch self {
    case .nothingPinned, .notAnchoredInPins, .notPinned, .notWhollyPinned: true
    case .accepted, .contradictory, .untrusted: false
    }
  }
}

extension TrustPolicy {
  /// The first certificate of the chain that is pinned.
  func match(_ chain: [CertificateFacts]) -> Pin? {
    chain.lazy.map(Pin.init(of:)).first { pins.contains($0) }
  }

  /// Whether the chain is good against the anchors, pins left aside.
  func validates(_ evaluation: ChainEvaluation, hostMatches: Bool) -> Bool {
    validatesDomainName
      ? evaluation.faultsForServer(hostMatches: hostMatches).isEmpty : evaluation.faultsForBasicX509.isEmpty
  }
}
