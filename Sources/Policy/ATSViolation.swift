import Names

/// What an origin does that App Transport Security does not permit.
enum ATSViolation: Sendable, Hashable {
  case minimumTLS
  /// A suite without forward secrecy.
  case forwardSecrecy
  /// Any other suite that the system does not speak.
  case cipherSuite
  /// The leaf's key.
  case keySize
  /// A signature below SHA-256 at this depth.
  case signatureHash(depth: Int)
  /// The system's trust evaluation fails, and ATS does not let a policy loosen it.
  case trust

  /// As records name it (`ats.violations`).
  var name: String {
    switch self {
    case .minimumTLS: "minimum-tls"
    case .forwardSecrecy: "forward-secrecy"
    case .cipherSuite: "cipher-suite"
    case .keySize: "key-size"
    case .signatureHash: "signature-hash"
    case .trust: "trust"
    }
  }
}

extension ATSRequirements {
  /// Every violation in what was negotiated, in the order in which Apple's codes -9881 to -9886 number them (spec A.10).
  func violations(in facts: PeerFacts, isTrusted: Bool) -> [ATSViolation] {
    var found: [ATSViolation] = []
    if facts.version < offeredMinimum { found.append(.minimumTLS) }
    if facts.version < .v13, !cipherSuites.contains(facts.cipherSuite) {
      found.append(suiteViolation(facts.cipherSuite))
    }
    guard isATSRequired else { return found }
    // Giving up forward secrecy gives up the check of the key's length (spec A.2); the trust evaluation has one of its own.
    let chain = facts.evaluation.chain
    if forwardSecrecy, let leaf = chain.first, !leaf.hasKeyForATS { found.append(.keySize) }
    if let depth = Self.weakSignature(in: chain) { found.append(.signatureHash(depth: depth)) }
    if !isTrusted { found.append(.trust) }
    return found
  }

  func suiteViolation(_ suite: String?) -> ATSViolation {
    guard forwardSecrecy else { return .cipherSuite }
    return suite?.hasPrefix("ECDHE-") == true ? .cipherSuite : .forwardSecrecy
  }

  /// The leaf's signature counts even if it is its own; above it that of a self-signed anchor says nothing.
  private static func weakSignature(in chain: [CertificateFacts]) -> Int? {
    chain.indices.first { depth in
      let isRoot = depth > 0 && depth == chain.count - 1 && chain[depth].isSelfIssued
      return !isRoot && !chain[depth].hasSignatureForATS
    }
  }
}
