import Names

/// What an origin does that App Transport Security does not permit.
enum ATSViolation: Sendable, Hashable {
  case minimumTLS
  /// A suite whose key exchange gives no forward secrecy.
  case forwardSecrecy
  /// Any other suite that the system does not speak, DHE among them.
  case cipherSuite
  /// TLS 1.2 without the extended master secret (RFC 7627), which a NIAP package asks for.
  case extendedMasterSecret
  /// The leaf's signature has an algorithm that a NIAP package does not offer.
  case signatureAlgorithm
  /// The leaf's key.
  case keySize
  /// A signature below SHA-256 at this depth; 0 is the leaf.
  case signatureHash(depth: Int)
  /// The system's trust evaluation fails, and ATS does not let a policy loosen it.
  case trust

  /// As records name it (`ats.violations`).
  var name: String {
    switch self {
    case .minimumTLS: "minimum-tls"
    case .forwardSecrecy: "forward-secrecy"
    case .cipherSuite: "cipher-suite"
    case .extendedMasterSecret: "extended-master-secret"
    case .signatureAlgorithm: "signature-algorithm"
    case .keySize: "key-size"
    case .signatureHash(depth: 0): "leaf-signature-hash"
    case .signatureHash: "chain-signature-hash"
    case .trust: "trust"
    }
  }

  /// What an app would find below its `NSURLError`.
  var code: SecureTransportError {
    switch self {
    case .minimumTLS: .minimumVersion
    case .forwardSecrecy, .cipherSuite: .cipherSuite
    case .extendedMasterSecret, .signatureAlgorithm: .violation
    case .keySize: .minimumKeySize
    case .signatureHash(depth: 0): .leafCertificateHash
    case .signatureHash: .certificateHash
    case .trust: .certificateTrust
    }
  }
}

extension ATSRequirements {
  /// Every violation in what was negotiated, in the order in which Apple's codes -9881 to -9886 number them (spec A.10).
  func violations(in facts: PeerFacts, isTrusted: Bool) -> [ATSViolation] {
    var found = handshakeViolations(in: facts)
    guard isATSRequired else { return found }
    // Giving up forward secrecy gives up the check of the key's length (spec A.2); the trust evaluation has one of its own.
    let chain = facts.evaluation.chain
    if forwardSecrecy, let leaf = chain.first, !leaf.hasKeyForATS { found.append(.keySize) }
    found += Self.weakSignatures(in: chain).map { .signatureHash(depth: $0) }
    if !isTrusted { found.append(.trust) }
    return found
  }

  private func handshakeViolations(in facts: PeerFacts) -> [ATSViolation] {
    var found: [ATSViolation] = []
    if facts.version < offeredMinimum { found.append(.minimumTLS) }
    if facts.version < .v13, !cipherSuites.contains(facts.cipherSuite) {
      found.append(suiteViolation(facts.cipherSuite))
    }
    guard let niap else { return found }
    if facts.version < .v13, !facts.usesExtendedMasterSecret { found.append(.extendedMasterSecret) }
    if let leaf = facts.evaluation.chain.first, !niap.accepts(leaf) { found.append(.signatureAlgorithm) }
    return found
  }

  /// `suite` is nil where none was agreed on.
  func suiteViolation(_ suite: String?) -> ATSViolation {
    guard forwardSecrecy else { return .cipherSuite }
    // What begins otherwise exchanges keys by RSA, or by a fixed Diffie-Hellman key.
    let isEphemeral = suite.map { name in ["ECDHE-", "DHE-", "EDH-"].contains { name.hasPrefix($0) } } ?? false
    return isEphemeral ? .cipherSuite : .forwardSecrecy
  }

  /// The leaf's signature counts even if it is its own; above it that of a self-signed anchor says nothing. Of those above the leaf the
  /// first is told.
  private static func weakSignatures(in chain: [CertificateFacts]) -> [Int] {
    let weak = chain.indices.filter { depth in
      let isRoot = depth > 0 && depth == chain.count - 1 && chain[depth].isSelfIssued
      return !isRoot && !chain[depth].hasSignatureForATS
    }
    return Array(weak.prefix(weak.first == 0 ? 2 : 1))
  }
}
