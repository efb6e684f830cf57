import Policy
import Testing

private typealias S = Samples

/// Apple's rules for certificates of TLS servers: the vectors 93 to 108 of the spec. Names (109 to 117) are judged on real certificates,
/// in the tests of `TLS`.
struct CertificateRuleTests {
  private enum Root { case system, administrator }

  private static func judge(
    _ leaf: CertificateFacts, _ root: Root = .system, _ dictionary: PropertyValue = [:], mode: ATSMode = .enforce,
    faults: [ChainFault] = [], trust: TrustPolicy? = nil
  ) throws -> TrustVerdict {
    let evaluation = S.evaluation([leaf, S.intermediate, S.root], faults, isSystem: root == .system)
    return try S.requirements(dictionary, mode: mode, trust: trust).judge(S.facts(evaluation))
  }

  private static func code(_ verdict: TrustVerdict) -> Int? { verdict.refusal?.error?.code }

  private static func lasting(_ days: Int64, from start: Int64? = nil) -> CertificateFacts {
    S.leaf.with {
      $0.notBefore = start ?? $0.notBefore
      $0.notAfter = $0.notBefore + days * S.day
    }
  }

  private static let rsa1024 = S.leaf.with { ($0.keyKind, $0.keyBits) = (.rsa, 1024) }

  @Test func v93_weakRSAKey() throws {
    let verdict = try Self.judge(Self.rsa1024)
    #expect(Self.code(verdict) == -1200 && verdict.ats.violations.contains("key-size"))
  }

  @Test func v94_withoutForwardSecrecyTrustRefusesIt() throws {
    let verdict = try Self.judge(Self.rsa1024, .system, S.exception(["NSExceptionRequiresForwardSecrecy": false]))
    #expect(Self.code(verdict) == -1202 && !verdict.ats.violations.contains("key-size"))
  }

  @Test func v95_curves() throws {
    #expect(try Self.judge(S.leaf).isAccepted)
    let verdict = try Self.judge(S.leaf.with { $0.keyBits = 224 })
    #expect(!verdict.isAccepted && verdict.ats.violations.contains("key-size"))
  }

  @Test func v96_v97_oldHashes() throws {
    let sha1 = S.leaf.with { $0.signatureHash = .sha1 }
    #expect(try Self.code(Self.judge(sha1)) == -1200)
    #expect(try Self.code(Self.judge(sha1, .system, ["NSAllowsArbitraryLoads": true])) == -1202)
    for hash in [SignatureHash.md5, .unknown] {
      let old = S.leaf.with { $0.signatureHash = hash }
      #expect(try Self.code(Self.judge(old, mode: .off)) == -1202, "\(hash)")
      let above = S.evaluation([S.leaf, S.intermediate.with { $0.signatureHash = hash }, S.root])
      #expect(try Self.code(S.requirements(mode: .off).judge(S.facts(above))) == -1202, "\(hash)")
      let root = S.evaluation([S.leaf, S.root.with { $0.signatureHash = hash }])
      #expect(try S.requirements(mode: .off).judge(S.facts(root)).isAccepted, "\(hash)")
    }
  }

  @Test func v98_v99_v100_selfSigned() throws {
    let loosening = TrustPolicy(name: "t", allowInvalidCertificates: true, validatesDomainName: false)
    func verdict(_ dictionary: PropertyValue, _ trust: TrustPolicy?) throws -> TrustVerdict {
      try Self.judge(S.leaf, .administrator, dictionary, faults: [.selfSigned], trust: trust)
    }
    #expect(try Self.code(verdict(S.loose, nil)) == -1202)
    #expect(try verdict(S.loose, loosening).isAccepted)
    #expect(try Self.code(verdict([:], loosening)) == -1202)
    #expect(try Self.code(verdict(["NSAllowsLocalNetworking": true], nil)) == -1202)
  }

  @Test func v103_v104_v106_mintedLeaves() throws {
    #expect(try Self.judge(Self.lasting(398), .administrator).isAccepted)
    #expect(try Self.judge(Self.lasting(825), .administrator).isAccepted)
    #expect(try Self.code(Self.judge(Self.lasting(900), .administrator)) == -1202)
    // Apple's documents ask for the usage, its code does not for some roots; the documents are followed.
    let unused = S.leaf.with { $0.namesServerAuthentication = false }
    #expect(try Self.code(Self.judge(unused, .administrator)) == -1202)
    #expect(try Self.judge(unused, .administrator).refusal?.detail.contains("serverAuth") == true)
  }

  @Test func v105_aNameOnlyInTheSubject() throws {
    #expect(try Self.code(Self.judge(S.leaf, .administrator, faults: [.nameMismatch])) == -1202)
  }

  @Test(
    arguments: [
      // 2020-09-02 and 2020-06-01.
      (1_599_004_800, 399, false), (1_599_004_800, 398, true), (1_590_969_600, 800, true), (1_590_969_600, 830, false),
      // On the day of a change, and the hour of tolerance.
      (1_598_918_399, 825, true), (1_598_918_400, 399, false), (1_519_862_400, 826, false),
      (1_519_862_399, 3_000, true),
    ] as [(Int64, Int64, Bool)])
  func v107_v108_lifetimesUnderASystemRoot(_ start: Int64, _ days: Int64, _ isGood: Bool) throws {
    #expect(try Self.judge(Self.lasting(days, from: start)).isAccepted == isGood)
  }

  @Test func anHourOfToleranceWhereThereIsOne() throws {
    func accepts(_ start: Int64, _ seconds: Int64, _ root: Root) throws -> Bool {
      try Self.judge(S.leaf.with { ($0.notBefore, $0.notAfter) = (start, start + seconds) }, root).isAccepted
    }
    let (long, short) = (825 * S.day + 3_600, 398 * S.day)
    #expect(try accepts(1_590_969_600, long, .system) && !accepts(1_590_969_600, long + 1, .system))
    #expect(try accepts(1_599_004_800, short, .system) && !accepts(1_599_004_800, short + 1, .system))
    #expect(try accepts(1_599_004_800, long, .administrator) && !accepts(1_599_004_800, long + 1, .administrator))
    #expect(try accepts(1_561_939_200, long + 1, .administrator), "issued before the rule")
  }

  @Test func theUsageByRootAndDay() throws {
    func accepts(_ start: Int64, _ root: Root) throws -> Bool {
      try Self.judge(Self.lasting(300, from: start).with { $0.namesServerAuthentication = false }, root).isAccepted
    }
    #expect(try !accepts(1_500_000_000, .system))
    #expect(try !accepts(1_600_000_000, .system))
    #expect(try accepts(1_500_000_000, .administrator))
    #expect(try accepts(1_561_939_200, .administrator) && !accepts(1_561_939_201, .administrator))
    let alone = S.evaluation([S.leaf.with { $0.namesServerAuthentication = false }])
    #expect(try S.requirements().judge(S.facts(alone)).isAccepted, "a leaf that is its own anchor was trusted by name")
  }

  @Test func theWholeChainNeedsStrongKeys() throws {
    for depth in 0..<3 {
      var chain = S.chain
      chain[depth].keyKind = .rsa
      chain[depth].keyBits = 2_047
      #expect(try Self.code(S.requirements(mode: .off).judge(S.facts(S.evaluation(chain)))) == -1202, "\(depth)")
      chain[depth].keyBits = 2_048
      #expect(try S.requirements(mode: .off).judge(S.facts(S.evaluation(chain))).isAccepted, "\(depth)")
    }
  }
}
