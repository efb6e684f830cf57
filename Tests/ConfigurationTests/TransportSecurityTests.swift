import Foundation
import Names
import Policy
import Testing

@testable import Configuration

@Suite struct TransportSecurityTests {
  private func file(_ text: String, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString).plist")
      .path
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    try body(file)
  }

  @Test func `the dictionary comes from the property list or stands inline`() throws {
    let host = try Host("a.test")
    let inline = load(
      "{ ats: { dictionary: { NSExceptionDomains: { 'a.test': { NSExceptionAllowsInsecureHTTPLoads: true } } } } }")
    #expect(inline.configuration?.defaultLane.policy.ats.cleartext(host: host, context: .app).isPermitted == true)
    try file(
      """
      <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict>
      <key>a.test</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict></dict></dict></dict></plist>
      """
    ) { path in
      let result = load("{ ats: { infoPlist: '\(path)' } }")
      #expect(result.configuration?.defaultLane.policy.ats.cleartext(host: host, context: .app).isPermitted == true)
      #expect(load("{ ats: { infoPlist: '\(path)', dictionary: {} } }").configuration != nil)
      let both = load("{ ats: { infoPlist: '\(path)', dictionary: { NSAllowsArbitraryLoads: true } } }")
      #expect(both.findings(.error).map(\.keyPath) == ["ats.infoPlist"])
    }
  }

  @Test func `a property list without the dictionary is noted`() throws {
    try file("<plist version=\"1.0\"><dict/></plist>") { path in
      let result = load("{ ats: { infoPlist: '\(path)' } }")
      #expect(result.configuration != nil && result.findings.map(\.level) == [.note])
    }
    try file("{ \"NSAppTransportSecurity\": 1 }") { path in
      #expect(load("{ ats: { infoPlist: '\(path)' } }").said(.error).contains("no dictionary"))
    }
    try file("{ \"a\":\n x }") { path in
      let finding = load("{ ats: { infoPlist: '\(path)' } }").findings(.error).first
      #expect(finding?.file == path && finding?.line == 2)
    }
  }

  @Test func `findings of the linter have their key path and place`() throws {
    let result = load(
      """
      { ats: { dictionary: { NSExceptionDomains: {
          '*.wild.test': { NSExceptionAllowsInsecureHTTPLoads: true },
          'ver.test': { NSExceptionMinimumTLSVersion: 'TLSv1.4' } } } } }
      """)
    #expect(result.configuration != nil)
    let wild = try #require(result.findings.first { $0.keyPath.contains("*.wild.test") })
    #expect(wild.keyPath.hasPrefix("ats.dictionary.NSExceptionDomains") && wild.line == 2 && wild.file == "test.json5")
    #expect(result.findings.first { $0.keyPath.contains("ver.test") }?.line == 3)
    try file("{ \"NSAppTransportSecurity\": { \"NSExceptionDomains\": { \"*.wild.test\": {} } } }") { path in
      let finding = load("{ ats: { infoPlist: '\(path)' } }").findings.first { $0.keyPath.contains("*.wild.test") }
      #expect(finding?.file == path && finding?.keyPath.hasPrefix("NSAppTransportSecurity.") == true)
    }
  }
}
