import Foundation
import Policy
import Testing

@testable import Configuration

@Suite struct RuleLintTests {
  private static let pins =
    "['sha256/\(String(repeating: "A", count: 43))=', 'sha256/\(String(repeating: "B", count: 42))A=']"

  /// `rules`, the level and key path of a finding, and words of it.
  @Test(
    arguments: [
      (
        "hosts: [{ host: '*', identity: 'corp' }]", .warning, "rules.hosts[0].identity",
        ["`*`", "`corp`", "every host"]
      ),
      ("hosts: [{ host: '**.com', identity: 'corp' }]", .warning, "rules.hosts[0].identity", ["strangers"]),
      (
        "hosts: [{ host: '**.com', action: 'bypass' }]", .warning, "rules.hosts[0].host", ["`**.com`", "public suffix"]
      ),
      ("hosts: [{ host: '*.co.uk', action: 'bypass' }]", .warning, "rules.hosts[0].host", ["co.uk", "strangers"]),
      (
        "hosts: [{ host: 'cgtn', action: 'bypass' }]", .note, "rules.hosts[0].host",
        ["`cgtn`", "no part of other names"]
      ),
      (
        "hosts: [{ host: '**.a.test', trust: 't' }, { host: 'x.a.test', action: 'intercept' }]", .warning,
        "rules.hosts[1]",
        ["inherit nothing", "`trust: \"t\"`", "shadowed", "`x.a.test`"]
      ),
      (
        "hosts: [{ host: '*.a.test', identity: 'corp' }, { host: 'x.a.test', trust: 't' }]", .warning, "rules.hosts[1]",
        ["`identity: \"corp\"`", "`*.a.test`"]
      ),
      (
        "hosts: [{ host: '*', trust: 't' }, { host: 'x.a.test:8443', action: 'intercept' }]", .warning,
        "rules.hosts[1]",
        ["`*`", "`x.a.test:8443`"]
      ),
      (
        "hosts: [{ host: '**.a.test', action: 'bypass' }, { host: '*.b.a.test', action: 'bypass' }]", .note,
        "rules.hosts[1]",
        ["`*.b.a.test` says nothing", "`**.a.test`"]
      ),
      (
        "whitelist: ['https://x.a.test'], hosts: [{ host: '**.a.test', action: 'intercept' }]", .warning,
        "rules.whitelist[0]", ["`https://x.a.test` has no effect", "intercept", "rules come first"]
      ),
      (
        "whitelist: ['https://b.test', 'https://x.a.test'], hosts: [{ host: 'x.a.test', action: 'reject' }]", .warning,
        "rules.whitelist[1]", ["reject"]
      ),
      (
        "whitelist: ['https://x.a.test'], hosts: [{ host: 'x.a.test', action: 'bypass' }]", .note, "rules.whitelist[0]",
        ["bypassed by the entry `x.a.test`"]
      ),
      ("whitelist: ['https://a.test', 'https://a.test:443']", .note, "rules.whitelist[1]", ["twice"]),
      ("whitelist: ['http://a.test']", .warning, "rules.whitelist[0]", ["http://a.test", "stays refused"]),
      ("emptyWhitelist: 'bypass'", .warning, "rules.emptyWhitelist", ["emptyWhitelist", "every https host"]),
      (
        "emptyWhitelist: 'bypass', hosts: [{ host: 'a.test', action: 'intercept' }]", .warning, "rules.emptyWhitelist",
        ["but for `a.test`"]
      ),
      ("emptyWhitelist: 'bypass', whitelist: ['https://a.test']", .note, "rules.emptyWhitelist", ["no effect"]),
      ("default: 'bypass'", .note, "rules.default", ["default", "unseen"]),
    ] as [(String, Finding.Level, String, [String])])
  func `rules that mislead are named`(_ rules: String, _ level: Finding.Level, _ path: String, _ words: [String]) {
    let result = load(
      """
      { rules: { \(rules) }, trust: { t: { pins: \(Self.pins) } },
        identities: { corp: { certificate: 'client.pem', key: 'client.key' } } }
      """)
    #expect(result.configuration != nil, "\(result.said(.error))")
    let found = result.findings.contains { finding in
      finding.level == level && finding.keyPath == path && finding.line == 1 && finding.file == "test.json5"
        && words.allSatisfy(finding.message.contains)
    }
    #expect(found, "\(result.findings.map(\.text).joined(separator: "\n"))")
  }

  @Test(arguments: [
    "hosts: [{ host: '**.a.test', action: 'intercept', trust: 't' }, { host: 'x.a.test', action: 'bypass' }]",
    "hosts: [{ host: '**.a.test', trust: 't' }, { host: 'x.a.test', trust: 't', http2: false }]",
    "whitelist: ['https://a.test'], hosts: [{ host: '**.b.test', action: 'intercept' }]",
    "whitelist: ['http://localhost'], default: 'reject'", "hosts: [{ host: '*', action: 'intercept' }]",
  ])
  func `good rules are let be`(_ rules: String) {
    let result = load("{ rules: { \(rules) }, trust: { t: { pins: \(Self.pins) } } }")
    let about = result.findings.filter { $0.keyPath.hasPrefix("rules") }
    #expect(result.configuration != nil && about.isEmpty, "\(about.map(\.text))")
  }

  @Test(arguments: [
    ("cgtn.com*", "**.cgtn.com"), ("*cgtn.com*", "**.cgtn.com"), ("*cgtn.com", "**.cgtn.com"),
    (".cgtn.com", "**.cgtn.com"),
    ("https://cgtn.com/x", "cgtn.com"),
  ])
  func `parts of names are no patterns`(_ pattern: String, _ instead: String) {
    let result = load("{ rules: { hosts: [{ host: '\(pattern)', action: 'intercept' }] } }")
    let said = result.said(.error)
    #expect(result.configuration == nil && said.contains(pattern) && said.contains("write `\(instead)`"), "\(said)")
  }

  @Test func `rules of a lane are looked at with the policy of the lane`() {
    let result = load(
      """
      { lanes: { old: { clients: ['192.0.2.1/32'], ats: { os: '8' }, rules: { whitelist: ['http://a.test'] } },
                 new: { clients: ['192.0.2.2/32'], rules: { whitelist: ['http://a.test'] } } } }
      """)
    let paths = result.findings(.warning).map(\.keyPath)
    #expect(paths == ["lanes.new.rules.whitelist[0]"], "\(result.said(.warning))")
  }

  @Test func `hosts of rules and whitelist are held against the depth of exceptions`() {
    let result = load(
      """
      { ats: { dictionary: { NSExceptionDomains: { 'a.test': { NSExceptionAllowsInsecureHTTPLoads: true, NSIncludesSubdomains: true } } } },
        rules: { whitelist: ['https://w.x.a.test'], hosts: [{ host: '**.y.x.a.test', action: 'intercept' }] } }
      """)
    let notes = result.findings(.note).filter { $0.keyPath.hasSuffix("NSIncludesSubdomains") }
    #expect(
      notes.count == 2 && notes.allSatisfy { $0.line == 1 && $0.keyPath.hasPrefix("ats.dictionary.") }, "\(notes)")
  }
}
