import Policy
import Testing

private typealias S = Samples

struct AFEvaluationTests {
  private static let selfSigned = CertificateFacts.sample(5, "CN=foobar.com", days: 3650, isSelfIssued: true)
  private static let good = S.evaluation(isSystem: true)
  private static let bad = S.evaluation([selfSigned], [.selfSigned])

  private static func accepts(
    _ policy: TrustPolicy, _ evaluation: ChainEvaluation = good, domain: Bool = true, matches: Bool = true,
    pinned: ChainEvaluation? = nil
  ) -> Bool {
    AFEvaluation.accepts(
      policy: policy, hasDomain: domain, hostMatches: matches, evaluation: evaluation, pinnedEvaluation: pinned)
  }

  private static func policy(
    _ pinning: PinningMode = .none, _ certificates: [CertificateFacts] = [], allowInvalid: Bool = false,
    validatesName: Bool = true, validatesChain: Bool = false
  ) -> TrustPolicy {
    TrustPolicy(
      name: "t", pinning: pinning, certificates: certificates, allowInvalidCertificates: allowInvalid,
      validatesDomainName: validatesName, validatesCertificateChain: validatesChain)
  }

  @Test func withoutPinsTheSystemDecides() {
    #expect(Self.accepts(Self.policy()))
    #expect(Self.accepts(Self.policy(), domain: false, matches: false))
    #expect(!Self.accepts(Self.policy(), matches: false))
    #expect(Self.accepts(Self.policy(validatesName: false), matches: false))
    #expect(!Self.accepts(Self.policy(), Self.bad))
    #expect(Self.accepts(Self.policy(), S.evaluation(S.chain, [.nameMismatch]), domain: false, matches: false))
  }

  @Test func theGuardAgainstAcceptingAnything() {
    #expect(!Self.accepts(Self.policy(allowInvalid: true), Self.bad))
    #expect(!Self.accepts(Self.policy(allowInvalid: true)))
    #expect(!Self.accepts(Self.policy(.publicKey, allowInvalid: true), Self.bad))
    #expect(!Self.accepts(Self.policy(.none, [Self.selfSigned], allowInvalid: true), Self.bad))
    #expect(Self.accepts(Self.policy(allowInvalid: true), Self.bad, domain: false))
    #expect(Self.accepts(Self.policy(allowInvalid: true, validatesName: false), Self.bad))
  }

  @Test(arguments: [0, 1, 2])
  func aKeyAnywhereInTheChain(_ position: Int) {
    #expect(Self.accepts(Self.policy(.publicKey, [S.other, S.chain[position]])))
    #expect(!Self.accepts(Self.policy(.publicKey, [S.chain[position]]), matches: false))
    // Another certificate with the same key.
    let renewed = S.chain[position].with { $0.fingerprint = [7] }
    #expect(Self.accepts(Self.policy(.publicKey, [renewed])))
    #expect(!Self.accepts(Self.policy(.certificate, [renewed]), pinned: Self.good))
  }

  @Test func keysThatDoNotMatch() {
    #expect(!Self.accepts(Self.policy(.publicKey)))
    #expect(!Self.accepts(Self.policy(.publicKey, [S.other])))
    #expect(!Self.accepts(Self.policy(.publicKey, [Self.selfSigned]), Self.bad))
    #expect(Self.accepts(Self.policy(.publicKey, [Self.selfSigned], allowInvalid: true), Self.bad))
    // Weak, and as the original: with invalid certificates allowed neither chain nor name is looked at.
    #expect(Self.accepts(Self.policy(.publicKey, [Self.selfSigned], allowInvalid: true), Self.bad, matches: false))
  }

  @Test func certificatesAreTheOnlyAnchors() {
    let rebuilt = S.evaluation([S.leaf])
    #expect(Self.accepts(Self.policy(.certificate, [S.leaf]), pinned: rebuilt))
    #expect(!Self.accepts(Self.policy(.certificate, [S.leaf]), matches: false, pinned: rebuilt))
    #expect(!Self.accepts(Self.policy(.certificate, [S.other]), pinned: S.evaluation([S.leaf], [.unknownRoot])))
    #expect(!Self.accepts(Self.policy(.certificate)))
    #expect(!Self.accepts(Self.policy(.certificate, [S.leaf])), "without the second evaluation nothing is pinned")
  }

  @Test func selfSignedNeedsBothPinAndPermission() {
    let rebuilt = S.evaluation([Self.selfSigned])
    #expect(!Self.accepts(Self.policy(.certificate, [Self.selfSigned]), Self.bad, pinned: rebuilt))
    let permitted = Self.policy(.certificate, [Self.selfSigned], allowInvalid: true)
    #expect(Self.accepts(permitted, Self.bad, pinned: rebuilt))
    #expect(!Self.accepts(permitted, Self.bad, matches: false, pinned: rebuilt))
    #expect(Self.accepts(permitted, Self.bad, domain: false, matches: false, pinned: rebuilt))
    let unnamed = Self.policy(.certificate, [Self.selfSigned], allowInvalid: true, validatesName: false)
    #expect(Self.accepts(unnamed, Self.bad, matches: false, pinned: rebuilt))
  }

  @Test func theWholeChainMayHaveToBePinned() {
    #expect(!Self.accepts(Self.policy(.publicKey, [S.leaf], validatesChain: true)))
    #expect(Self.accepts(Self.policy(.publicKey, S.chain, validatesChain: true)))
    let rebuilt = S.evaluation([S.leaf, S.intermediate])
    #expect(!Self.accepts(Self.policy(.certificate, [S.intermediate], validatesChain: true), pinned: rebuilt))
    #expect(Self.accepts(Self.policy(.certificate, [S.leaf, S.intermediate], validatesChain: true), pinned: rebuilt))
    #expect(Self.accepts(Self.policy(validatesChain: true)), "it counts with pinning only")
  }

  @Test func anEmptyChainIsNotTrusted() {
    #expect(!Self.accepts(Self.policy(), S.evaluation([])))
    #expect(!Self.accepts(Self.policy(validatesName: false), S.evaluation([])))
  }
}
