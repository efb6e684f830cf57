import Policy
import Testing

private typealias S = Samples

/// What a stapled OCSP response changes.
struct StapledStatusTests {
  private static let mustStaple = S.leaf.with { $0.requiresStaple = true }
  private static let good = StapledStatus.good(begin: S.now - 3_600, end: S.now + 3_600)

  private static func judge(
    _ status: StapledStatus, _ leaf: CertificateFacts = S.leaf, _ dictionary: PropertyValue = [:],
    trust: TrustPolicy? = nil, chain: [CertificateFacts] = [S.intermediate, S.root]
  ) throws -> TrustVerdict {
    var facts = S.facts(S.evaluation([leaf] + chain))
    facts.staple = status
    return try S.requirements(dictionary, trust: trust).judge(facts)
  }

  private static func revoked(_ reason: String?, end: Int64? = S.now + 3_600) -> StapledStatus {
    .revoked(at: S.now - S.day, reason: reason, begin: S.now - 3_600, end: end)
  }

  @Test func aRevokedCertificateIsRefused() throws {
    let verdict = try Self.judge(Self.revoked("keyCompromise"))
    let refusal = try #require(verdict.refusal)
    #expect(refusal.error == .serverCertificateUntrusted && refusal.decidedBy == .trust)
    #expect(refusal.proxyError == .tlsCertificateError)
    #expect(refusal.detail.contains("was revoked on 2025-12-31 (keyCompromise)"), "\(refusal.detail)")
    #expect(verdict.ats.violations == ["trust"])
    #expect(try Self.judge(Self.revoked(nil)).refusal?.detail.contains("was revoked on 2025-12-31.") == true)
  }

  @Test func aRevocationIsForGoodButAHoldIsNot() throws {
    #expect(try !Self.judge(Self.revoked("superseded", end: S.now - S.day)).isAccepted)
    #expect(try !Self.judge(Self.revoked(nil, end: nil)).isAccepted)
    #expect(try !Self.judge(Self.revoked("certificateHold")).isAccepted)
    #expect(try Self.judge(Self.revoked("certificateHold", end: S.now - S.day)).isAccepted)
  }

  @Test(
    arguments: [
      (.absent, false), (good, true), (.unusable("it is about another certificate"), false),
      (.good(begin: S.now - 3_600, end: S.now - 300), true), (.good(begin: S.now - 3_600, end: S.now - 301), false),
      (.good(begin: S.now + 300, end: S.now + 600), true), (.good(begin: S.now + 301, end: S.now + 600), false),
      (.good(begin: S.now, end: nil), false), (.good(begin: .min, end: .max), true),
      (.good(begin: .max, end: .min), false),
    ] as [(StapledStatus, Bool)])
  func whatIsOfNoUseIsAsGoodAsAbsent(_ status: StapledStatus, _ isGood: Bool) throws {
    #expect(try Self.judge(status).isAccepted)
    let verdict = try Self.judge(status, Self.mustStaple)
    #expect(verdict.isAccepted == isGood)
    guard !isGood else { return }
    #expect(verdict.refusal?.error == .serverCertificateUntrusted)
    #expect(verdict.refusal?.detail.contains("must-staple") == true)
  }

  @Test func theReasonIsTold() throws {
    let absent = try Self.judge(.absent, Self.mustStaple).refusal
    #expect(absent?.detail.contains("the origin sent none") == true)
    let ended = try Self.judge(.good(begin: S.now - 9 * S.day, end: S.now - S.day), Self.mustStaple).refusal
    #expect(ended?.detail.contains("it ended on 2025-12-31") == true)
  }

  @Test func permissionToAcceptInvalidCertificatesCoversIt() throws {
    let policy = TrustPolicy(name: "t", allowInvalidCertificates: true, validatesDomainName: false)
    for status in [StapledStatus.absent, Self.revoked(nil)] {
      #expect(try !Self.judge(status, Self.mustStaple, trust: policy).isAccepted)
      #expect(try Self.judge(status, Self.mustStaple, S.loose, trust: policy).isAccepted)
    }
  }

  @Test func anAnchorOfItsOwnNeedsNoStatus() throws {
    #expect(try Self.judge(.absent, Self.mustStaple, chain: []).isAccepted)
    #expect(try !Self.judge(Self.revoked(nil), Self.mustStaple, chain: []).isAccepted)
  }

  @Test func theRebuiltChainIsHeldToItToo() throws {
    let policy = TrustPolicy(name: "t", pinning: .certificate, certificates: [S.root], allowInvalidCertificates: true)
    var facts = S.facts(pinned: S.evaluation())
    #expect(try S.requirements(S.loose, trust: policy).judge(facts).isAccepted)
    facts.staple = Self.revoked(nil)
    #expect(try !S.requirements(S.loose, trust: policy).judge(facts).isAccepted)
  }
}
