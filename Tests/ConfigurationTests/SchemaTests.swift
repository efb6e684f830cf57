import Foundation
import Policy
import Testing

@testable import Configuration

@Suite struct SchemaTests {
  /// A file, the key path of its only error, and words that must stand in the text.
  @Test(arguments: [
    ("{ upstrem: {} }", "upstrem", ["`upstream`"]),
    ("{ limits: { headTimeot: '1s' } }", "limits.headTimeot", ["`headTimeout`"]),
    ("{ limits: { zzz: 1 } }", "limits.zzz", ["known here", "keepAlive"]),
    ("{ limits: { headTimeout: '10 parsecs' } }", "limits.headTimeout", ["10 parsecs", "250ms"]),
    ("{ limits: { headTimeout: 10 } }", "limits.headTimeout", ["a number", "unit"]),
    ("{ limits: { headTimeout: '0s' } }", "limits.headTimeout", ["out of range"]),
    ("{ limits: { connections: 0 } }", "limits.connections", ["1 to 1000000"]),
    ("{ limits: { connections: 1.5 } }", "limits.connections", ["whole number"]),
    ("{ limits: { connections: '7' } }", "limits.connections", ["a string"]),
    ("{ limits: { connections: Infinity } }", "limits.connections", ["Infinity"]),
    ("{ limits: { head: '12' } }", "limits.head", ["64KiB"]),
    ("{ limits: { head: '99999999999999999999KiB' } }", "limits.head", ["no size"]),
    ("{ limits: { http2: { streams: -1 } } }", "limits.http2.streams", ["out of range"]),
    ("{ limits: [] }", "limits", ["an object is expected"]),
    ("{ bodies: { capture: '64 potatoes' } }", "bodies.capture", ["64 potatoes"]),
    ("{ bodies: { receipts: 1 } }", "bodies.receipts", ["true or false"]),
    ("{ bodies: { stripHeaders: ['a b'] } }", "bodies.stripHeaders[0]", ["a b"]),
    ("{ rules: { default: 'maybe' } }", "rules.default", ["maybe", "intercept", "bypass", "reject"]),
    ("{ rules: { hosts: [{ host: 'a.*.test', action: 'intercept' }] } }", "rules.hosts[0].host", ["a.*.test"]),
    ("{ rules: { hosts: [{ action: 'intercept' }] } }", "rules.hosts[0]", ["`host` is missing"]),
    ("{ rules: { hosts: [{ host: 'a.test', trust: 'nobody' }] } }", "rules.hosts[0].trust", ["nobody"]),
    ("{ rules: { hosts: [{ host: 'a.test', identity: 'nobody' }] } }", "rules.hosts[0].identity", ["nobody"]),
    ("{ rules: { hosts: [{ host: 'a.test' }, { host: 'A.Test.' }] } }", "rules.hosts[1]", ["given twice"]),
    (
      "{ rules: { hosts: [{ host: 'a.test', allowAddresses: ['10.0.0.0/33'] }] } }", "rules.hosts[0].allowAddresses[0]",
      ["10.0.0.0/33"]
    ),
    ("{ rules: { whitelist: ['a.test'] } }", "rules.whitelist[0]", ["a.test", "https://"]),
    ("{ listeners: [{ address: '127.0.0.1:99999' }] }", "listeners[0].address", ["127.0.0.1:99999"]),
    ("{ listeners: [{}] }", "listeners[0]", ["`address` is missing"]),
    ("{ listeners: [] }", "listeners", ["listener"]),
    ("{ listeners: [{ address: '[::1]:1', mode: 'reverse' }] }", "listeners[0]", ["origin"]),
    ("{ listeners: [{ address: '[::1]:1', origin: 'https://a.test' }] }", "listeners[0].origin", ["reverse"]),
    ("{ listeners: [{ address: '[::1]:1', proxyProtocol: true }] }", "listeners[0].proxyProtocol", ["balancers"]),
    ("{ listeners: [{ address: '[::1]:1' }, { address: '[::1]:1' }] }", "listeners", ["two listeners"]),
    (
      "{ listeners: [{ address: '[::1]:1', mode: 'transparent', tls: { names: ['a.test'] } }] }", "listeners[0].tls",
      ["redirected"]
    ),
    ("{ listeners: [{ address: '[::1]:1', tls: { names: [] } }] }", "listeners[0].tls", ["at least one name"]),
    ("{ listeners: [{ address: '[::1]:1', socketMode: '0660' }] }", "listeners[0].socketMode", ["unix:PATH"]),
    ("{ listeners: [{ address: 'unix:p', socketMode: '0888' }] }", "listeners[0].socketMode", ["0888"]),
    ("{ console: { token: 'short' } }", "console.token", ["8"]),
    ("{ access: { clients: ['300.1.1.1/8'] } }", "access.clients[0]", ["300.1.1.1/8"]),
    ("{ access: { credentials: { htpasswd: 'none' } } }", "access.credentials.htpasswd", ["No such file"]),
    (
      "{ trust: { t: { pinning: 'certificate', certificates: ['missing.cer'] } } }", "trust.t.certificates[0]",
      ["missing.cer"]
    ),
    ("{ trust: { t: { pins: ['sha256/AAAA'] } } }", "trust.t.pins[0]", ["sha256/AAAA"]),
    ("{ trust: { t: { expires: 'soon' } } }", "trust.t.expires", ["2030-01-31"]),
    ("{ trust: { t: { expires: '2030-02-31' } } }", "trust.t.expires", ["2030-02-31"]),
    ("{ trust: { t: { reportURIs: ['x'] } } }", "trust.t.reportURIs[0]", ["URL"]),
    ("{ ats: { infoPlist: 'missing.plist' } }", "ats.infoPlist", ["missing.plist"]),
    ("{ ats: { mode: 'sometimes' } }", "ats.mode", ["enforce", "observe", "off"]),
    ("{ ats: { os: 'x' } }", "ats.os", ["18.4"]),
    ("{ authority: { certificate: 'root.pem' } }", "authority", ["belong together"]),
    ("{ authority: { leafKey: 'P-521' } }", "authority.leafKey", ["P-256", "RSA-2048"]),
    ("{ authority: { leafLifetime: '900d' } }", "authority.leafLifetime", ["out of range"]),
    (
      "{ upstream: { resolve: { 'a.test:1': '127.0.0.1:1', 'A.test:1': '127.0.0.1:1' } } }",
      "upstream.resolve[\"A.test:1\"]",
      ["given twice"]
    ),
    ("{ upstream: { anchors: 'other.key' } }", "upstream.anchors", ["other.key"]),
    ("{ log: { level: 'loud' } }", "log.level", ["warning"]),
    ("{ lanes: { 'iphone 7': { users: [7] } } }", "lanes[\"iphone 7\"].users[0]", ["text in quotes"]),
    ("{ lanes: { x: { listeners: ['[::1]:9'] } } }", "lanes.x.listeners", ["[::1]:9"]),
  ])
  func `mistakes are errors with their key path`(_ text: String, _ path: String, _ words: [String]) {
    let result = load(text)
    #expect(result.configuration == nil)
    #expect(result.findings(.error).map(\.keyPath) == [path], "\(result.said(.error))")
    for word in words { #expect(result.said(.error).contains(word), "\(result.said(.error))") }
    #expect(result.findings(.error).allSatisfy { $0.file == "test.json5" && $0.line == 1 && $0.column != nil })
  }

  @Test func `all mistakes are reported with their places`() {
    let result = load("{ limits: { head: 1 },\n  log: { level: 'x', formt: 'json' },\n  limits: {} }")
    #expect(
      result.findings(.error).map(\.text).map { String($0.prefix(while: { $0 != "`" })) } == [
        "test.json5:1:19: error: limits.head: ", "test.json5:2:17: error: log.level: ",
        "test.json5:2:22: error: log.formt: unknown key ", "test.json5:3:3: error: limits: the key ",
      ])
  }

  @Test func `a finding can be written as text and as JSON`() throws {
    let result = load("{ upstrem: {}, x: 1 }")
    let finding = try #require(result.findings.first)
    #expect(finding.text == "test.json5:1:3: error: upstrem: unknown key `upstrem`; did you mean `upstream`?")
    #expect(result.rejection == finding.text + " (and 1 more)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let json = String(decoding: try encoder.encode(finding), as: UTF8.self)
    #expect(
      json.hasPrefix(
        #"{"column":3,"file":"test.json5","keyPath":"upstrem","level":"error","line":1,"message":"unknown"#))
  }

  @Test func `findings are bounded`() {
    let result = load("{ " + (0..<2000).map { "k\($0): 1" }.joined(separator: ", ") + " }")
    #expect(result.findings.count == 501)
    #expect(result.findings.last?.message == "1500 more findings are left out")
  }

  @Test(arguments: [
    ("headTimeot", "headTimeout"), ("upstrem", "upstream"), ("HEADTIMEOUT", "headTimeout"), ("acces", "access"),
    ("lgo", "log"), ("connection", "connections"),
  ])
  func `the nearest key is found`(_ word: String, _ expected: String) {
    let keys = ["headTimeout", "upstream", "access", "log", "connections", "drain"]
    #expect(NearestKey.find(word, among: keys) == expected)
    #expect(NearestKey.find("pineapple", among: keys) == nil)
    #expect(NearestKey.find(String(repeating: "x", count: 100_000), among: keys) == nil)
  }

  @Test func `quantities have units`() {
    #expect(Quantity.parse("64KiB", units: Quantity.sizes) == 65_536)
    #expect(Quantity.parse("2 MB", units: Quantity.sizes) == 2_000_000)
    #expect(Quantity.parse("7d", units: Quantity.durations) == 604_800_000)
    for text in ["", "s", "1", "-1s", "1.5s", "1  s", "1s ", "٣s", "9223372036854775807d"] {
      #expect(Quantity.parse(text, units: Quantity.durations) == nil, "\(text)")
    }
  }
}
