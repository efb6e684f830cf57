import Names
import Policy
import Testing

/// An import forbids plain HTTP, and never permits it.
struct ImportedCleartextTests {
  private func decide(
    _ host: String, permits: Bool?, mode: ATSMode, exception: Bool = true, bypassed: Bool = false, targetSDK: Int = 34
  ) throws -> Decision {
    let config = NetworkSecurityConfig(
      domains: [
        NetworkSecurityConfig.DomainConfig(
          [NetworkSecurityConfig.Domain("a.test")], NetworkSecurityConfig.Settings(permitsCleartext: permits))
      ], targetSDK: targetSDK)
    let base = try LanePolicy.make(
      hosts: bypassed ? [("a.test", .bypass)] : [], mode: mode, plainHosts: exception ? ["a.test", "b.test"] : [])
    let policy = LanePolicy(
      lane: "default", ats: base.ats, rules: base.rules, trust: [:],
      imports: [ImportSamples.policy(.networkSecurityConfig, .networkSecurity(config))])
    return try policy.decide("http://\(host)/", tracing: .on)
  }

  @Test func forbiddenIsDenied() throws {
    let decision = try decide("a.test", permits: false, mode: .enforce)
    #expect(decision.action == .deny && decision.decidedBy == .ats)
    let refusal = try #require(decision.refusal)
    #expect(refusal.error == .appTransportSecurityRequiresSecureConnection && refusal.status == 403)
    #expect(refusal.detail.contains("file: network-security-config"))
    #expect(decision.steps.last?.reason.contains("cleartextTrafficPermitted is false") == true)
  }

  @Test func theDefaultOfThePlatformHoldsForNamedHosts() throws {
    let decision = try decide("a.test", permits: nil, mode: .enforce)
    #expect(decision.action == .deny && decision.refusal?.detail.contains("targetSDK 34") == true)
    #expect(try decide("a.test", permits: nil, mode: .enforce, targetSDK: 27).action == .intercept)
    #expect(try decide("b.test", permits: nil, mode: .enforce).action == .intercept)
  }

  @Test func permissionLoosensNothing() throws {
    let decision = try decide("a.test", permits: true, mode: .enforce, exception: false)
    #expect(decision.action == .deny && decision.refusal?.detail.contains("App Transport Security") == true)
    #expect(try decide("a.test", permits: true, mode: .off).action == .deny)
  }

  @Test func theModesOfATS() throws {
    let observed = try decide("a.test", permits: false, mode: .observe)
    #expect(observed.action == .intercept && observed.observedViolations == ["cleartext"])
    #expect(try decide("a.test", permits: false, mode: .off, bypassed: true).action == .deny)
    #expect(try decide("a.test", permits: true, mode: .off, bypassed: true).action == .bypass)
  }
}
