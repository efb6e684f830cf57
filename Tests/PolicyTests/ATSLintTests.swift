import Policy
import Testing

struct ATSLintTests {
  private static func findings(_ dictionary: PropertyValue, _ os: String = "18.4") throws -> [Finding] {
    ATSPolicy(dictionary: dictionary, os: try #require(OSVersion(os))).lint()
  }

  @Test func everyEntryThatMisleadsIsNamed() throws {
    let findings = try Self.findings([
      "NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false,
      "NSExceptionDomains": [
        "*.wild.test": ["NSExceptionAllowsInsecureHTTPLoads": true],
        "port.test:8080": ["NSExceptionAllowsInsecureHTTPLoads": true],
        "https://scheme.test": ["NSExceptionAllowsInsecureHTTPLoads": true],
        "Upper.test": ["NSExceptionAllowsInsecureHTTPLoads": true], "empty.test": [:],
        "text.test": ["NSExceptionAllowsInsecureHTTPLoads": "YES"],
        "old.test": ["NSThirdPartyExceptionAllowsInsecureHTTPLoads": true],
        "ver.test": ["NSExceptionMinimumTLSVersion": "TLSv1.4"],
      ],
    ])
    let warned = findings.filter { $0.level == .warning }.map(\.keyPath)
    for path in [
      "NSExceptionDomains.*.wild.test", "NSExceptionDomains.port.test:8080", "NSExceptionDomains.https://scheme.test",
      "NSExceptionDomains.Upper.test", "NSExceptionDomains.empty.test",
      "NSExceptionDomains.text.test.NSExceptionAllowsInsecureHTTPLoads",
      "NSExceptionDomains.old.test.NSThirdPartyExceptionAllowsInsecureHTTPLoads",
      "NSExceptionDomains.ver.test.NSExceptionMinimumTLSVersion", "NSAllowsArbitraryLoads",
    ] {
      #expect(warned.contains(path), "\(path)")
    }
    #expect(findings.allSatisfy { $0.level != .error })
  }

  @Test(
    arguments: [
      (["NSExceptionDomains": "x"], "18.4", "NSExceptionDomains"),
      (["NSExceptionDomains": ["a.test": "x"]], "18.4", "NSExceptionDomains.a.test"),
      (["NSExceptionDomains": ["com": ["NSIncludesSubdomains": true]]], "18.4", "NSExceptionDomains.com"),
      (["NSExceptionDomains": ["a.test/x": ["NSIncludesSubdomains": false]]], "18.4", "NSExceptionDomains.a.test/x"),
      (["NSExceptionDomains": ["10.0.0.1": ["NSIncludesSubdomains": false]]], "16.0", "NSExceptionDomains.10.0.0.1"),
      (
        ["NSExceptionDomains": ["8.8.8.0/08": ["NSIncludesSubdomains": false]]], "18.4", "NSExceptionDomains.8.8.8.0/08"
      ),
      (["NSExceptionDomains": ["0/0": ["NSIncludesSubdomains": false]]], "18.4", "NSExceptionDomains.0/0"),
      (
        ["NSExceptionDomains": ["2001:DB8::1": ["NSIncludesSubdomains": false]]], "18.4",
        "NSExceptionDomains.2001:DB8::1"
      ),
      (
        ["NSExceptionDomains": ["192.168.100.10/32": ["NSIncludesSubdomains": false]]], "18.4",
        "NSExceptionDomains.192.168.100.10/32"
      ),
      (
        ["NSExceptionDomains": ["a.test": ["NSExceptionRequiresForwardSecrecy": 2]]], "18.4",
        "NSExceptionDomains.a.test.NSExceptionRequiresForwardSecrecy"
      ),
      (
        ["NSExceptionDomains": ["a.test": ["NSExceptionMinimumTLSVersion": "TLSv1.0"]]], "26.0",
        "NSExceptionDomains.a.test.NSExceptionMinimumTLSVersion"
      ),
      (["NSAllowsArbitraryLoads": 2], "18.4", "NSAllowsArbitraryLoads"),
      (["NSAllowsArbitraryLoadsInMedia": true], "18.4", "NSAllowsArbitraryLoadsInMedia"),
      (["NSAllowArbitraryLoads": true], "18.4", "NSAllowArbitraryLoads"),
      (["NSPinnedDomains": ["a.test": [:]]], "18.4", "NSPinnedDomains.a.test"),
      (
        ["NSPinnedDomains": ["a.test": ["NSPinnedCAIdentities": []]]], "18.4",
        "NSPinnedDomains.a.test.NSPinnedCAIdentities"
      ),
      (
        ["NSPinnedDomains": ["a.test": ["NSPinnedCAIdentities": [["SPKI-SHA256-BASE64": "AAAA"]]]]], "18.4",
        "NSPinnedDomains.a.test.NSPinnedCAIdentities[0]"
      ),
      (
        ["NSPinnedDomains": ["a.test": ["NSPinnedCAIdentities": [["SPKI-SHA256-BASE64": "?"]]]]], "18.4",
        "NSPinnedDomains.a.test.NSPinnedCAIdentities[0]"
      ),
      (["NSPinnedDomains": ["a.test": [:]]], "13.0", "NSPinnedDomains"),
    ] as [(PropertyValue, String, String)])
  func warnings(_ dictionary: PropertyValue, _ os: String, _ keyPath: String) throws {
    let findings = try Self.findings(dictionary, os)
    #expect(findings.contains { $0.level == .warning && $0.keyPath == keyPath }, "\(findings)")
  }

  @Test(
    arguments: [
      (["NSAllowsArbitraryLoads": true], "NSAllowsArbitraryLoads"),
      (["NSAllowsArbitraryLoadsInWebContent": true], "NSAllowsArbitraryLoadsInWebContent"),
      (["NSExceptionDomains": ["a.test": ["NSExceptionAllowsInsecureHTTPLoads": true]]], "NSExceptionDomains.a.test"),
      (
        ["NSExceptionDomains": ["a.test": ["NSExceptionMinimumTLSVersion": "TLSv1.1"]]],
        "NSExceptionDomains.a.test.NSExceptionMinimumTLSVersion"
      ),
      (
        ["NSExceptionDomains": ["a.test": ["NSRequiresCertificateTransparency": true]]],
        "NSExceptionDomains.a.test.NSRequiresCertificateTransparency"
      ),
    ] as [(PropertyValue, String)])
  func notes(_ dictionary: PropertyValue, _ keyPath: String) throws {
    let findings = try Self.findings(dictionary)
    #expect(findings.contains { $0.level == .note && $0.keyPath == keyPath }, "\(findings)")
    #expect(!findings.contains { $0.level == .warning }, "\(findings)")
  }

  @Test(
    arguments: [
      .null, [:], ["NSAllowsLocalNetworking": true],
      ["NSExceptionDomains": ["a.test": ["NSExceptionMinimumTLSVersion": "TLSv1.3"]]],
      ["NSExceptionDomains": ["10/8": ["NSExceptionRequiresForwardSecrecy": false]]],
    ] as [PropertyValue])
  func nothingToSay(_ dictionary: PropertyValue) throws {
    #expect(try Self.findings(dictionary).isEmpty)
  }
}
