import Policy
import Testing

private typealias S = Samples

/// Certificate trust and pins (contract, section 4).
struct OriginTrustTests {
  private static func pin(_ certificate: CertificateFacts) -> Pin { Pin(of: certificate) }

  @Test(
    arguments: [
      (.unknownRoot, -1203), (.selfSigned, -1202), (.expired(depth: 0), -1201), (.notYetValid(depth: 0), -1204),
      (.nameMismatch, -1202), (.wrongPurpose(depth: 0), -1202), (.invalidAuthority(depth: 1), -1202),
      (.badSignature(depth: 0), -1202), (.other("x"), -1202), (.expired(depth: 99), -1201),
    ] as [(ChainFault, Int)])
  func everyFaultHasItsCode(_ fault: ChainFault, _ code: Int) throws {
    for mode in ATSMode.allCases {
      let verdict = try S.requirements(mode: mode).judge(S.facts(S.evaluation(S.chain, [fault])))
      let refusal = try #require(verdict.refusal)
      #expect(refusal.error?.code == code)
      #expect(refusal.status == 502)
      #expect(refusal.proxyError == .tlsCertificateError)
      #expect(refusal.decidedBy == .trust)
      #expect(refusal.detail.contains("a.test:443"))
      #expect(verdict.matchedPin == nil)
      #expect(
        verdict.ats == ATSVerdict(outcome: mode == .off ? .off : .fail, violations: mode == .off ? [] : ["trust"]))
    }
  }

  @Test func anUnanchoredChainIsNamedBeforeItsDates() throws {
    let facts = S.facts(S.evaluation([S.leaf], [.expired(depth: 0), .nameMismatch, .unknownRoot]))
    #expect(try S.requirements().judge(facts).refusal?.error == .serverCertificateHasUnknownRoot)
  }

  @Test func aGoodOriginIsAccepted() throws {
    let verdict = try S.requirements().judge(S.facts())
    #expect(verdict.isAccepted)
    #expect(verdict.ats == ATSVerdict(outcome: .pass))
    #expect(verdict.pins == S.chain.map { Self.pin($0).text })
    #expect(verdict.matchedPin == nil)
  }

  @Test func weakKeysAndHashesAnywhereAreRefused() throws {
    let off = try S.requirements(mode: .off)
    func code(_ chain: [CertificateFacts]) -> Int? { off.judge(S.facts(S.evaluation(chain))).refusal?.error?.code }
    let weak = S.intermediate.with { ($0.keyKind, $0.keyBits) = (.rsa, 1024) }
    #expect(code([S.leaf, weak, S.root]) == -1202)
    #expect(code([S.leaf, S.intermediate, S.root.with { ($0.keyKind, $0.keyBits) = (.rsa, 1024) }]) == -1202)
    #expect(code([S.leaf.with { $0.keyBits = 224 }, S.root]) == -1202)
    #expect(code([S.leaf.with { ($0.keyKind, $0.keyBits) = (.ed25519, 256) }, S.root]) == nil)
    #expect(code([S.leaf, S.intermediate.with { $0.signatureHash = .sha1 }, S.root]) == -1202)
    #expect(code([S.leaf.with { $0.signatureHash = .md5 }, S.root]) == -1202)
    // The signature of a self-signed anchor says nothing; that of an anchor that others signed does.
    #expect(code([S.leaf, S.root.with { $0.signatureHash = .sha1 }]) == nil)
    #expect(code([S.leaf, S.intermediate.with { $0.signatureHash = .sha1 }]) == -1202)
  }

  @Test(
    arguments: [
      (1_590_000_000, 800, true, true), (1_590_000_000, 830, true, false), (1_600_000_000, 398, true, true),
      (1_600_000_000, 399, true, false), (1_500_000_000, 3000, true, true), (1_600_000_000, 825, false, true),
      (1_600_000_000, 826, false, false), (1_561_939_200, 3000, false, true),
    ] as [(Int64, Int64, Bool, Bool)])
  func lifetimes(_ start: Int64, _ days: Int64, _ isSystem: Bool, _ isGood: Bool) throws {
    let leaf = S.leaf.with { ($0.notBefore, $0.notAfter) = (start, start + days * S.day) }
    let verdict = try S.requirements().judge(S.facts(S.evaluation([leaf, S.root], isSystem: isSystem)))
    #expect(verdict.isAccepted == isGood, "\(verdict)")
  }

  @Test func aLeafThatIsItsOwnAnchorMayLiveLong() throws {
    let leaf = S.leaf.with { $0.notAfter = $0.notBefore + 3650 * S.day }
    #expect(try S.requirements().judge(S.facts(S.evaluation([leaf]))).isAccepted)
    let endless = S.leaf.with { ($0.notBefore, $0.notAfter) = (Samples.now, .max) }
    #expect(try !S.requirements().judge(S.facts(S.evaluation([endless, S.root]))).isAccepted)
  }

  @Test func looseningTakesEffectOnlyWhereATSPermitsIt() throws {
    let policy = TrustPolicy(name: "t", allowInvalidCertificates: true, validatesDomainName: false)
    let bad = S.facts(S.evaluation([S.leaf], [.selfSigned, .nameMismatch]), hostMatches: false)
    #expect(try !S.requirements(trust: policy).judge(bad).isAccepted)
    #expect(try !S.requirements(mode: .observe, trust: policy).judge(bad).isAccepted)
    #expect(try S.requirements(S.loose, trust: policy).judge(bad).isAccepted)
    #expect(try S.requirements(mode: .off, trust: policy).judge(bad).isAccepted)
    #expect(try S.requirements(["NSAllowsArbitraryLoads": true], trust: policy).judge(bad).isAccepted)
    let unnamed = TrustPolicy(name: "t", validatesDomainName: false)
    let wrongName = S.facts(S.evaluation(S.chain, [.nameMismatch]), hostMatches: false)
    #expect(try S.requirements(S.loose, trust: unnamed).judge(wrongName).isAccepted)
    #expect(try S.requirements(trust: unnamed).judge(wrongName).refusal?.error == .serverCertificateUntrusted)
  }

  @Test(arguments: [0, 1, 2])
  func pinsMatchAnywhereInTheChain(_ position: Int) throws {
    let pins = [Self.pin(S.other), Self.pin(S.chain[position])]
    let verdict = try S.requirements(trust: TrustPolicy(name: "t", pins: pins)).judge(S.facts())
    #expect(verdict.isAccepted)
    #expect(verdict.matchedPin == pins[1].text)
  }

  @Test func aPinThatDoesNotMatchIsNamed() throws {
    let policy = TrustPolicy(name: "t", pins: [Self.pin(S.other)])
    let refusal = try #require(try S.requirements(trust: policy).judge(S.facts()).refusal)
    #expect(refusal.error == .serverCertificateUntrusted)
    #expect(refusal.title.contains("pin"))
    #expect(refusal.detail.contains("trust.t") && refusal.detail.contains(Self.pin(S.leaf).text))
  }

  /// An attacker can append the pinned certificate to its own chain.
  @Test func onlyTheProvenPartOfAnInvalidChainCounts() throws {
    let forged = S.facts(S.evaluation([S.other, S.intermediate], [.unknownRoot]))
    var policy = TrustPolicy(
      name: "t", pins: [Self.pin(S.intermediate)], allowInvalidCertificates: true, validatesDomainName: false)
    #expect(try !S.requirements(S.loose, trust: policy).judge(forged).isAccepted)
    policy.pins = [Self.pin(S.other)]
    #expect(try S.requirements(S.loose, trust: policy).judge(forged).isAccepted)
  }

  @Test func pinsDoNotReplaceTheChain() throws {
    let policy = TrustPolicy(name: "t", pins: [Self.pin(S.leaf)])
    #expect(try !S.requirements(trust: policy).judge(S.facts(S.evaluation([S.leaf], [.selfSigned]))).isAccepted)
  }

  @Test func expiredPinsAreNotLookedAt() throws {
    var policy = TrustPolicy(name: "t", pinning: .publicKey, certificates: [S.other], pins: [Self.pin(S.other)])
    policy.expires = S.now - 1
    let verdict = try S.requirements(trust: policy).judge(S.facts())
    #expect(verdict.isAccepted && verdict.reported.isEmpty && verdict.matchedPin == nil)
    policy.expires = S.now + 1
    #expect(try !S.requirements(trust: policy).judge(S.facts()).isAccepted)
    // What only the pins vouched for is not accepted without them.
    policy.expires = S.now - 1
    policy.allowInvalidCertificates = true
    policy.validatesDomainName = false
    #expect(
      try !S.requirements(S.loose, trust: policy).judge(S.facts(S.evaluation([S.leaf], [.selfSigned]))).isAccepted)
  }

  @Test func aPolicyThatOnlyReports() throws {
    var policy = TrustPolicy(name: "t", pins: [Self.pin(S.other)], enforce: false)
    let verdict = try S.requirements(trust: policy).judge(S.facts())
    #expect(verdict.isAccepted && verdict.matchedPin == nil)
    #expect(verdict.reported == [PinMismatch(source: "trust.t", seen: S.chain.map { Self.pin($0).text })])
    #expect(try !S.requirements(trust: policy).judge(S.facts(S.evaluation([S.leaf], [.selfSigned]))).isAccepted)
    policy.pinning = .publicKey
    policy.certificates = [S.other]
    #expect(try S.requirements(trust: policy).judge(S.facts()).reported.count == 1)
    policy.pinning = .certificate
    policy.allowInvalidCertificates = true
    let unanchored = S.evaluation([S.leaf], [.unknownRoot])
    #expect(try S.requirements(S.loose, trust: policy).judge(S.facts(pinned: unanchored)).isAccepted)
    #expect(try !S.requirements(S.loose, trust: policy).judge(S.facts(unanchored, pinned: unanchored)).isAccepted)
  }

  @Test func certificateModeCountsTheRebuiltChain() throws {
    let policy = TrustPolicy(
      name: "t", pinning: .certificate, certificates: [S.intermediate], pins: [Self.pin(S.root)])
    let requirements = try S.requirements(trust: policy)
    #expect(requirements.wantsPinnedEvaluation)
    let facts = S.facts(pinned: S.evaluation([S.leaf, S.intermediate]))
    #expect(!requirements.judge(facts).isAccepted, "the root is not in the chain that counts")
    var matching = policy
    matching.pins = []
    let verdict = try S.requirements(trust: matching).judge(facts)
    #expect(verdict.matchedPin == Self.pin(S.intermediate).text)
    #expect(verdict.pins == [S.leaf, S.intermediate].map { Self.pin($0).text })
    #expect(try !S.requirements(trust: TrustPolicy(name: "t", pinning: .certificate)).wantsPinnedEvaluation)
  }

  private static func domains(leaf: [CertificateFacts]? = nil, ca: [CertificateFacts]? = nil) -> PropertyValue {
    func list(_ certificates: [CertificateFacts]) -> PropertyValue {
      .array(certificates.map { ["SPKI-SHA256-BASE64": .string(String(pin($0).text.dropFirst("sha256/".count)))] })
    }
    var entry: [String: PropertyValue] = [:]
    entry["NSPinnedLeafIdentities"] = leaf.map(list)
    entry["NSPinnedCAIdentities"] = ca.map(list)
    return ["NSPinnedDomains": ["A.Test": .dictionary(entry)]]
  }

  @Test(arguments: [
    (domains(leaf: [S.leaf]), true), (domains(leaf: [S.other]), false), (domains(ca: [S.root]), true),
    (domains(ca: [S.intermediate]), true), (domains(ca: [S.leaf]), false), (domains(leaf: [S.root]), false),
    (domains(leaf: [S.leaf], ca: [S.other]), false), (domains(leaf: [S.leaf], ca: [S.root]), true),
    (domains(leaf: []), false), (domains(ca: []), false), (domains(), true),
  ])
  func pinnedDomains(_ dictionary: PropertyValue, _ isGood: Bool) throws {
    for mode in ATSMode.allCases {
      let verdict = try S.requirements(dictionary, mode: mode).judge(S.facts())
      #expect(verdict.isAccepted == isGood)
      if !isGood {
        #expect(verdict.refusal?.error == .serverCertificateUntrusted)
        #expect(verdict.refusal?.decidedBy == .trust)
      }
    }
  }
}
