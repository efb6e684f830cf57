import Names
import Policy

/// Facts that a judgement would get, made up.
enum Samples {
  /// 2026-01-01.
  static let now: Int64 = 1_767_225_600
  static let day: Int64 = 86_400

  static let leaf = CertificateFacts.sample(1, "CN=a.test")
  static let intermediate = CertificateFacts.sample(2, "CN=Intermediate", days: 3650)
  static let root = CertificateFacts.sample(3, "CN=Root", days: 7300, isSelfIssued: true)
  static let other = CertificateFacts.sample(9, "CN=Other")

  static let chain = [leaf, intermediate, root]

  static func evaluation(
    _ chain: [CertificateFacts] = chain, _ faults: [ChainFault] = [], isSystem: Bool = false
  ) -> ChainEvaluation {
    ChainEvaluation(chain: chain, faults: faults, anchorIsSystem: isSystem)
  }

  static func facts(
    _ evaluation: ChainEvaluation = evaluation(), version: TLSVersion = .v13,
    suite: String = "TLS_AES_128_GCM_SHA256", hostMatches: Bool = true, pinned: ChainEvaluation? = nil
  ) -> PeerFacts {
    PeerFacts(
      version: version, cipherSuite: suite, presented: evaluation.chain, evaluation: evaluation,
      hostMatches: hostMatches, pinnedEvaluation: pinned, now: now)
  }

  /// What origin `a.test` must satisfy.
  static func requirements(
    _ dictionary: PropertyValue = [:], mode: ATSMode = .enforce, os: OSVersion = OSVersion(major: 18, minor: 4),
    trust: TrustPolicy? = nil
  ) throws -> OriginRequirements {
    let ats = ATSPolicy(dictionary: dictionary, os: os, mode: mode)
    let host = try Host("a.test")
    return OriginRequirements(
      host: host, port: 443, atsMode: mode, os: os, ats: ats.requirements(host: host, context: .app), trust: trust,
      pinned: ats.pinnedDomains.identities(for: host))
  }

  static func exception(_ members: PropertyValue) -> PropertyValue { ["NSExceptionDomains": ["a.test": members]] }

  /// The exception under which a trust policy may loosen.
  static let loose = exception(["NSExceptionAllowsInsecureHTTPLoads": true])
}

extension CertificateFacts {
  static func sample(_ number: UInt8 = 1, _ subject: String = "CN=a.test", days: Int64 = 90, isSelfIssued: Bool = false)
    -> CertificateFacts
  {
    CertificateFacts(
      subject: subject, issuer: isSelfIssued ? subject : "CN=Issuer",
      fingerprint: [UInt8](repeating: number, count: 32), spkiDigest: [UInt8](repeating: number + 100, count: 32),
      keyKind: .ec, keyBits: 256, signatureHash: .sha256, notBefore: Samples.now - 30 * Samples.day,
      notAfter: Samples.now + (days - 30) * Samples.day, isSelfIssued: isSelfIssued)
  }

  func with(_ change: (inout CertificateFacts) -> Void) -> CertificateFacts {
    var copy = self
    change(&copy)
    return copy
  }
}
