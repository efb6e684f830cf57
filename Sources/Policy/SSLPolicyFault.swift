/// What Apple's policy for TLS servers finds wrong with a chain whose path and dates are good (spec E.2, E.3).
///
/// The newest system's rules hold for every OS version: none of them accepts more from a public authority today.
enum SSLPolicyFault: Sendable, Hashable {
  /// RSA below 2048 bits, EC below 256, or another kind of key.
  case weakKey(depth: Int)
  case weakSignature(depth: Int)
  /// The leaf's extended key usage must name serverAuth itself.
  case namesNoServers
  case livesTooLong(days: Int64, limit: Int64)
}

extension ChainEvaluation {
  var policyFaults: [SSLPolicyFault] {
    var faults: [SSLPolicyFault] = []
    for (depth, certificate) in chain.enumerated() {
      if !certificate.hasKeyForServers { faults.append(.weakKey(depth: depth)) }
      let isSelfSignedAnchor = depth == chain.count - 1 && certificate.isSelfIssued
      if !isSelfSignedAnchor, !certificate.hasSignatureForServers { faults.append(.weakSignature(depth: depth)) }
    }
    if mustNameServers, chain.first?.namesServerAuthentication == false { faults.append(.namesNoServers) }
    if let fault = lifetimeFault { faults.append(fault) }
    return faults
  }

  /// The usage may be absent only where the certificate is its own anchor, or is older than the rule.
  private var mustNameServers: Bool {
    guard let leaf = chain.first else { return false }
    return anchorIsSystem || (leaf.notBefore > Self.july2019 && chain.count > 1)
  }

  private var lifetimeFault: SSLPolicyFault? {
    guard let leaf = chain.first, let limit = lifetimeLimit(of: leaf) else { return nil }
    let (lifetime, isEndless) = leaf.notAfter.subtractingReportingOverflow(leaf.notBefore)
    guard isEndless || lifetime > limit.seconds else { return nil }
    return .livesTooLong(days: isEndless ? .max / Self.day : (lifetime - 1) / Self.day + 1, limit: limit.days)
  }

  private static var day: Int64 { 86_400 }
  private static var july2019: Int64 { 1_561_939_200 }

  private func lifetimeLimit(of leaf: CertificateFacts) -> (days: Int64, seconds: Int64)? {
    let march2018: Int64 = 1_519_862_400
    let september2020: Int64 = 1_598_918_400
    let long = (days: Int64(825), seconds: 825 * Self.day + 3600)
    if anchorIsSystem {
      if leaf.notBefore >= september2020 { return (398, 398 * Self.day) }
      return leaf.notBefore >= march2018 ? long : nil
    }
    // A leaf that is its own anchor was trusted by name.
    return leaf.notBefore > Self.july2019 && chain.count > 1 ? long : nil
  }
}

extension CertificateFacts {
  /// Ed25519 is let pass here: no rule of Apple's trust policy names it, and pins of such keys are of use with other clients.
  var hasKeyForServers: Bool {
    switch keyKind {
    case .rsa: keyBits >= 2048
    case .ec: keyBits >= 256
    case .ed25519: true
    case .other: false
    }
  }

  /// Neither MD5 nor SHA-1, nor what nobody here knows, MD2 and MD4 among it.
  var hasSignatureForServers: Bool {
    switch signatureHash {
    case .sha224, .sha256, .sha384, .sha512, .intrinsic: true
    case .md5, .sha1, .unknown: false
    }
  }

  /// ATS knows RSA from 2048 bits and EC from 256.
  var hasKeyForATS: Bool { hasKeyForServers && keyKind != .ed25519 }

  /// SHA-256 or stronger.
  var hasSignatureForATS: Bool {
    switch signatureHash {
    case .sha256, .sha384, .sha512, .intrinsic: true
    case .md5, .sha1, .sha224, .unknown: false
    }
  }

  /// `RSA 1024`, for texts.
  var keyText: String {
    switch keyKind {
    case .rsa: "RSA \(keyBits)"
    case .ec: "EC \(keyBits)"
    case .ed25519: "Ed25519"
    case .other(let name): "\(name.prefix(40)) \(keyBits)"
    }
  }
}
