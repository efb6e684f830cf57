import Names
import Policy
import Testing

struct LaneRequirementsTests {
  @Test func attributesOfTheMostSpecificRule() throws {
    let range = try #require(CIDR("10.0.0.0/8"))
    let rules = HostRules(hosts: [
      HostRule(pattern: try HostPattern("**.a.test"), action: .intercept, trust: "wide", identities: ["one"]),
      HostRule(
        pattern: try HostPattern("x.a.test"), trust: "narrow", identities: ["two", "three"], onTrustFailure: .refuse,
        http2: false,
        allowAddresses: [range]),
    ])
    let policy = try LanePolicy.make(
      rules: rules, pinnedHosts: ["x.a.test"],
      trust: ["wide": TrustPolicy(name: "wide"), "narrow": TrustPolicy(name: "narrow")])
    let narrow = policy.requirements(host: try Host("x.a.test"), port: 443, context: .app)
    #expect(
      narrow.trust?.name == "narrow" && narrow.identityNames == ["two", "three"] && narrow.onTrustFailure == .refuse)
    #expect(
      !narrow.http2 && narrow.allowAddresses == [range] && narrow.rulePattern == "x.a.test" && narrow.pinned != nil)
    #expect(narrow.port == 443 && narrow.host.text == "x.a.test" && narrow.atsMode == .enforce)
    let wide = policy.requirements(host: try Host("y.a.test"), port: 443, context: .app)
    #expect(
      wide.trust?.name == "wide" && wide.identityNames == ["one"] && wide.onTrustFailure == .respond && wide.http2
        && wide.pinned == nil)
    let none = policy.requirements(host: try Host("b.test"), port: 443, context: .app)
    #expect(none.trust == nil && none.identityNames.isEmpty && none.rulePattern == nil && none.allowAddresses.isEmpty)
    #expect(none.ats.minimumTLS == .v12 && none.ats.forwardSecrecy)
  }

  @Test func aTrustPolicyThatDoesNotExistTrustsNothing() throws {
    let rules = HostRules(hosts: [HostRule(pattern: try HostPattern("*"), trust: "missing")])
    let policy = try LanePolicy.make(rules: rules)
    let trust = policy.requirements(host: try Host("a.test"), port: 443, context: .app).trust
    #expect(trust == TrustPolicy(name: "missing", pinning: .certificate))
  }

  @Test func traceSaysWhatTheOriginMustSatisfy() throws {
    let rules = HostRules(hosts: [HostRule(pattern: try HostPattern("a.test"), trust: "t", onTrustFailure: .refuse)])
    let policy = try LanePolicy.make(rules: rules, pinnedHosts: ["a.test"], trust: ["t": TrustPolicy(name: "t")])
    let steps = try policy.decide("https://a.test/", tracing: .on).steps.suffix(2).map(\.reason)
    #expect(steps.first?.hasPrefix("the origin must speak TLSv1.2 or later with forward secrecy") == true)
    #expect(
      steps.last
        == "the certificate must be valid for a.test and satisfy trust.t and satisfy NSPinnedDomains, else the device's TLS handshake fails"
    )
    let off = try LanePolicy.make(rules: rules, mode: .off, trust: ["t": TrustPolicy(name: "t")])
    let offStep = try #require(try off.decide("https://a.test/", tracing: .on).steps.first { $0.step == .ats })
    #expect(offStep.outcome == "skip" && offStep.reason == "ats.mode is off")
  }
}
