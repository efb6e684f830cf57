import Names
import Policy
import Testing

private typealias I = ImportSamples
private typealias S = Samples

/// OkHttp, curl, certificates and RFC 7469: spec D.3, D.5, and rows 138 to 140 of H.4.
struct PatternPinsTests {
  private func list(
    _ entries: [(String, Set<Pin>)], _ format: ImportFormat = .okHttp, place: PatternPins.Place = .chain
  ) throws -> ImportedPolicy {
    I.policy(
      format,
      .patterns(
        PatternPins(
          try entries.map { PatternPins.Entry(pattern: try HostPattern($0.0), pins: $0.1) }, place: place)))
  }

  @Test func row138And139HowPatternsMatch() throws {
    let one = try list([("*.example.com", [I.leaf])])
    #expect(try I.pins(one, "a.example.com") == [I.leaf])
    #expect(try I.pins(one, "a.b.example.com") == nil && I.pins(one, "example.com") == nil)
    let deep = try list([("**.example.com", [I.leaf])])
    #expect(try I.pins(deep, "example.com") == [I.leaf] && I.pins(deep, "a.b.example.com") == [I.leaf])
    #expect(try I.pins(deep, "notexample.com") == nil)
    let exact = try list([("EXAMPLE.com", [I.leaf])])
    #expect(try I.pins(exact, "example.com.") == [I.leaf] && I.pins(exact, "a.example.com") == nil)
    let foreign = try list([("*.b\u{FC}cher.example", [I.leaf])])
    #expect(try I.pins(foreign, "a.xn--bcher-kva.example") == [I.leaf])
  }

  @Test func row140AllPatternsThatMatchCountTogether() throws {
    let policy = try list([("a.example.com", [I.other]), ("*.example.com", [I.root]), ("b.example.com", [I.leaf])])
    #expect(
      policy.demand(host: try Host("a.example.com"), port: 443)
        == ImportDemand(
          source: I.source(.okHttp), entry: "a.example.com, *.example.com", includesSubdomains: true,
          keys: .chain([I.other, I.root])))
    let verdict = try I.requirements([policy], host: "a.example.com").judge(S.facts())
    #expect(verdict.isAccepted && verdict.matchedPin == I.root.text)
  }

  @Test func curlLooksAtTheLeafAlone() throws {
    func verdict(_ pin: Pin) throws -> TrustVerdict {
      try I.requirements([try list([("a.test", [pin])], .curl, place: .leaf)], host: "a.test").judge(S.facts())
    }
    #expect(try verdict(I.leaf).matchedPin == I.leaf.text)
    #expect(try !verdict(I.root).isAccepted)
  }

  @Test func curlAndCertificatesLeaveTheChainToTheTrustPolicy() throws {
    let loose = TrustPolicy(name: "t", allowInvalidCertificates: true, validatesDomainName: false)
    for (format, isAccepted) in [(ImportFormat.curl, true), (.certificates, true), (.okHttp, false)] {
      var requirements = try I.requirements([try list([("a.test", [I.leaf])], format)], host: "a.test", mode: .off)
      requirements.trust = loose
      #expect(requirements.judge(S.facts(S.evaluation(S.chain, [.unknownRoot]))).isAccepted == isAccepted)
    }
    // Nobody vouches for what stands above the leaf.
    var requirements = try I.requirements([try list([("a.test", [I.root])], .certificates)], host: "a.test", mode: .off)
    requirements.trust = loose
    #expect(!requirements.judge(S.facts(S.evaluation(S.chain, [.unknownRoot]))).isAccepted)
  }

  @Test func aPortOfThePatternCounts() throws {
    let policy = try list([("a.test:8443", [I.leaf])], .curl)
    #expect(policy.demand(host: try Host("a.test"), port: 443) == nil)
    #expect(policy.demand(host: try Host("a.test"), port: 8443) != nil)
  }

  @Test func notedHosts() throws {
    let policy = I.policy(
      .hpkp,
      .hpkp(
        HTTPKeyPins([
          try Host("example.com"): HTTPKeyPins.Entry(pins: [I.root], includesSubdomains: true, enforce: true),
          try Host("a.example.com"): HTTPKeyPins.Entry(pins: [I.leaf], includesSubdomains: false, enforce: false),
        ])))
    #expect(try I.pins(policy, "example.com") == [I.root] && I.pins(policy, "x.y.example.com") == [I.root])
    #expect(try I.pins(policy, "a.example.com") == [I.leaf] && I.pins(policy, "x.a.example.com") == [I.root])
    #expect(try I.pins(policy, "com") == nil && I.pins(policy, "10.0.0.1") == nil)
    #expect(policy.demand(host: try Host("a.example.com"), port: 443)?.enforce == false)
  }
}
