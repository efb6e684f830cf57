import Names
import Policy
import Testing

private typealias S = Samples

/// Everything that is wrong, in the order in which a judgement would refuse.
struct ObjectionTests {
  static let evaluations: [ChainEvaluation] = [
    S.evaluation(S.chain, []), S.evaluation(S.chain, [.unknownRoot, .expired(depth: 0)]),
    S.evaluation(S.chain, [.nameMismatch]), S.evaluation([weak, S.intermediate, S.root], []),
    S.evaluation([weak, S.intermediate, S.root], [.expired(depth: 0)]), S.evaluation([S.leaf], [.selfSigned]),
  ]

  private static let weak: CertificateFacts = {
    var weak = S.leaf
    weak.signatureHash = .sha1
    weak.keyKind = .rsa
    weak.keyBits = 1024
    return weak
  }()

  @Test(arguments: evaluations, ATSMode.allCases)
  func theFirstIsWhatTheJudgementRefuses(evaluation: ChainEvaluation, mode: ATSMode) throws {
    for (version, suite) in [(TLSVersion.v13, "TLS_AES_128_GCM_SHA256"), (.v11, "AES128-SHA")] {
      var facts = S.facts(evaluation)
      facts.version = version
      facts.cipherSuite = suite
      let requirements = try S.requirements(mode: mode)
      let objections = requirements.objections(to: facts)
      #expect(objections.first?.refusal == requirements.judge(facts).refusal)
      #expect(Set(objections.map(\.name)).count == objections.count)
    }
  }

  @Test func everythingIsListed() throws {
    var facts = S.facts(S.evaluation([Self.weak, S.intermediate, S.root], [.expired(depth: 0), .nameMismatch]))
    facts.version = .v11
    facts.cipherSuite = "AES128-SHA"
    let objections = try S.requirements().objections(to: facts)
    #expect(
      objections.map(\.name) == [
        "minimum-tls", "forward-secrecy", "key-size", "leaf-signature-hash", "expired", "name-mismatch", "weak-key",
        "weak-signature",
      ])
    #expect(
      objections.map { $0.secureTransport?.code } == [
        -9881, -9882, -9883, -9884, -9886, -9886, -9886, -9886,
      ])
  }

  @Test(
    arguments: [
      (HandshakeFault.versionMismatch, "minimum-tls", -9881), (.alert(70), "minimum-tls", -9881),
      (.noSharedCipher, "forward-secrecy", -9882), (.other("x"), "handshake", nil), (.alert(80), "handshake", nil),
    ] as [(HandshakeFault, String, Int?)])
  func aHandshakeThatFailedHasOneReason(fault: HandshakeFault, name: String, code: Int?) throws {
    let objections = try S.requirements().objections(to: fault)
    #expect(objections.map(\.name) == [name])
    #expect(objections.first?.secureTransport?.code == code)
    #expect(try objections.first?.refusal == S.requirements().judge(handshake: fault).refusal)
  }
}
