import Names
import Policy
import Testing

private let http: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": true]

private func listed(_ domains: PropertyValue) -> PropertyValue { ["NSExceptionDomains": domains] }

private func pinned(_ domains: PropertyValue) -> PropertyValue { ["NSPinnedDomains": domains] }

private func identities(_ digests: String...) -> PropertyValue {
  .array(digests.map { ["SPKI-SHA256-BASE64": .string($0)] })
}

/// What the linter says about each thing that misleads: level, key path, what really happens and what to write instead (spec A.7).
struct ATSFindingTests {
  struct Row: CustomTestStringConvertible {
    let dictionary: PropertyValue
    let level: Finding.Level
    let path: String
    let words: [String]
    let os: String

    init(_ dictionary: PropertyValue, _ level: Finding.Level, _ path: String, _ words: [String], os: String = "18.4") {
      self.dictionary = dictionary
      self.level = level
      self.path = path
      self.words = words
      self.os = os
    }

    var testDescription: String { "\(path) \(words) \(os)" }
  }

  private static let globals: [Row] = [
    Row("x", .warning, "", ["no dictionary", "fully on"]),
    Row(
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false], .warning, "NSAllowsArbitraryLoads",
      ["no effect", "NSAllowsLocalNetworking is present", "whatever its value", "take"]),
    Row(
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInMedia": false], .warning, "NSAllowsArbitraryLoads",
      ["NSAllowsArbitraryLoadsInMedia is present"]),
    Row(
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": false], .note, "NSAllowsArbitraryLoads",
      ["counts on OS 9", "iOS 10"], os: "9"),
    Row(
      ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["a.test": [:], "b.test": http]], .note,
      "NSAllowsArbitraryLoads", ["does not apply", "ATS stays on for a.test;"]),
    Row(
      ["NSAllowsArbitraryLoadsInWebContent": true, "NSExceptionDomains": ["a.test": [:]]], .note,
      "NSAllowsArbitraryLoadsInWebContent", ["does not apply", "a.test"]),
    Row(["NSAllowsArbitraryLoads": "YES"], .warning, "NSAllowsArbitraryLoads", ["no Boolean", "true or false"]),
    Row(["NSAllowsLocalNetworking": 2], .warning, "NSAllowsLocalNetworking", ["counts as false", "true or false"]),
    Row(["NSAllowsArbitraryLoads": true], .note, "NSAllowsArbitraryLoads", ["App Review"]),
    Row(["NSAllowsArbitraryLoadsForMedia": true], .note, "NSAllowsArbitraryLoadsForMedia", ["App Review"]),
    Row(
      ["NSAllowsArbitraryLoadsInWebContent": true], .note, "NSAllowsArbitraryLoadsInWebContent", ["App Review"]),
    Row(
      ["NSAllowsArbitraryLoadsInMedia": true], .warning, "NSAllowsArbitraryLoadsInMedia",
      ["betas", "write NSAllowsArbitraryLoadsForMedia"]),
    Row(
      ["NSAllowsLocalNetworking": true], .note, "NSAllowsLocalNetworking", ["OS 9 does not know", "iOS 10"], os: "9"),
    Row(
      ["NSAllowArbitraryLoads": true], .warning, "NSAllowArbitraryLoads",
      ["no effect", "did you mean NSAllowsArbitraryLoads?"]),
    Row(["Whatever": 1], .warning, "Whatever", ["no effect"]),
    Row(
      ["NSIncludesSubdomains": true], .warning, "NSIncludesSubdomains", ["belongs into an entry of NSExceptionDomains"]),
    Row(["NSExceptionDomains": []], .warning, "NSExceptionDomains", ["no dictionary", "ignored"]),
    Row(
      ["NSRequiresNIAPTLSPackageVersion": "recommended"], .note, "NSRequiresNIAPTLSPackageVersion", ["26.4"]),
    Row(
      ["NSRequiresNIAPTLSPackageVersion": "best"], .warning, "NSRequiresNIAPTLSPackageVersion",
      ["ignored", "FCP_v2.1"],
      os: "26.4"),
    Row(["NSAllowsArbitraryLoads": false], .note, "", ["older than App Transport Security", "ats.os"], os: "8.4"),
  ]

  private static let keys: [Row] = [
    Row(
      listed(["*.a.test": http]), .warning, "NSExceptionDomains.*.a.test", ["*.a.test", "no wildcards", "\"a.test\""]),
    Row(listed(["a.test:80": http]), .warning, "NSExceptionDomains.a.test:80", ["a.test:80", "no port", "\"a.test\""]),
    Row(
      listed(["https://a.test/x": http]), .warning, "NSExceptionDomains.https://a.test/x", ["no scheme", "\"a.test\""]),
    Row(listed(["a.test/x": http]), .warning, "NSExceptionDomains.a.test/x", ["a.test/x", "no path", "\"a.test\""]),
    Row(listed([".a.test": http]), .warning, "NSExceptionDomains..a.test", ["begins with a dot", "\"a.test\""]),
    Row(listed(["": http]), .warning, "NSExceptionDomains.", ["it is empty"]),
    Row(listed(["a b.test": http]), .warning, "NSExceptionDomains.a b.test", ["a space"]),
    Row(listed(["fe80::1%en0": http]), .warning, "NSExceptionDomains.fe80::1%en0", ["no zone"]),
    Row(listed(["A.test": http]), .warning, "NSExceptionDomains.A.test", ["A.test", "capitals", "\"a.test\""]),
    Row(
      listed(["bücher.test": http]), .warning, "NSExceptionDomains.bücher.test", ["A-labels", "\"xn--bcher-kva.test\""]),
    Row(listed(["a.test.": http]), .note, "NSExceptionDomains.a.test.", ["a.test.", "trailing dot", "\"a.test\""]),
    Row(
      listed(["co.uk": ["NSIncludesSubdomains": true]]), .warning, "NSExceptionDomains.co.uk",
      ["co.uk", "public suffix", "strangers"]),
    Row(
      listed(["www.a.test": ["NSIncludesSubdomains": true]]), .note, "NSExceptionDomains.www.a.test",
      ["www.a.test", "\"a.test\""]),
    Row(
      listed(["A.test": http, "a.test": [:]]), .warning, "NSExceptionDomains.A.test",
      ["\"A.test\"", "only the entry of \"a.test\" counts"]),
    Row(
      listed(["10.0.0.1": ["NSIncludesSubdomains": true]]), .note, "NSExceptionDomains.10.0.0.1.NSIncludesSubdomains",
      ["no effect on the address 10.0.0.1"]),
    Row(
      listed(["10.0.0.1": http]), .warning, "NSExceptionDomains.10.0.0.1", ["OS 16", "10.0.0.1", "iOS 17"], os: "16"),
    Row(listed(["10.0.0.0/8": http]), .warning, "NSExceptionDomains.10.0.0.0/8", ["OS 9", "no address"], os: "9"),
    Row(
      listed(["2001:DB8::1": http]), .warning, "NSExceptionDomains.2001:DB8::1",
      ["compares addresses as text", "\"2001:db8::1\""]),
    Row(listed(["8.8.8.0/08": http]), .warning, "NSExceptionDomains.8.8.8.0/08", ["8.8.8.0/08", "octal"]),
    Row(
      listed(["192.168.100.10/32": http]), .warning, "NSExceptionDomains.192.168.100.10/32",
      ["matches nothing", "14 characters"]),
    Row(listed(["8.8.8.0/": http]), .warning, "NSExceptionDomains.8.8.8.0/", ["8.8.8.0/", "length is missing"]),
    Row(listed(["8.8.8.0/33": http]), .warning, "NSExceptionDomains.8.8.8.0/33", ["no range"]),
    Row(listed(["8.8.8.0/0x8": http]), .warning, "NSExceptionDomains.8.8.8.0/0x8", ["no prefix length"]),
    Row(listed(["0/0": http]), .warning, "NSExceptionDomains.0/0", ["0/0", "every address"]),
    Row(listed(["10.1.2.3/8": http]), .note, "NSExceptionDomains.10.1.2.3/8", ["10.0.0.0/8"]),
  ]

  private static func member(_ key: String, _ value: PropertyValue) -> PropertyValue {
    listed(["a.test": .dictionary([key: value])])
  }

  private static func path(_ key: String) -> String { "NSExceptionDomains.a.test.\(key)" }

  private static let members: [Row] = [
    Row(listed(["a.test": "x"]), .warning, "NSExceptionDomains.a.test", ["a.test", "no dictionary", "skipped"]),
    Row(listed(["a.test": [:]]), .warning, "NSExceptionDomains.a.test", ["a.test", "empty entry is full ATS"]),
    Row(
      member("NSExceptionAllowsInsecureHTTPLoads", "YES"), .warning, path("NSExceptionAllowsInsecureHTTPLoads"),
      ["NSExceptionAllowsInsecureHTTPLoads", "ignored", "true or false"]),
    Row(member("NSIncludesSubdomains", 2), .warning, path("NSIncludesSubdomains"), ["counts as false"]),
    Row(
      member("NSExceptionRequiresForwardSecrecy", 2), .warning, path("NSExceptionRequiresForwardSecrecy"),
      ["NSExceptionRequiresForwardSecrecy", "without forward secrecy"]),
    Row(
      member("NSExceptionRequiresForwardSecrecy", "NO"), .warning, path("NSExceptionRequiresForwardSecrecy"),
      ["counts as true"]),
    Row(
      member("NSExceptionMinimumTLSVersion", "TLSv1.4"), .warning, path("NSExceptionMinimumTLSVersion"),
      ["NSExceptionMinimumTLSVersion", "ignored", "TLSv1.2 is asked for"]),
    Row(member("NSExceptionMinimumTLSVersion", 13), .warning, path("NSExceptionMinimumTLSVersion"), ["ignored"]),
    Row(
      member("NSExceptionMinimumTLSVersion", "TLSv1.1"), .note, path("NSExceptionMinimumTLSVersion"),
      ["App Review", "OS 26"]),
    Row(
      member("NSExceptionMinimumTLSVersion", "TLSv1.1"), .warning, path("NSExceptionMinimumTLSVersion"),
      ["no longer accepts TLSv1.1", "TLSv1.2"], os: "26"),
    Row(
      member("NSExceptionMinimumTLSVersion", "TLSv1.3"), .warning, path("NSExceptionMinimumTLSVersion"),
      ["does not speak TLSv1.3"], os: "12.1"),
    Row(
      member("NSRequiresCertificateTransparency", true), .note, path("NSRequiresCertificateTransparency"),
      ["NSRequiresCertificateTransparency", "obsolete"]),
    Row(
      member("NSThirdPartyExceptionAllowsInsecureHTTPLoads", true), .warning,
      path("NSThirdPartyExceptionAllowsInsecureHTTPLoads"),
      ["18.4 does not read", "write NSExceptionAllowsInsecureHTTPLoads"]),
    Row(
      member("NSTemporaryExceptionMinimumTLSVersion", "TLSv1.1"), .warning,
      path("NSTemporaryExceptionMinimumTLSVersion"),
      ["18.4 and later do not read", "write NSExceptionMinimumTLSVersion"], os: "18.3"),
    Row(
      member("NSExceptionRequiresNIAPTLSPackageVersion", "x"), .warning,
      path("NSExceptionRequiresNIAPTLSPackageVersion"),
      ["ignored"], os: "26.4"),
    Row(
      member("NSExceptionAllowInsecureHTTPLoads", true), .warning, path("NSExceptionAllowInsecureHTTPLoads"),
      ["did you mean NSExceptionAllowsInsecureHTTPLoads?"]),
    Row(
      member("NSAllowsArbitraryLoads", true), .warning, path("NSAllowsArbitraryLoads"),
      ["belongs beside NSExceptionDomains"]),
    Row(listed(["a.test": http]), .note, "NSExceptionDomains.a.test", ["App Review", "a.test"]),
    Row(
      listed(["a.test": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSExceptionMinimumTLSVersion": "TLSv1.3"]]),
      .note,
      "NSExceptionDomains.a.test", ["still holds for https"]),
    Row(listed(["box": http]), .note, "NSExceptionDomains.box", ["box is local", "no exception"]),
    Row(
      member("NSIncludesSubdomains", true), .note, "NSExceptionDomains.a.test", ["permits nothing", "fully on"]),
    Row(
      listed([
        "a.test": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true], "b.a.test": [:],
        "c.b.a.test": ["NSExceptionMinimumTLSVersion": "TLSv1.3"],
      ]), .note, "NSExceptionDomains.c.b.a.test", ["that of a.test does not count", "repeat"]),
  ]

  private static let good = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="

  private static let pins: [Row] = [
    Row(pinned("x"), .warning, "NSPinnedDomains", ["no dictionary", "pins nothing"]),
    Row(pinned(["a.test": [:]]), .warning, "NSPinnedDomains", ["OS 13", "iOS 14"], os: "13"),
    Row(pinned(["a.test": [:]]), .warning, "NSPinnedDomains.a.test", ["a.test", "nothing is pinned"]),
    Row(pinned(["a.test": "x"]), .warning, "NSPinnedDomains.a.test", ["no dictionary"]),
    Row(pinned(["*.a.test": [:]]), .warning, "NSPinnedDomains.*.a.test", ["pins nothing", "no wildcards"]),
    Row(pinned(["a.test.": [:]]), .warning, "NSPinnedDomains.a.test.", ["trailing dot", "\"a.test\""]),
    Row(pinned(["10.0.0.0/8": [:]]), .warning, "NSPinnedDomains.10.0.0.0/8", ["ranges"]),
    Row(
      pinned(["a.test": ["NSPinnedLeafIdentities": []]]), .warning, "NSPinnedDomains.a.test.NSPinnedLeafIdentities",
      ["no digest", "every connection to a.test fails"]),
    Row(
      pinned(["a.test": ["NSPinnedLeafIdentities": "x"]]), .warning, "NSPinnedDomains.a.test.NSPinnedLeafIdentities",
      ["no list", "fails"]),
    Row(
      pinned(["a.test": ["NSPinnedCAIdentities": identities("?")]]), .warning,
      "NSPinnedDomains.a.test.NSPinnedCAIdentities[0]", ["no base64"]),
    Row(
      pinned(["a.test": ["NSPinnedCAIdentities": identities("AAAA")]]), .warning,
      "NSPinnedDomains.a.test.NSPinnedCAIdentities[0]", ["3 bytes", "32"]),
    Row(
      pinned(["a.test": ["NSPinnedCAIdentities": ["x"]]]), .warning, "NSPinnedDomains.a.test.NSPinnedCAIdentities[0]",
      ["SPKI-SHA256-BASE64", "skipped"]),
    Row(
      pinned(["a.test": ["NSPinnedCAIdentities": identities(good)]]), .note,
      "NSPinnedDomains.a.test.NSPinnedCAIdentities", ["no backup"]),
    Row(
      pinned(["a.test": ["NSIncludesSubdomains": true, "NSPinnedCAIdentities": identities(good)]]), .note,
      "NSPinnedDomains.a.test.NSIncludesSubdomains", ["exactly one label"]),
    Row(
      pinned(["a.test": ["NSIncludesSubdomains": 1]]), .warning, "NSPinnedDomains.a.test.NSIncludesSubdomains",
      ["no Boolean"]),
    Row(
      pinned(["a.test": ["NSPinnedLeafIdentity": []]]), .warning, "NSPinnedDomains.a.test.NSPinnedLeafIdentity",
      ["did you mean NSPinnedLeafIdentities?"]),
    Row(
      pinned(["a.test": ["NSPinnedLeafIdentities": identities(good), "NSPinnedCAIdentities": identities(good)]]), .note,
      "NSPinnedDomains.a.test", ["both lists"]),
    Row(
      [
        "NSExceptionDomains": ["a.test": http],
        "NSPinnedDomains": ["a.test": ["NSPinnedCAIdentities": identities(good)]],
      ],
      .note, "NSPinnedDomains.a.test", ["permits plain HTTP to a.test", "protect nothing"]),
  ]

  @Test(arguments: globals + keys + members + pins)
  func findings(_ row: Row) throws {
    let findings = ATSPolicy(dictionary: row.dictionary, os: try #require(OSVersion(row.os))).lint()
    let found = findings.contains { finding in
      finding.level == row.level && finding.keyPath == row.path && row.words.allSatisfy(finding.message.contains)
    }
    #expect(found, "\(findings.map { "\($0.level) \($0.keyPath): \($0.message)" }.joined(separator: "\n"))")
    #expect(findings.allSatisfy { $0.level != .error })
  }

  @Test func hostsFarBelowAnEntryAreNamed() throws {
    let dictionary: PropertyValue = [
      "NSExceptionDomains": ["a.test": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]],
      "NSPinnedDomains": ["p.test": ["NSIncludesSubdomains": true, "NSPinnedCAIdentities": identities(Self.good)]],
    ]
    let policy = ATSPolicy(dictionary: dictionary, os: try #require(OSVersion("18.4")))
    let hosts = try ["a.test", "x.a.test", "y.x.a.test", "x.p.test", "y.x.p.test", "b.test"].map { try Host($0) }
    let added = Set(policy.lint(naming: hosts)).subtracting(policy.lint())
    let exception = added.filter { $0.keyPath == "NSExceptionDomains.a.test.NSIncludesSubdomains" }
    #expect(exception.count == 1 && exception.first?.level == .note)
    #expect(exception.first?.message.contains("y.x.a.test is 2 labels below a.test") == true)
    let pin = added.filter { $0.keyPath == "NSPinnedDomains.p.test.NSIncludesSubdomains" }
    #expect(pin.count == 1 && pin.first?.level == .warning && pin.first?.message.contains("y.x.p.test") == true)
    #expect(added.count == 2)
  }

  @Test func anAppThatWasBuiltBeforeATSIsNamed() throws {
    let policy = ATSPolicy(
      dictionary: ["NSAllowsArbitraryLoads": false], os: try #require(OSVersion("18.4")), sdk: LinkedSDK("iphoneos8.4"))
    let finding = try #require(policy.lint().first)
    #expect(finding.level == .warning && finding.message.contains("iphoneos8.4"))
    #expect(try policy.cleartext(host: Host("a.test"), context: .app).reason.contains("iphoneos8.4"))
  }
}
