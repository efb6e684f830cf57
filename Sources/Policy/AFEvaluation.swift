/// `evaluateServerTrust:forDomain:` of AFSecurityPolicy 4.0.1 (spec C.2), with the chain rule of AFNetworking 2, as a pure function.
///
/// `TrustPolicy.pins` and `expires` are not part of it; the caller passes a policy whose switches are effective.
public enum AFEvaluation {
  enum Outcome: Sendable, Hashable {
    /// `chain` is the one that counts for pins; `matched` the certificate of it that a pinned one vouched for.
    case accepted(chain: [CertificateFacts], matched: CertificateFacts?)
    /// Step 1: invalid certificates allowed for a named domain, but nothing pinned that could vouch for it.
    case contradictory
    case untrusted(TrustFaults)
    case nothingPinned
    /// The chain does not lead to a pinned certificate.
    case notAnchoredInPins(TrustFaults)
    case notPinned
    case notWhollyPinned
  }

  /// - Parameters:
  ///   - hasDomain: whether a name was asked for; without one no host is checked.
  ///   - hostMatches: whether the leaf is for that name.
  ///   - evaluation: the chain against the system's anchors and those that were added to them.
  ///   - pinnedEvaluation: the chain against the policy's certificates alone; looked at in certificate mode only.
  public static func accepts(
    policy: TrustPolicy, hasDomain: Bool, hostMatches: Bool, evaluation: ChainEvaluation,
    pinnedEvaluation: ChainEvaluation?
  ) -> Bool {
    let outcome = evaluate(
      policy: policy, hasDomain: hasDomain, hostMatches: hostMatches, evaluation: evaluation,
      pinnedEvaluation: pinnedEvaluation)
    if case .accepted = outcome { return true }
    return false
  }

  static func evaluate(
    policy: TrustPolicy, hasDomain: Bool, hostMatches: Bool, evaluation: ChainEvaluation,
    pinnedEvaluation: ChainEvaluation?
  ) -> Outcome {
    let pinsNothing = policy.pinning == .none || policy.certificates.isEmpty
    if hasDomain, policy.allowInvalidCertificates, policy.validatesDomainName, pinsNothing { return .contradictory }

    func faults(of evaluation: ChainEvaluation) -> TrustFaults {
      policy.validatesDomainName
        ? evaluation.faultsForServer(hostMatches: hasDomain ? hostMatches : nil) : evaluation.faultsForBasicX509
    }
    let found = faults(of: evaluation)
    guard policy.allowInvalidCertificates || found.isEmpty else { return .untrusted(found) }
    // Of a chain that nobody vouches for only the leaf is known: it made the handshake. The rest may have been pasted in.
    let proven = found.isEmpty ? evaluation.chain : Array(evaluation.chain.prefix(1))

    switch policy.pinning {
    case .none: return .accepted(chain: proven, matched: nil)
    case .publicKey:
      let outcome = match(policy, evaluation.chain, \.spkiDigest)
      guard case .accepted(_, let matched) = outcome else { return outcome }
      return .accepted(chain: proven, matched: matched)
    case .certificate:
      guard !policy.certificates.isEmpty, let pinnedEvaluation else { return .nothingPinned }
      let left = faults(of: pinnedEvaluation)
      guard left.isEmpty else { return .notAnchoredInPins(left) }
      return match(policy, pinnedEvaluation.chain, \.fingerprint)
    }
  }

  /// Compares chain and pinned certificates by what `identity` says of them.
  private static func match(
    _ policy: TrustPolicy, _ chain: [CertificateFacts], _ identity: (CertificateFacts) -> [UInt8]
  ) -> Outcome {
    let pinned = Set(policy.certificates.map(identity))
    guard !pinned.isEmpty else { return .nothingPinned }
    guard let matched = chain.first(where: { pinned.contains(identity($0)) }) else { return .notPinned }
    if policy.validatesCertificateChain, !chain.allSatisfy({ pinned.contains(identity($0)) }) {
      return .notWhollyPinned
    }
    return .accepted(chain: chain, matched: matched)
  }
}
