import Names
import Policy
import Testing

private typealias I = ImportSamples

/// Spec D.1, and rows 131 to 137 of H.4.
struct TrustKitTests {
  private static let pair: PropertyValue = .hashes(I.other, I.another)

  private func pins(_ domains: PropertyValue) throws -> TrustKitPins {
    let result = TrustKitReader.read(domains)
    return try #require(result.pins, "\(result.findings)")
  }

  private func key(_ domains: PropertyValue, _ host: String) throws -> String? {
    try pins(domains).domain(for: try Host(host))?.key
  }

  @Test func theVeryKeyComesFirstThenTheLongestAbove() throws {
    let domains: PropertyValue = [
      "example.com": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": Self.pair],
      "a.example.com": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": Self.pair],
      "b.example.com": ["TSKPublicKeyHashes": Self.pair],
    ]
    #expect(try key(domains, "example.com") == "example.com")
    #expect(try key(domains, "EXAMPLE.com.") == "example.com")
    #expect(try key(domains, "x.y.example.com") == "example.com")
    #expect(try key(domains, "x.a.example.com") == "a.example.com")
    #expect(try key(domains, "b.example.com") == "b.example.com")
    #expect(try key(domains, "x.b.example.com") == "example.com")
    #expect(try key(domains, "notexample.com") == nil)
    #expect(try key(domains, "example.com.evil.net") == nil)
    #expect(try key(["b.example.com": ["TSKPublicKeyHashes": Self.pair]], "x.b.example.com") == nil)
  }

  @Test func aSuffixThatOthersShareIsNotCrossed() throws {
    // s3.amazonaws.com is a public suffix of its own, amazonaws.com ends in com.
    let domains: PropertyValue = ["amazonaws.com": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": Self.pair]]
    #expect(try key(domains, "www.amazonaws.com") == "amazonaws.com")
    #expect(try key(domains, "bucket.s3.amazonaws.com") == nil)
  }

  @Test func row133AnExcludedDomainIsNotPinned() throws {
    for name in ["kSKExcludeSubdomainFromParentPolicy", "TSKExcludeSubdomainFromParentPolicy"] {
      let domains: PropertyValue = [
        "example.com": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": Self.pair],
        "good.example.com": .dictionary([name: true]),
      ]
      #expect(try key(domains, "good.example.com") == nil)
      #expect(try key(domains, "x.good.example.com") == "example.com")
      #expect(try key(domains, "bad.example.com") == "example.com")
    }
  }

  /// What TrustKit does not start with.
  @Test(
    arguments: [
      (["example.com": ["TSKPublicKeyHashes": .hashes(I.leaf)]], "two different pins"),
      (["example.com": ["TSKPublicKeyHashes": .hashes(I.leaf, I.leaf)]], "two different pins"),
      (["example.com": ["TSKEnforcePinning": false, "TSKPublicKeyHashes": []]], "one pin at least"),
      (["example.com": ["TSKEnforcePinning": false]], "list of base64"),
      (["example.com": ["TSKPublicKeyHashes": ["AAAA", .string(I.leaf.base64), .string(I.root.base64)]]], "32 bytes"),
      (["example.com": ["TSKPublicKeyHashes": ["!", 1, .string(I.leaf.base64)]]], "32 bytes"),
      (["com": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": pair]], "public suffix"),
      (["co.uk": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": pair]], "public suffix"),
      (["a.unknown": ["TSKPublicKeyHashes": pair]], "no public suffix"),
      (["localhost": ["TSKPublicKeyHashes": pair]], "no public suffix"),
      (["https://example.com": ["TSKPublicKeyHashes": pair]], "no domain name"),
      (["10.0.0.1": ["TSKPublicKeyHashes": pair]], "no domain name"),
      (["example.com": "x"], "dictionary"),
      (["a.example.com": ["TSKExcludeSubdomainFromParentPolicy": true]], "domain above"),
      (
        [
          "example.com": ["TSKPublicKeyHashes": pair], "a.example.com": ["kSKExcludeSubdomainFromParentPolicy": true],
        ], "domain above"
      ),
      (
        [
          "example.com": ["TSKIncludeSubdomains": true, "TSKPublicKeyHashes": pair],
          "a.example.com": ["kSKExcludeSubdomainFromParentPolicy": true, "TSKPublicKeyHashes": pair],
        ], "no other keys"
      ),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKExpirationDate": "2030-02-30"]], "2030-01-31"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKExpirationDate": "30-02-03"]], "2030-01-31"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKExpirationDate": .date(0)]], "2030-01-31"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKEnforcePinning": "YES"]], "true or false"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKReportUris": "https://r.test"]], "list of URLs"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKReportUris": ["r.test"]]], "absolute URL"),
      ([:], "at least one domain"),
      ("x", "at least one domain"),
    ] as [(PropertyValue, String)])
  func rejectedAsTrustKitDoes(_ domains: PropertyValue, _ words: String) {
    let result = TrustKitReader.read(domains)
    #expect(result.pins == nil)
    let errors = result.findings.filter { $0.level == .error }
    #expect(errors.contains { $0.message.contains(words) }, "\(errors)")
    #expect(errors.allSatisfy { $0.keyPath.hasPrefix("TSKConfiguration.TSKPinnedDomains") })
  }

  @Test(
    arguments: [
      (["*.example.com": ["TSKPublicKeyHashes": pair]], .warning, "no wildcards"),
      (["Example.com": ["TSKPublicKeyHashes": pair]], .warning, "never matches"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKExpirationDate": "2020-01-01"]], .warning, "over"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKDisableDefaultReportUri": true]], .note, "TSKReportUris"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKPublicKeyAlgorithms": []]], .note, "no effect"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKAdditionalTrustAnchors": []]], .warning, "anchors"),
      (["example.com": ["TSKPublicKeyHashes": pair, "TSKPins": 1]], .warning, "no such key"),
      (
        ["example.com": ["TSKPublicKeyHashes": pair, "TSKReportUris": ["http://r.test/"]]], .warning, "nothing is sent"
      ),
      (["example.com": ["TSKEnforcePinning": false, "TSKPublicKeyHashes": .hashes(I.leaf)]], .note, "no backup"),
    ] as [(PropertyValue, Finding.Level, String)])
  func whatIsOnlySaid(_ domains: PropertyValue, _ level: Finding.Level, _ words: String) {
    let result = TrustKitReader.read(domains)
    #expect(result.pins != nil)
    #expect(result.findings.count == 1 && result.findings.first?.level == level, "\(result.findings)")
    #expect(result.findings.first?.message.contains(words) == true, "\(result.findings)")
  }

  @Test func keysThatNeverMatchPinNothing() throws {
    #expect(try key(["*.example.com": ["TSKPublicKeyHashes": Self.pair]], "a.example.com") == nil)
    #expect(try key(["Example.com": ["TSKPublicKeyHashes": Self.pair]], "example.com") == nil)
  }

  @Test func whatIsRead() throws {
    let demand = try #require(
      I.policy(
        .trustKit,
        .trustKit(
          try pins([
            "example.com": [
              "TSKIncludeSubdomains": true, "TSKEnforcePinning": 0, "TSKExpirationDate": "2030-01-31",
              "TSKPublicKeyHashes": [.string(I.leaf.base64), .data(I.root.digest)],
              "TSKReportUris": ["https://r.test/a", "http://127.0.0.1:9/b"],
            ]
          ]))
      ).demand(host: try Host("x.example.com"), port: 443))
    #expect(
      demand
        == ImportDemand(
          source: I.source(.trustKit), entry: "example.com", includesSubdomains: true, keys: .chain([I.leaf, I.root]),
          enforce: false, expires: 1_896_048_000, reportURIs: ["https://r.test/a", "http://127.0.0.1:9/b"]))
    #expect(demand.expiryDay == "2030-01-31" && demand.pinCount == 2)
  }

  @Test func theDictionaryMayStandAloneAndTellsTheApp() throws {
    var reader = TrustKitReader(now: Samples.now)
    let domains: PropertyValue = ["example.com": ["TSKPublicKeyHashes": Self.pair]]
    #expect(reader.read(["TSKPinnedDomains": domains]) != nil && reader.findings.isEmpty)
    let inInfoPlist = reader.read([
      "CFBundleIdentifier": "com.example.app", "CFBundleVersion": "7",
      "TSKConfiguration": ["TSKPinnedDomains": domains, "TSKIgnorePinningForUserDefinedTrustAnchors": true],
    ])
    let pins = try #require(inInfoPlist)
    #expect(reader.findings.map(\.level) == [.note])
    let demand = I.policy(.trustKit, .trustKit(pins)).demand(host: try Host("example.com"), port: 443)
    #expect(demand?.app == ReportedApp(identifier: "com.example.app", version: "7"))
    #expect(TrustKitReader.recognises(["TSKPinnedDomains": 1]) && !TrustKitReader.recognises(["x": 1]))
  }
}
