import Names
import Policy
import Testing

struct DecisionTests {
  @Test(arguments: [
    ("https://x.a.test/", "x.a.test"), ("https://y.a.test/", "*.a.test"), ("https://z.y.a.test/", "**.a.test"),
    ("https://q.deep.a.test/", "**.deep.a.test"),
    ("https://x.a.test:8443/", "x.a.test:8443"), ("https://y.a.test:8443/", "**.a.test:8443"),
    ("https://other.test/", "*"), ("https://a.test/", "**.a.test"),
  ])
  func mostSpecificRuleWins(url: String, expected: String) throws {
    let patterns = ["*", "**.a.test", "*.a.test", "x.a.test", "**.deep.a.test", "x.a.test:8443", "**.a.test:8443"]
    let decision = try LanePolicy.make(hosts: patterns.map { ($0, .bypass) }).decide(url)
    #expect(decision.rule == expected && decision.decidedBy == .rule && decision.action == .bypass)
  }

  @Test func orderInTheFileDoesNotMatter() throws {
    let hosts: [(String, RuleAction?)] = [("x.a.test", .intercept), ("*", .reject), ("**.a.test", .bypass)]
    for order in [hosts, hosts.reversed()] {
      let policy = try LanePolicy.make(hosts: order)
      let actions = try ["https://x.a.test/", "https://y.a.test/", "https://b.test/"].map {
        try policy.decide($0).action
      }
      #expect(actions == [.intercept, .bypass, .deny])
    }
  }

  @Test(arguments: [
    ("https://a.test/x?y", Action.bypass), ("https://A.test:443/", .bypass), ("https://b.a.test/", .intercept),
    ("https://a.test:8443/", .intercept),
    ("https://a.test.evil.net/", .intercept), ("https://c.test:9443/x", .bypass), ("https://c.test/", .intercept),
    ("wss://a.test/", .bypass),
  ])
  func whitelistHoldsExactOrigins(url: String, expected: Action) throws {
    let decision = try LanePolicy.make(whitelist: ["https://a.test", "https://c.test:9443"]).decide(url)
    #expect(decision.action == expected && decision.decidedBy == (expected == .bypass ? .whitelist : .default))
  }

  @Test func whitelistedHTTPIsStillCleartext() throws {
    let decision = try LanePolicy.make(whitelist: ["http://a.test"]).decide("http://a.test/")
    #expect(decision.action == .deny && decision.decidedBy == .ats && decision.refusal?.error?.code == -1022)
  }

  @Test func ownResourcesAreAlwaysVerified() throws {
    let policy = try LanePolicy.make(
      hosts: [("**.cgtn.com", .intercept)],
      whitelist: ["https://www.cgtn.com", "https://cgtn.com.evil.test", "https://notcgtn.com"])
    let decisions = try ["https://www.cgtn.com/", "https://cgtn.com.evil.test/", "https://notcgtn.com/"].map {
      try policy.decide($0)
    }
    #expect(decisions.map(\.action) == [.intercept, .bypass, .bypass])
    #expect(decisions.map(\.decidedBy) == [.rule, .whitelist, .whitelist])
  }

  @Test(arguments: [(RuleAction.intercept, Action.intercept), (.bypass, .bypass), (.reject, .deny)])
  func defaultForHostsThatNothingNames(action: RuleAction, expected: Action) throws {
    let decision = try LanePolicy.make(default: action).decide("https://a.test/")
    #expect(decision.action == expected && decision.decidedBy == .default && decision.rule == nil)
  }

  @Test func emptyWhitelistCanMeanNobodyIsIntercepted() throws {
    let nobody = try LanePolicy.make(emptyWhitelist: .bypass).decide("https://a.test/")
    #expect(nobody.action == .bypass && nobody.decidedBy == .whitelist)
    #expect(
      try LanePolicy.make(whitelist: ["https://a.test"], emptyWhitelist: .bypass).decide("https://b.test/").action
        == .intercept)
    #expect(
      try LanePolicy.make(hosts: [("own.test", .intercept)], emptyWhitelist: .bypass).decide("https://own.test/").action
        == .intercept)
  }

  @Test func rulesReject() throws {
    let decision = try LanePolicy.make(hosts: [("*.a.test", .reject)], mode: .observe).decide("http://x.a.test/")
    #expect(decision.action == .deny && decision.decidedBy == .rule && decision.rule == "*.a.test")
    #expect(
      decision.refusal?.status == 403 && decision.refusal?.error == .unknown
        && decision.refusal?.proxyError == .httpRequestDenied)
  }

  @Test func entriesWithoutActionDoNotDecide() throws {
    let policy = try LanePolicy.make(hosts: [("x.a.test", nil), ("**.a.test", .bypass)])
    #expect(try policy.decide("https://x.a.test/").rule == "**.a.test")
    #expect(try policy.rules.attributes(host: Host("x.a.test"), port: 443)?.pattern.text == "x.a.test")
    #expect(try policy.rules.attributes(host: Host("b.test"), port: 443) == nil)
  }

  @Test func plainHTTP() throws {
    let denied = try LanePolicy.make().decide("http://a.test/x")
    #expect(denied.action == .deny && denied.decidedBy == .ats && denied.rule == nil && denied.refusal?.status == 403)
    let permitted = try LanePolicy.make(plainHosts: ["a.test"]).decide("http://a.test/")
    #expect(permitted.action == .intercept && permitted.decidedBy == .default && permitted.observedViolations.isEmpty)
    let socket = try LanePolicy.make(hosts: [("*", .bypass)]).decide("ws://a.test/")
    #expect(socket.action == .deny && socket.refusal?.error == .appTransportSecurityRequiresSecureConnection)
  }

  @Test func observedPlainHTTPPassesAndIsRecorded() throws {
    let policy = try LanePolicy.make(mode: .observe, plainHosts: ["free.test"])
    let decision = try policy.decide("http://a.test/")
    #expect(decision.action == .intercept && decision.observedViolations == ["cleartext"])
    #expect(try policy.decide("http://free.test/").observedViolations.isEmpty)
    #expect(try policy.decide("https://a.test/").observedViolations.isEmpty)
  }

  @Test func withATSOffPlainHTTPPassesOnlyWhereItIsNamed() throws {
    let policy = try LanePolicy.make(
      hosts: [("rule.test", .bypass), ("own.test", .intercept)], whitelist: ["http://white.test"], default: .bypass,
      mode: .off,
      plainHosts: ["free.test"])
    for url in ["http://rule.test/", "http://white.test/", "ws://white.test/"] {
      #expect(try policy.decide(url).action == .bypass, "\(url)")
    }
    for url in ["http://own.test/", "http://a.test/", "http://free.test/", "http://white.test:81/"] {
      let decision = try policy.decide(url)
      #expect(
        decision.action == .deny && decision.decidedBy == .ats && decision.refusal?.error?.code == -1022, "\(url)")
    }
  }

  @Test func loopsAndClosedAddressesComeFirst() throws {
    let policy = try LanePolicy.make(hosts: [("*", .bypass)])
    for evidence in [LoopEvidence.via, .ownListener] {
      let decision = try policy.decide("https://a.test/") { $0.loop = evidence }
      #expect(decision.action == .deny && decision.decidedBy == .loop && decision.refusal?.status == 508)
      #expect(decision.refusal?.error == .tooManyRedirects && decision.refusal?.proxyError == .proxyLoopDetected)
    }
    let closed = try policy.decide("https://a.test/") { $0.prohibitedTarget = IPAddress("127.0.0.1") }
    #expect(
      closed.decidedBy == .target && closed.refusal?.status == 403
        && closed.refusal?.proxyError == .destinationProhibited)
  }

  @Test func stepsTellWhatWasLookedAt() throws {
    let policy = try LanePolicy.make(hosts: [("c.test", .bypass), ("d.test", nil)], whitelist: ["https://b.test"])
    let intercepted = try policy.decide("https://a.test/", tracing: .on).steps
    #expect(intercepted.map(\.step) == DecisionStep.allCases)
    #expect(intercepted.map(\.outcome) == ["pass", "pass", "pass", "skip", "skip", "decided", "pending", "pending"])
    #expect(intercepted[3].reason == "no entry of rules.hosts has a pattern that matches a.test:443")
    #expect(intercepted[4].reason == "rules.whitelist does not have https://a.test")
    let bypassed = try policy.decide("https://c.test/", tracing: .on).steps
    #expect(bypassed.map(\.step) == [.access, .loop, .target, .rule, .ats, .trust])
    #expect(
      bypassed[3].reason == "rules.hosts has \"c.test\", which matches c.test:443: bypass"
        && bypassed[3].outcome == "decided")
    let plain = try policy.decide("http://a.test/", tracing: .on).steps
    #expect(plain.last?.step == .ats && plain.last?.outcome == "deny")
    let attributes = try policy.decide("https://d.test/", tracing: .on).steps
    #expect(attributes[3].reason.contains("has an action"))
    #expect((intercepted + bypassed + plain + attributes).allSatisfy { !$0.reason.isEmpty })
  }

  @Test func tracingChangesNothingElse() throws {
    let policy = try LanePolicy.make(
      hosts: [("**.a.test", .bypass), ("no.test", .reject)], whitelist: ["https://w.test", "http://w.test"],
      plainHosts: ["free.test"])
    for url in [
      "https://a.test", "http://a.test", "https://no.test", "https://w.test", "http://w.test", "http://free.test",
      "https://x.test",
    ] {
      let quiet = try policy.decide(url)
      let traced = try policy.decide(url, tracing: .on)
      #expect(quiet.steps.isEmpty && !traced.steps.isEmpty)
      #expect(
        quiet.action == traced.action && quiet.decidedBy == traced.decidedBy && quiet.rule == traced.rule
          && quiet.refusal == traced.refusal)
    }
  }
}
