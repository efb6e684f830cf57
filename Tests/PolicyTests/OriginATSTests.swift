import Names
import Policy
import Testing

private typealias S = Samples

/// App Transport Security on what was negotiated (contract, section 4; spec A.8).
struct OriginATSTests {
  private static let rsa1024 = S.leaf.with { ($0.keyKind, $0.keyBits) = (.rsa, 1024) }
  private static let sha1 = S.leaf.with { $0.signatureHash = .sha1 }

  @Test(
    arguments: [
      (S.facts(version: .v10, suite: "ECDHE-RSA-AES128-SHA"), ["minimum-tls"]),
      (S.facts(version: .v11, suite: "ECDHE-RSA-AES128-SHA"), ["minimum-tls"]),
      (S.facts(version: .v12, suite: "AES128-GCM-SHA256"), ["forward-secrecy"]),
      (S.facts(version: .v12, suite: "DHE-RSA-AES256-GCM-SHA384"), ["cipher-suite"]),
      (S.facts(version: .v12, suite: "ECDH-RSA-AES128-SHA"), ["forward-secrecy"]),
      (S.facts(version: .v12, suite: "ECDHE-RSA-AES256-SHA384"), ["cipher-suite"]),
      (S.facts(version: .v11, suite: "AES128-SHA"), ["minimum-tls", "forward-secrecy"]),
      (S.facts(S.evaluation([rsa1024, S.intermediate, S.root])), ["key-size"]),
      (S.facts(S.evaluation([S.leaf.with { $0.keyKind = .ed25519 }, S.root])), ["key-size"]),
      (S.facts(S.evaluation([S.leaf.with { $0.keyBits = 224 }, S.root])), ["key-size"]),
      (S.facts(S.evaluation([sha1, S.intermediate, S.root])), ["leaf-signature-hash"]),
      (
        S.facts(S.evaluation([S.leaf, S.intermediate.with { $0.signatureHash = .sha224 }, S.root])),
        ["chain-signature-hash"]
      ),
    ] as [(PeerFacts, [String])])
  func violations(_ facts: PeerFacts, _ names: [String]) throws {
    let enforced = try S.requirements().judge(facts)
    #expect(enforced.ats.outcome == .fail)
    #expect(enforced.ats.violations.filter { $0 != "trust" } == names)
    let refusal = try #require(enforced.refusal)
    #expect(refusal.error == .secureConnectionFailed)
    #expect(refusal.decidedBy == .ats)
    #expect(refusal.detail.contains("App Transport Security") && refusal.detail.contains("a.test:443"))

    let observed = try S.requirements(mode: .observe).judge(facts)
    #expect(observed.ats == enforced.ats)
    #expect(observed.refusal?.decidedBy != .ats)
    let off = try S.requirements(mode: .off).judge(facts)
    #expect(off.ats == ATSVerdict(outcome: .off))
  }

  @Test func refusalsSayTheNumbers() throws {
    let version = try S.requirements().judge(S.facts(version: .v11, suite: "ECDHE-RSA-AES128-SHA"))
    #expect(version.refusal?.detail.contains("negotiated TLSv1.1, the policy asks for TLSv1.2") == true)
    let key = try S.requirements().judge(S.facts(S.evaluation([Self.rsa1024, S.root])))
    #expect(key.refusal?.detail.contains("RSA 1024") == true)
    let hash = try S.requirements().judge(S.facts(S.evaluation([Self.sha1, S.root])))
    #expect(hash.refusal?.detail.contains("SHA-1") == true)
    #expect(hash.refusal?.detail.first?.isUppercase == true)
  }

  /// Observed only, a weak key is still refused by certificate trust; giving up forward secrecy gives up ATS's own check of the key.
  @Test func weakKeysFailByTrustWhereATSDoesNotLook() throws {
    let facts = S.facts(S.evaluation([Self.rsa1024, S.root]))
    #expect(try S.requirements(mode: .observe).judge(facts).refusal?.error == .serverCertificateUntrusted)
    let relaxed = S.exception(["NSExceptionRequiresForwardSecrecy": false])
    let verdict = try S.requirements(relaxed).judge(facts)
    #expect(verdict.refusal?.error == .serverCertificateUntrusted)
    #expect(verdict.refusal?.decidedBy == .trust)
  }

  @Test(
    arguments: [
      (["NSExceptionMinimumTLSVersion": "TLSv1.0"], TLSVersion.v10, "ECDHE-RSA-AES128-SHA", true),
      (["NSExceptionMinimumTLSVersion": "TLSv1.1"], .v11, "ECDHE-RSA-AES256-SHA", true),
      (["NSExceptionMinimumTLSVersion": "TLSv1.1"], .v10, "ECDHE-RSA-AES256-SHA", false),
      (["NSExceptionRequiresForwardSecrecy": false], .v12, "AES128-GCM-SHA256", true),
      (["NSExceptionRequiresForwardSecrecy": false], .v12, "AES256-SHA", true),
      (["NSExceptionRequiresForwardSecrecy": false], .v12, "DHE-RSA-AES256-GCM-SHA384", false),
      (["NSExceptionMinimumTLSVersion": "TLSv1.3"], .v12, "ECDHE-RSA-AES128-GCM-SHA256", false),
      (["NSExceptionMinimumTLSVersion": "TLSv1.3"], .v13, "TLS_AES_128_GCM_SHA256", true),
      (["NSExceptionAllowsInsecureHTTPLoads": true], .v11, "ECDHE-RSA-AES256-SHA", false),
    ] as [(PropertyValue, TLSVersion, String, Bool)])
  func exceptions(_ members: PropertyValue, _ version: TLSVersion, _ suite: String, _ isGood: Bool) throws {
    let verdict = try S.requirements(S.exception(members)).judge(S.facts(version: version, suite: suite))
    #expect(verdict.isAccepted == isGood)
    #expect(verdict.ats.outcome == (isGood ? .pass : .fail))
  }

  @Test func theOfferIsNarrowOnlyWhereItIsEnforced() throws {
    let enforced = try S.requirements().offer
    #expect(enforced.minimum == .v12 && enforced.maximum == .v13)
    #expect(enforced.cipherSuites.allSatisfy { $0.hasPrefix("ECDHE-") })
    for mode in [ATSMode.observe, .off] {
      let open = try S.requirements(mode: mode).offer
      #expect(open.minimum == .v10 && open.maximum == .v13)
      #expect(open.cipherSuites.contains("AES128-SHA") && open.cipherSuites.contains("ECDHE-RSA-AES256-SHA384"))
    }
    #expect(try S.requirements(os: OSVersion(major: 12, minor: 1)).offer.maximum == .v12)
  }

  @Test(
    arguments: [
      (.versionMismatch, "minimum-tls"), (.alert(70), "minimum-tls"), (.alert(40), "forward-secrecy"),
      (.alert(71), "forward-secrecy"), (.noSharedCipher, "forward-secrecy"),
    ] as [(HandshakeFault, String)])
  func handshakesThatATSMakesFail(_ fault: HandshakeFault, _ name: String) throws {
    let enforced = try S.requirements().judge(handshake: fault)
    #expect(enforced.ats == ATSVerdict(outcome: .fail, violations: [name]))
    #expect(enforced.refusal?.error == .secureConnectionFailed)
    #expect(enforced.refusal?.proxyError == .tlsProtocolError)
    #expect(enforced.refusal?.decidedBy == .ats)
    let observed = try S.requirements(mode: .observe).judge(handshake: fault)
    #expect(observed.ats == enforced.ats && observed.refusal?.decidedBy == .trust)
    let off = try S.requirements(mode: .off).judge(handshake: fault)
    #expect(off.ats == ATSVerdict(outcome: .off) && !off.isAccepted)
  }

  @Test func otherHandshakeFaultsAreNoViolations() throws {
    for fault in [HandshakeFault.alert(80), .other("no TLS"), .other("")] {
      let verdict = try S.requirements().judge(handshake: fault)
      #expect(verdict.ats == ATSVerdict(outcome: .pass))
      #expect(verdict.refusal?.error == .secureConnectionFailed)
      #expect(verdict.refusal?.proxyError == .tlsProtocolError)
    }
    let relaxed = try S.requirements(S.exception(["NSExceptionRequiresForwardSecrecy": false]))
    #expect(relaxed.judge(handshake: .alert(40)).ats.violations == ["cipher-suite"])
    #expect(try S.requirements(["NSAllowsArbitraryLoads": true]).judge(handshake: .alert(70)).ats.outcome == .pass)
  }
}
