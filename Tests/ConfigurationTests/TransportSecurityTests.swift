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

  /// A file, the level of the finding, and words of it.
  @Test(
    arguments: [
      ("{ \"NSAppTransportSecurity\": [] }", .error, ["is a list and no dictionary", "fully on"]),
      ("{ \"NSAppTransportSecurity\": \"YES\" }", .error, ["is a text and no dictionary"]),
      ("<plist version=\"1.0\"><array/></plist>", .error, ["holds a list", "no Info.plist"]),
      ("{ \"NSExceptionDomains\": {} }", .warning, ["NSExceptionDomains stands at its top", "fully on"]),
      ("{ \"CFBundleName\": \"x\", \"NSAppTransportSecurity\": null }", .note, ["has no NSAppTransportSecurity"]),
      ("this is text", .error, ["not a property list"]), ("", .error, ["not a property list"]),
      ("bplist00", .error, ["damaged"]), ("<plist version=\"1.0\"><dict><key>a</key>", .error, []),
      (
        "<plist version=\"1.0\">" + String(repeating: "<array>", count: 80) + String(repeating: "</array>", count: 80)
          + "</plist>", .error, ["nested deeper than 64"]
      ),
      (
        "{ \"NSAppTransportSecurity\": " + String(repeating: "[", count: 80) + String(repeating: "]", count: 80) + " }",
        .error,
        ["nested deeper than"]
      ),
    ] as [(String, Finding.Level, [String])])
  func `what is wrong with the property list is told`(_ text: String, _ level: Finding.Level, _ words: [String]) throws
  {
    try file(text) { path in
      let result = load("{ ats: { infoPlist: '\(path)' } }")
      let finding = try #require(result.findings.first { $0.level == level }, "\(result.findings.map(\.text))")
      #expect(finding.text.contains(path) && finding.text.contains("ats.infoPlist"), "\(finding.text)")
      for word in words { #expect(finding.message.contains(word), "\(finding.message)") }
      #expect((result.configuration == nil) == (level == .error))
    }
  }

  @Test func `a folder, a missing file and a whole app are told apart`() throws {
    #expect(load("{ ats: { infoPlist: '.' } }").said(.error).contains("is a folder; name the Info.plist"))
    #expect(load("{ ats: { infoPlist: 'none.plist' } }").said(.error).contains("No such file"))
    #expect(load("{ ats: { infoPlist: 7 } }").said(.error).contains("ats.infoPlist"))
    let host = try Host("a.test")
    try file("{ \"DTSDKName\": \"iphoneos8.4\", \"CFBundleName\": \"Old\", \"NSAppTransportSecurity\": {} }") { path in
      let ats = try #require(load("{ ats: { infoPlist: '\(path)' } }").configuration?.defaultLane.policy.ats)
      #expect(ats.cleartext(host: host, context: .app).isPermitted)
    }
    try file("{ \"DTSDKName\": \"iphoneos18.4\", \"NSAppTransportSecurity\": {} }") { path in
      let ats = try #require(load("{ ats: { infoPlist: '\(path)' } }").configuration?.defaultLane.policy.ats)
      #expect(!ats.cleartext(host: host, context: .app).isPermitted)
    }
  }

  @Test func `the whole list inline is one level too many`() {
    let result = load("{ ats: { dictionary: { NSAppTransportSecurity: { NSAllowsArbitraryLoads: true } } } }")
    #expect(result.said(.error).contains("one level too many"))
  }

  @Test(arguments: ["'9'", "'10.3'", "'18.4'", "'26.4.1'", "'8'", "'999'"])
  func `any version of an OS can be named`(_ os: String) {
    #expect(load("{ ats: { os: \(os) } }").configuration?.defaultLane.policy.osText == os.filter { $0 != "'" })
  }

  @Test(arguments: [
    "'x'", "''", "18.4", "'18.'", "'iOS 18'", "'18,4'", "'-1'", "'0'", "'latest'", "'18.4.1.1'", "true",
  ])
  func `nonsense is no version`(_ os: String) {
    let result = load("{ ats: { os: \(os) } }")
    #expect(
      result.configuration == nil && result.findings(.error).map(\.keyPath) == ["ats.os"], "\(result.said(.error))")
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
