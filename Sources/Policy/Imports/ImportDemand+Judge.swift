extension ImportDemand {
  enum Outcome: Sendable, Hashable {
    /// `matched`: the digest that satisfied the pins; nil where none was looked at.
    case satisfied(matched: [UInt8]?)
    case invalidChain(TrustFaults)
    /// The chain ends at an anchor that the file does not trust for the host.
    case foreignAnchor
    case noMatchingPin
  }

  /// - Parameter faults: what is wrong with the chain for this host, before any pin.
  func outcome(for facts: PeerFacts, _ faults: TrustFaults) -> Outcome {
    let isExpired = expires.map { $0 < facts.now } ?? false
    // TrustKit leaves a domain whose pins have expired to the system.
    if isExpired, source.format == .trustKit { return .satisfied(matched: nil) }
    if wantsValidChain, !faults.isEmpty { return .invalidChain(faults) }
    if let anchors {
      let ends = anchors.filter { $0.admits(facts) }
      guard !ends.isEmpty else { return .foreignAnchor }
      if ends.contains(where: \.overridesPins) { return .satisfied(matched: nil) }
    }
    if isExpired { return .satisfied(matched: nil) }
    // Of a chain that nobody vouches for only the leaf is known.
    return match(faults.isEmpty ? facts.evaluation.chain : Array(facts.evaluation.chain.prefix(1)))
  }

  /// curl compares keys whether it verifies the chain or not; for certificates that stand for themselves the rule's trust policy decides.
  private var wantsValidChain: Bool { source.format != .curl && source.format != .certificates }

  private func match(_ chain: [CertificateFacts]) -> Outcome {
    let matched: [UInt8]?
    switch keys {
    case .none: return .satisfied(matched: nil)
    case .chain(let pins): matched = chain.lazy.map(Pin.init(of:)).first { pins.contains($0) }?.digest
    case .leaf(let pins): matched = chain.first.map(Pin.init(of:)).flatMap { pins.contains($0) ? $0.digest : nil }
    case .pinnedDomains(let identities): matched = identities.match(chain)
    }
    return matched.map { .satisfied(matched: $0) } ?? .noMatchingPin
  }
}
