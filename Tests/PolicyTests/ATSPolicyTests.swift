import Names
import Policy
import Testing

private let http: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": true]
private let httpBelow: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
private let shut: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": false]

private func exceptions(_ domains: PropertyValue, local: PropertyValue? = nil) -> PropertyValue {
  var members = ["NSExceptionDomains": domains]
  members["NSAllowsLocalNetworking"] = local
  return .dictionary(members)
}

private func minimum(_ host: String, _ text: PropertyValue) -> PropertyValue {
  exceptions(.dictionary([host: ["NSExceptionMinimumTLSVersion": text]]))
}

private func policy(_ dictionary: PropertyValue, _ os: String) throws -> ATSPolicy {
  ATSPolicy(dictionary: dictionary, os: try #require(OSVersion(os)))
}

struct ATSPolicyTests {
  struct Row: CustomTestStringConvertible {
    let dictionary: PropertyValue
    let os: String
    let context: Context
    let host: String
    let isPermitted: Bool

    init(_ dictionary: PropertyValue, _ os: String, _ context: Context, _ host: String, _ isPermitted: Bool) {
      self.dictionary = dictionary
      self.os = os
      self.context = context
      self.host = host
      self.isPermitted = isPermitted
    }

    var testDescription: String { "\(host) \(context) \(os) \(dictionary)" }
  }

  private static let ranges = exceptions([
    "198.51.100.0/24": http, "198.51.100.0/27": shut, "198.51.100.1": http, "198.51.100.101": shut,
    "2001:db8::/32": http, "2001:db8::/64": shut,
  ])
  private static let halves = exceptions([
    "0.0.0.0/0": http, "0.0.0.0/1": shut, "::/0": http, "::/1": shut,
  ])
  private static let arbitrary: PropertyValue = ["NSAllowsArbitraryLoads": true]
  private static let nested = exceptions([
    "example.com": httpBelow, "subhostname.example.com": ["NSExceptionMinimumTLSVersion": "TLSv1.3"],
    "another.subhostname.example.com": ["NSExceptionMinimumTLSVersion": "TLSv1.1"],
  ])

  private static let globalRows: [Row] = [
    Row([:], "18.4", .app, "example.com", false),
    Row(.null, "18.4", .app, "example.com", false),
    Row("x", "18.4", .app, "example.com", false),
    Row([:], "18.4", .app, "localhost", true),
    Row([:], "18.4", .app, "myhost.local", true),
    Row([:], "18.4", .app, "myhost.local.", true),
    Row([:], "18.4", .app, "ai.", false),
    Row([:], "18.4", .app, "mylocal.test", false),
    Row([:], "18.4", .app, "127.0.0.1", true),
    Row([:], "18.4", .app, "::1", true),
    Row([:], "18.4", .app, "fe80::1", true),
    Row([:], "18.4", .app, "203.0.113.1", false),
    Row([:], "18.4", .app, "fe00::1", false),
    Row([:], "18.4", .app, "10.0.0.5", true),
    Row([:], "18.4", .app, "192.168.1.2", true),
    Row([:], "18.4", .app, "169.254.3.4", true),
    Row([:], "18.4", .app, "fd12::1", true),
    Row([:], "18.4", .app, "100.64.0.9", false),
    Row([:], "18.4", .app, "0.0.0.0", false),
    Row([:], "9.0", .app, "myhost.local", false),
    Row([:], "9.0", .app, "localhost", false),
    Row([:], "9.0", .app, "127.0.0.1", false),
    Row([:], "16.0", .app, "203.0.113.1", true),
    Row([:], "10.0", .app, "203.0.113.1", true),
    Row([:], "17.0", .app, "203.0.113.1", false),
    Row([:], "8.4", .app, "example.com", true),
    Row(["NSAllowsLocalNetworking": false], "18.4", .app, "localhost", false),
    Row(["NSAllowsLocalNetworking": false], "18.4", .app, "127.0.0.1", false),
    Row(["NSAllowsLocalNetworking": true], "18.4", .app, "127.0.0.1", true),
    Row(["NSAllowsLocalNetworking": 2], "18.4", .app, "localhost", false),
    Row(["NSAllowsLocalNetworking": "NO"], "18.4", .app, "localhost", true),
    Row(arbitrary, "18.4", .app, "example.com", true),
    Row(arbitrary, "18.4", .app, "203.0.113.1", true),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true], "18.4", .app, "example.com", false),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true], "18.4", .app, "myhost.local", true),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true], "9.0", .app, "example.com", true),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": false], "18.4", .app, "a.test", false),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": true], "18.4", .app, "a.test", false),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": false], "18.4", .app, "a.test", false),
    Row(["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": .null], "18.4", .app, "a.test", true),
    Row(["NSAllowsArbitraryLoadsInWebContent": true], "18.4", .web, "a.test", true),
    Row(["NSAllowsArbitraryLoadsInWebContent": true], "18.4", .media, "a.test", false),
    Row(["NSAllowsArbitraryLoadsInWebContent": true], "9.0", .web, "a.test", false),
    Row(["NSAllowsArbitraryLoadsForMedia": true], "18.4", .media, "a.test", true),
    Row(["NSAllowsArbitraryLoadsForMedia": true], "18.4", .web, "a.test", false),
    Row(["NSAllowsArbitraryLoadsInMedia": true], "18.4", .media, "a.test", true),
    Row(["NSAllowsArbitraryLoads": "YES"], "18.4", .app, "a.test", false),
    Row(["NSAllowsArbitraryLoads": 2], "18.4", .app, "a.test", false),
    Row(["NSAllowsArbitraryLoads": 1], "18.4", .app, "a.test", true),
    Row(["NSAllowsArbitraryLoads": .real(1)], "18.4", .app, "a.test", true),
    Row(["NSAllowsArbitraryLoads": true, "NSExceptionDomains": "x"], "18.4", .app, "a.test", true),
  ]

  private static let domainRows: [Row] = [
    Row(
      ["NSAllowsArbitraryLoadsInWebContent": true, "NSExceptionDomains": ["example.com": [:]]], "18.4", .web,
      "example.com", false),
    Row(
      ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["myhost.local": shut]], "18.4", .app, "myhost.local",
      false),
    Row(exceptions(["a.test": ["NSExceptionAllowsInsecureHTTPLoads": "YES"]]), "18.4", .app, "a.test", false),
    Row(exceptions(["a.test": ""]), "18.4", .app, "a.test", false),
    Row(nested, "18.4", .app, "test.another.subhostname.example.com", true),
    Row(nested, "18.4", .app, "subhostname.example.com", false),
    Row(exceptions(["example.com": httpBelow]), "18.4", .app, "a.b.example.com", true),
    Row(exceptions(["example.com": http]), "18.4", .app, "www.example.com", false),
    Row(exceptions(["www.example.com": httpBelow]), "18.4", .app, "example.com", false),
    Row(exceptions(["example.com": httpBelow]), "18.4", .app, "notexample.com", false),
    Row(exceptions(["example.com": httpBelow]), "18.4", .app, "example.com.evil.net", false),
    Row(exceptions(["*.example.com": http]), "18.4", .app, "www.example.com", false),
    Row(exceptions(["example.com:8080": http]), "18.4", .app, "example.com", false),
    Row(exceptions(["https://example.com": http]), "18.4", .app, "example.com", false),
    Row(exceptions(["Example.com": http]), "18.4", .app, "example.com", true),
    Row(exceptions(["example.com": http]), "18.4", .app, "EXAMPLE.com", true),
    Row(exceptions(["example.com": http]), "18.4", .app, "example.com.", false),
    Row(exceptions(["example.com.": http]), "18.4", .app, "example.com.", true),
    Row(exceptions(["example.com.": http]), "18.4", .app, "example.com", false),
    Row(exceptions(["example.com.": httpBelow]), "18.4", .app, "a.example.com.", true),
    Row(exceptions(["com": httpBelow]), "18.4", .app, "example.com", true),
    Row(
      exceptions(["h.test": ["NSThirdPartyExceptionAllowsInsecureHTTPLoads": true]]), "10.0", .app, "h.test", true),
    Row(
      exceptions(["h.test": ["NSTemporaryExceptionAllowsInsecureHTTPLoads": true]]), "18.3", .app, "h.test", true),
    Row(
      exceptions(["h.test": ["NSThirdPartyExceptionAllowsInsecureHTTPLoads": true]]), "18.4", .app, "h.test", false),
    Row(
      exceptions([
        "h.test": [
          "NSThirdPartyExceptionAllowsInsecureHTTPLoads": true, "NSExceptionAllowsInsecureHTTPLoads": false,
        ]
      ]), "10.0", .app, "h.test", false),
    Row(exceptions(["myhost.local": http]), "9.0", .app, "myhost.local", true),
  ]

  private static let addressRows: [Row] = [
    Row(ranges, "18.4", .app, "198.51.100.1", true),
    Row(ranges, "18.4", .app, "198.51.100.0", false),
    Row(ranges, "18.4", .app, "198.51.100.100", true),
    Row(ranges, "18.4", .app, "198.51.100.255", true),
    Row(ranges, "18.4", .app, "198.51.100.101", false),
    Row(ranges, "18.4", .app, "2001:db8:85a3::8a2e:370:7334", true),
    Row(ranges, "18.4", .app, "2001:db8::8a2e:370:7334", false),
    Row(ranges, "18.4", .app, "2001:db80::", false),
    Row(ranges, "18.4", .app, "198.51.101.0", false),
    Row(halves, "18.4", .app, "127.0.0.1", false),
    Row(halves, "18.4", .app, "::1", false),
    Row(halves, "18.4", .app, "128.0.0.0", true),
    Row(halves, "18.4", .app, "fe00::", true),
    Row(halves, "18.4", .app, "localhost", true),
    Row(exceptions(["10/8": http], local: false), "18.4", .app, "10.1.2.3", true),
    Row(exceptions(["192.168/16": http], local: false), "18.4", .app, "192.168.100.10", true),
    Row(exceptions(["192.168.100.10/32": http], local: false), "18.4", .app, "192.168.100.10", false),
    Row(exceptions(["8.8.8.0/08": http]), "18.4", .app, "1.2.3.4", false),
    Row(exceptions(["8.8.8.0/08": http]), "18.4", .app, "8.8.8.8", false),
    Row(exceptions(["8.8.8.0/020": http]), "18.4", .app, "8.8.8.8", false),
    Row(exceptions(["8.8.8.0/": http]), "18.4", .app, "8.8.8.8", false),
    Row(exceptions(["8.8.8.0/33": http]), "18.4", .app, "8.8.8.8", false),
    Row(exceptions(["8.8.8.0/24/1": http]), "18.4", .app, "8.8.8.8", false),
    Row(exceptions(["2001:DB8::1": http]), "18.4", .app, "2001:db8::1", true),
    Row(exceptions(["example.com": http]), "18.4", .app, "198.51.100.7", false),
    Row(exceptions(["203.0.113.0/24": http]), "16.0", .app, "203.0.113.9", true),
    Row(exceptions(["203.0.113.0/24": http], local: false), "16.0", .app, "203.0.113.9", false),
    Row(exceptions(["203.0.113.9": http], local: false), "16.0", .app, "203.0.113.9", false),
    Row(exceptions(["100.64.0.0/10": http]), "18.4", .app, "100.64.0.9", true),
  ]

  @Test(arguments: globalRows + domainRows + addressRows)
  func cleartext(_ row: Row) throws {
    let verdict = try policy(row.dictionary, row.os).cleartext(host: Host(row.host), context: row.context)
    #expect(verdict.isPermitted == row.isPermitted, "\(verdict.reason)")
    #expect(!verdict.reason.isEmpty)
  }

  @Test func reasonsNameTheKey() throws {
    func reason(_ dictionary: PropertyValue, _ host: String = "a.test") throws -> String {
      try policy(dictionary, "18.4").cleartext(host: Host(host), context: .app).reason
    }
    #expect(
      try reason(["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false]).contains("NSAllowsLocalNetworking")
    )
    #expect(try reason(exceptions(["A.test": http])).contains("NSExceptionDomains.A.test"))
    #expect(try reason(["NSAllowsLocalNetworking": false], "10.0.0.1").contains("NSAllowsLocalNetworking is false"))
  }

  @Test(
    arguments: [
      (minimum("h.test", "TLSv1.3"), "18.4", "TLSv1.3"), (minimum("h.test", "TLSv1.4"), "18.4", "TLSv1.2"),
      (minimum("h.test", "TLSV1.3"), "18.4", "TLSv1.2"), (minimum("h.test", "TLSv1.00"), "18.4", "TLSv1.2"),
      (minimum("h.test", 13), "18.4", "TLSv1.2"), (minimum("h.test", "TLSv1.0"), "17.0", "TLSv1.0"),
      (minimum("h.test", "TLSv1.0"), "26.0", "TLSv1.2"), (minimum("h.test", "TLSv1.1"), "25.0", "TLSv1.1"),
      (minimum("h.test", "TLSv1.3"), "11.0", "TLSv1.2"), ([:], "18.4", "TLSv1.2"),
    ] as [(PropertyValue, String, String)])
  func minimumVersion(_ dictionary: PropertyValue, _ os: String, _ expected: String) throws {
    let requirements = try policy(dictionary, os).requirements(host: Host("h.test"), context: .app)
    #expect(requirements.minimumTLS?.name == expected)
    #expect(requirements.offeredMinimum.name == expected)
    #expect(requirements.offeredMinimum <= requirements.offeredMaximum)
  }

  @Test func suitesFollowTheSystem() throws {
    func suites(_ os: String, _ dictionary: PropertyValue = [:]) throws -> [String] {
      try policy(dictionary, os).requirements(host: Host("h.test"), context: .app).cipherSuites
    }
    let relaxed = exceptions(["h.test": ["NSExceptionRequiresForwardSecrecy": false]])
    #expect(try !suites("12.2").contains("ECDHE-RSA-CHACHA20-POLY1305"))
    #expect(try suites("13.0").contains("ECDHE-RSA-CHACHA20-POLY1305"))
    #expect(try suites("14.0").contains("ECDHE-RSA-AES256-SHA384"))
    #expect(try !suites("15.0").contains("ECDHE-RSA-AES256-SHA384"))
    #expect(try !suites("18.4").contains("AES128-SHA"))
    #expect(try suites("18.4", relaxed).contains("AES128-SHA"))
    #expect(try !suites("18.4", relaxed).contains("AES128-SHA256"))
    #expect(try suites("14.0", relaxed).contains("AES128-SHA256"))
    #expect(try suites("18.4", relaxed).first?.hasPrefix("ECDHE-") == true)
    // A number that is not 1 is false, and false loosens here.
    #expect(try suites("18.4", exceptions(["h.test": ["NSExceptionRequiresForwardSecrecy": 2]])).contains("AES128-SHA"))
    #expect(
      try suites("18.4", exceptions(["h.test": ["NSExceptionRequiresForwardSecrecy": "NO"]])).first?.hasPrefix("ECDHE-")
        == true)
    for os in ["9.0", "12.2", "13.0", "15.0", "18.4", "26.0"] {
      #expect(try suites(os, relaxed).allSatisfy { !$0.hasPrefix("DHE-") })
      #expect(Set(try suites(os, relaxed)).count == (try suites(os, relaxed)).count)
    }
  }

  @Test func niapNarrowsTheSuites() throws {
    let dictionary: PropertyValue = ["NSRequiresNIAPTLSPackageVersion": "recommended"]
    let new = try policy(dictionary, "26.4").requirements(host: Host("h.test"), context: .app)
    #expect(new.cipherSuites.allSatisfy { $0.contains("GCM") } && !new.cipherSuites.isEmpty)
    let old = try policy(dictionary, "26.3").requirements(host: Host("h.test"), context: .app)
    #expect(old.cipherSuites.contains("ECDHE-RSA-AES128-SHA"))
  }

  @Test func looseningNeedsAnExceptionOrNoATS() throws {
    func requirements(_ dictionary: PropertyValue, _ host: String = "h.test") throws -> ATSRequirements {
      try policy(dictionary, "18.4").requirements(host: Host(host), context: .app)
    }
    #expect(try !requirements([:]).permitsLoosening)
    #expect(try requirements([:]).isATSRequired)
    #expect(try requirements(exceptions(["h.test": http])).permitsLoosening)
    #expect(try !requirements(exceptions(["h.test": http])).isATSRequired)
    #expect(try requirements(exceptions(["h.test": http])).minimumTLS == .v12)
    #expect(try !requirements(exceptions(["h.test": ["NSExceptionRequiresForwardSecrecy": false]])).permitsLoosening)
    #expect(try requirements(["NSAllowsArbitraryLoads": true]).permitsLoosening)
    #expect(try requirements(["NSAllowsArbitraryLoads": true]).minimumTLS == nil)
    #expect(try requirements(["NSAllowsArbitraryLoads": true]).offeredMinimum == .v10)
    #expect(
      try policy(["NSAllowsArbitraryLoads": true], "26.0").requirements(host: Host("h.test"), context: .app)
        .offeredMinimum == .v12)
  }

  @Test(arguments: [
    ("18.4", "18.4"), ("9", "9"), ("10.3", "10.3"), ("26.4.1", "26.4.1"), ("18.10", "18.10"), ("9.0", "9.0"),
  ])
  func osVersionsAreRead(_ text: String, _ description: String) throws {
    #expect(try #require(OSVersion(text)).description == description)
  }

  @Test(arguments: [
    "", "x", "18.", ".4", "0", "18.4.1.2", "-1", "+18", "18.x", "1e3", "18,4", "99999999999999999999", "١٨", "018",
    "18.04", "iOS 18", "18.4 ", "latest", "18.4.0.1",
  ])
  func otherTextsAreNoVersions(_ text: String) { #expect(OSVersion(text) == nil) }

  @Test func osVersionsAreOrderedByNumber() throws {
    #expect(try #require(OSVersion("9.3")) < #require(OSVersion("18.4")))
    #expect(try #require(OSVersion("18.4")) < #require(OSVersion("18.10")))
    #expect(OSVersion("26.4.1") == OSVersion(major: 26, minor: 4) && OSVersion("9") == OSVersion("9.0"))
    #expect(try Set([#require(OSVersion("9")), #require(OSVersion("9.0"))]).count == 1)
  }
}
