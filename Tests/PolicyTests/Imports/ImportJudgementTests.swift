import Names
import Policy
import Testing

private typealias I = ImportSamples
private typealias S = Samples

/// Several imports together, beside what else is asked; NSPinnedDomains as an import, rows 118 to 130 of H.4.
struct ImportJudgementTests {
  private static func identities(_ pins: [Pin]) -> PropertyValue {
    .array(pins.map { ["SPKI-SHA256-BASE64": .string($0.base64)] })
  }

  private static func domains(
    _ host: String, leaf: [Pin]? = nil, ca: [Pin]? = nil, subdomains: Bool = false
  ) -> [String: PropertyValue] {
    var entry: [String: PropertyValue] = ["NSIncludesSubdomains": .boolean(subdomains)]
    entry["NSPinnedLeafIdentities"] = leaf.map(identities)
    entry["NSPinnedCAIdentities"] = ca.map(identities)
    return [host: .dictionary(entry)]
  }

  private func judge(_ domains: [String: PropertyValue], _ host: String) throws -> TrustVerdict {
    let policy = I.policy(.pinnedDomains, .pinnedDomains(PinnedDomains(.dictionary(domains))))
    return try I.requirements([policy], host: host).judge(S.facts())
  }

  @Test func rows118To120SubdomainsAreOneLabel() throws {
    let wrong = Self.domains("example.org", ca: [I.other], subdomains: true)
    #expect(try !judge(wrong, "subdomain.example.org.").isAccepted)
    #expect(try judge(wrong, "a.b.example.org").isAccepted)
    #expect(try judge(Self.domains("example.org", leaf: [I.other]), "subdomain.example.org").isAccepted)
  }

  @Test func rows121To124LeafAndAuthoritiesAreApart() throws {
    #expect(try judge(Self.domains("Example.ORG", leaf: [I.leaf]), "example.org.").matchedPin == I.leaf.text)
    #expect(try !judge(Self.domains("example.org", leaf: [I.leaf], ca: [I.other]), "example.org").isAccepted)
    #expect(try !judge(Self.domains("example.org", ca: [I.leaf]), "example.org").isAccepted)
    #expect(try judge(Self.domains("example.org", ca: [I.root]), "example.org").matchedPin == I.root.text)
  }

  @Test func rows125To128ListsAndUnions() throws {
    #expect(try !judge(Self.domains("example.org", leaf: []), "example.org").isAccepted)
    let texts: PropertyValue = ["NSPinnedLeafIdentities": "str", "NSPinnedCAIdentities": ["str"]]
    #expect(try !judge(["example.org": texts], "example.org").isAccepted)
    #expect(try judge(["example.org": [:]], "example.org").isAccepted)
    let both = Self.domains("example.org", leaf: [I.leaf], subdomains: true)
      .merging(Self.domains("www.example.org", leaf: [I.other])) { first, _ in first }
    #expect(try judge(both, "www.example.org").isAccepted)
  }

  private static func okHttp(_ pin: Pin) throws -> ImportedPolicy {
    let entry = PatternPins.Entry(pattern: try HostPattern("**.a.test"), pins: [pin])
    return ImportedPolicy(
      source: ImportSource(file: "list \(pin.text.suffix(4))", format: .okHttp), rules: .patterns(PatternPins([entry])))
  }

  @Test func allImportsMustBeSatisfied() throws {
    let good = try I.requirements([Self.okHttp(I.root), Self.okHttp(I.leaf)], host: "a.test").judge(S.facts())
    #expect(good.isAccepted && good.matchedPin == I.root.text)
    let bad = try I.requirements([Self.okHttp(I.root), Self.okHttp(I.other)], host: "a.test").judge(S.facts())
    #expect(bad.refusal?.detail.contains("\(try Self.okHttp(I.other).source)") == true && bad.matchedPin == nil)
    #expect(try I.requirements([Self.okHttp(I.other)], host: "b.test").judge(S.facts()).isAccepted)
  }

  @Test func thePinOfTheTrustPolicyIsNamedFirst() throws {
    var requirements = try I.requirements([Self.okHttp(I.root)], host: "a.test")
    requirements.trust = TrustPolicy(name: "t", pins: [I.intermediate])
    #expect(requirements.judge(S.facts()).matchedPin == I.intermediate.text)
    requirements.trust = TrustPolicy(name: "t", pins: [I.other])
    #expect(requirements.judge(S.facts()).refusal?.detail.contains("trust.t") == true)
  }

  @Test func trustPoliciesReportTheirPins() throws {
    var requirements = try I.requirements([], host: "a.test")
    requirements.rulePattern = "**.a.test"
    func failures(_ policy: TrustPolicy, _ faults: [ChainFault] = []) -> [PinFailure] {
      requirements.trust = policy
      return requirements.judge(S.facts(S.evaluation(S.chain, faults))).failures
    }
    let address = ["https://r.test/"]
    let expected = PinFailure(
      source: "trust.t", cause: .noMatchingPin, entry: "**.a.test", includesSubdomains: true, isEnforced: true,
      pins: [I.other], expiryDay: "2026-12-31", reportURIs: address)
    let expires: Int64 = 1_798_675_200
    #expect(failures(TrustPolicy(name: "t", pins: [I.other], expires: expires, reportURIs: address)) == [expected])
    var reported = expected
    reported.isEnforced = false
    #expect(
      failures(TrustPolicy(name: "t", pins: [I.other], expires: expires, enforce: false, reportURIs: address))
        == [reported])
    let byKey = TrustPolicy(name: "t", pinning: .publicKey, certificates: [S.other], reportURIs: address)
    #expect(failures(byKey).map(\.pins) == [[I.other]])
    #expect(failures(TrustPolicy(name: "t", pins: [I.other])).isEmpty, "nobody wants to know")
    #expect(failures(TrustPolicy(name: "t", pins: [I.leaf], reportURIs: address)).isEmpty)
    #expect(
      failures(TrustPolicy(name: "t", pins: [I.other], reportURIs: address), [.expired(depth: 0)]).isEmpty,
      "that is no failure of pins")
  }
}
