import Names
import Policy
import Testing

private typealias S = Samples

/// The numbered edge cases of handshakes and certificates under App Transport Security (spec H.3, rows 83 to 102), through the judgement.
struct ATSHandshakeCaseTests {
  struct Row: CustomTestStringConvertible {
    let number: Int
    let dictionary: PropertyValue
    let os: String
    let facts: PeerFacts
    /// Empty: passes.
    let violations: [String]
    /// The NSURLError of the refusal; nil: passes.
    let code: Int?
    /// Apple's code below it, if the text has one.
    let subcode: Int?
    var trust: TrustPolicy?

    init(
      _ number: Int, _ facts: PeerFacts, _ violations: [String] = [], _ code: Int? = nil, _ subcode: Int? = nil,
      under dictionary: PropertyValue = [:], os: String = "18.4", trust: TrustPolicy? = nil
    ) {
      self.number = number
      self.dictionary = dictionary
      self.os = os
      self.facts = facts
      self.violations = violations
      self.code = code
      self.subcode = subcode
      self.trust = trust
    }

    var testDescription: String { "\(number): \(facts.version.name) \(facts.cipherSuite), OS \(os)" }
  }

  private static let good = "ECDHE-RSA-AES128-GCM-SHA256"

  private static func v12(_ suite: String, ems: Bool = true) -> PeerFacts {
    var facts = S.facts(version: .v12, suite: suite)
    facts.usesExtendedMasterSecret = ems
    return facts
  }

  private static func leaf(_ change: (inout CertificateFacts) -> Void, isSystem: Bool = false) -> PeerFacts {
    S.facts(
      S.evaluation([S.leaf.with(change), S.intermediate, S.root], isSystem: isSystem), version: .v12, suite: good)
  }

  private static let selfSigned = S.facts(S.evaluation([S.leaf.with { $0.isSelfIssued = true }], [.selfSigned]))
  private static let noSecrecy = S.exception(["NSExceptionRequiresForwardSecrecy": false])
  private static let plainToo = S.exception([
    "NSExceptionRequiresForwardSecrecy": false, "NSExceptionAllowsInsecureHTTPLoads": true,
  ])
  private static let niap: PropertyValue = ["NSRequiresNIAPTLSPackageVersion": "recommended"]
  private static let lenient = TrustPolicy(
    name: "t", pinning: .none, allowInvalidCertificates: true, validatesDomainName: false)

  private static let rows: [Row] = [
    Row(83, S.facts(version: .v13)), Row(83, v12(good)),
    Row(85, S.facts(version: .v11, suite: "ECDHE-RSA-AES128-SHA"), ["minimum-tls"], -1200, -9881),
    Row(85, S.facts(version: .v10, suite: "ECDHE-RSA-AES128-SHA"), ["minimum-tls"], -1200, -9881),
    Row(86, v12("AES128-SHA"), ["forward-secrecy"], -1200, -9882), Row(87, v12("AES128-SHA"), under: noSecrecy),
    Row(88, v12("DHE-RSA-AES256-GCM-SHA384"), ["cipher-suite"], -1200, -9882),
    Row(88, v12("DHE-RSA-AES256-GCM-SHA384"), ["cipher-suite"], -1200, -9882, under: noSecrecy),
    Row(89, v12("DHE-RSA-AES256-GCM-SHA384"), ["cipher-suite"], -1200, -9882, under: plainToo),
    Row(89, v12("AES256-SHA"), under: plainToo),
    Row(90, v12("ECDHE-RSA-CHACHA20-POLY1305"), ["cipher-suite"], -1200, -9882, os: "11"),
    Row(91, v12("ECDHE-RSA-CHACHA20-POLY1305"), os: "13"), Row(92, v12("ECDHE-RSA-AES256-SHA384"), os: "14"),
    Row(92, v12("ECDHE-RSA-AES256-SHA384"), ["cipher-suite"], -1200, -9882, os: "15"),
    Row(93, leaf { ($0.keyKind, $0.keyBits) = (.rsa, 1024) }, ["key-size", "trust"], -1200, -9883),
    Row(94, leaf { ($0.keyKind, $0.keyBits) = (.rsa, 1024) }, ["trust"], -1202, -9886, under: noSecrecy),
    Row(95, leaf { ($0.keyKind, $0.keyBits) = (.ec, 256) }),
    Row(95, leaf { ($0.keyKind, $0.keyBits) = (.ec, 224) }, ["key-size", "trust"], -1200, -9883),
    Row(96, leaf({ $0.signatureHash = .sha1 }, isSystem: true), ["leaf-signature-hash", "trust"], -1200, -9884),
    Row(
      96, S.facts(S.evaluation([S.leaf, S.intermediate.with { $0.signatureHash = .sha1 }, S.root])),
      ["chain-signature-hash", "trust"], -1200, -9885),
    Row(
      96,
      S.facts(
        S.evaluation([
          S.leaf.with { $0.signatureHash = .sha224 }, S.intermediate.with { $0.signatureHash = .sha224 }, S.root,
        ])),
      ["leaf-signature-hash", "chain-signature-hash"], -1200, -9884),
    Row(97, leaf({ $0.signatureHash = .sha1 }, isSystem: true), [], -1202, under: ["NSAllowsArbitraryLoads": true]),
    Row(98, selfSigned, [], -1202, under: S.loose), Row(98, selfSigned, under: S.loose, trust: lenient),
    Row(99, selfSigned, ["trust"], -1202, -9886, trust: lenient),
    Row(100, selfSigned, ["trust"], -1202, -9886, under: ["NSAllowsLocalNetworking": true]),
    Row(101, v12("ECDHE-RSA-AES128-SHA"), ["cipher-suite"], -1200, -9882, under: niap, os: "26.4"),
    Row(101, v12("ECDHE-RSA-AES128-SHA"), under: niap, os: "26.3"),
    Row(101, v12("ECDHE-ECDSA-AES256-GCM-SHA384"), under: niap, os: "26.4"),
    Row(101, S.facts(version: .v13), under: niap, os: "26.4"),
    Row(102, v12(good, ems: false), ["extended-master-secret"], -1200, -9880, under: niap, os: "26.4"),
    Row(102, v12(good, ems: false), under: niap, os: "26.3"), Row(102, v12(good, ems: false)),
    Row(102, v12(good, ems: false), under: niap.adding(S.loose), os: "26.4"),
    Row(
      102, v12(good, ems: false), ["extended-master-secret"], -1200, -9880,
      under: S.exception(["NSExceptionRequiresNIAPTLSPackageVersion": "FCP_v2.1"]), os: "26.4"),
    Row(
      102, leaf { $0.signatureHash = .sha224 }.ems(true), ["signature-algorithm"], -1200, -9880,
      under: niap.adding(["NSAllowsArbitraryLoads": true]), os: "26.4"),
    Row(
      102, v12(good, ems: false), under: S.exception(["NSExceptionRequiresNIAPTLSPackageVersion": "none"]), os: "26.4"),
  ]

  @Test(arguments: rows)
  func judgements(_ row: Row) throws {
    let requirements = try S.requirements(row.dictionary, os: #require(OSVersion(row.os)), trust: row.trust)
    let verdict = requirements.judge(row.facts)
    #expect(verdict.ats.violations == row.violations)
    #expect(verdict.ats.outcome == (row.violations.isEmpty ? .pass : .fail))
    #expect(verdict.refusal?.error?.code == row.code, "\(verdict.refusal?.detail ?? "accepted")")
    guard let detail = verdict.refusal?.detail else { return }
    #expect(
      row.subcode.map { detail.contains("Secure Transport \($0) errSSLATS") } ?? !detail.contains("errSSLATS"),
      "\(detail)")
  }

  /// What is offered must be able to pass, and nothing else is offered.
  @Test(arguments: rows)
  func theOfferIsWhatPasses(_ row: Row) throws {
    let offer = try S.requirements(row.dictionary, os: #require(OSVersion(row.os))).offer
    if row.violations.contains("cipher-suite") || row.violations.contains("forward-secrecy") {
      #expect(!offer.cipherSuites.contains(row.facts.cipherSuite))
    } else if row.facts.version == .v12 {
      #expect(offer.cipherSuites.contains(row.facts.cipherSuite))
    }
    #expect((row.facts.version < offer.minimum) == row.violations.contains("minimum-tls"))
    #expect(offer.signatureAlgorithms.allSatisfy { !$0.contains("sha1") })
  }

  /// Row 84: TLS 1.3 came with 12.2, so an origin that speaks nothing else has no version in common with 12.1.
  @Test func anOriginMayBeTooNew() throws {
    let old = try S.requirements(os: #require(OSVersion("12.1")))
    #expect(old.offer.maximum == .v12)
    let refusal = try #require(old.judge(handshake: .alert(70)).refusal)
    #expect(refusal.error?.code == -1200 && refusal.detail.contains("-9881"))
    #expect(refusal.detail.contains("TLSv1.2 (") && refusal.detail.contains("Enable TLSv1.2"), "\(refusal.detail)")
    #expect(try S.requirements(os: #require(OSVersion("12.2"))).offer.maximum == .v13)
  }

  /// Row 100 as it is written: the host is an address of the local network.
  @Test func localHostsStillNeedTrust() throws {
    let lane = LanePolicy(
      lane: "default",
      ats: ATSPolicy(dictionary: ["NSAllowsLocalNetworking": true], os: try #require(OSVersion("18.4"))),
      rules: HostRules(), trust: [:])
    let verdict = try lane.requirements(host: Host("192.168.1.2"), port: 443, context: .app).judge(Self.selfSigned)
    #expect(verdict.ats.outcome == .pass && verdict.refusal?.error?.code == -1202)
  }

  @Test func everyRowIsHere() {
    #expect(Set(Self.rows.map(\.number)).union([84]) == Set(83...102))
  }
}

extension PropertyValue {
  fileprivate func adding(_ other: PropertyValue) -> PropertyValue {
    guard case .dictionary(let members) = self, case .dictionary(let more) = other else { return self }
    return .dictionary(members.merging(more) { $1 })
  }
}

extension PeerFacts {
  fileprivate func ems(_ isUsed: Bool) -> PeerFacts {
    var facts = self
    facts.usesExtendedMasterSecret = isUsed
    return facts
  }
}
