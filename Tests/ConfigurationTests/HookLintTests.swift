import Names
import Policy
import Testing

@testable import Configuration

@Suite struct HookLintTests {
  @Test func `hosts and limit are read`() throws {
    let result = load("{ bodies: { hook: { hosts: ['**.A.test', 'b.test:8443'], limit: '1MiB' } } }")
    let hook = try #require(result.configuration?.bodies.hook, "\(result.said(.error))")
    #expect(hook.hosts.map(\.text) == ["**.A.test", "b.test:8443"] && hook.limit == 1 << 20)
    #expect(result.findings.isEmpty, "\(result.findings.map(\.text))")
  }

  @Test(
    arguments: [
      (
        "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }", .warning, "bodies.hook.hosts[0]", "passed on unseen"
      ),
      ("rules: { hosts: [{ host: '**.test', action: 'reject' }] }", .warning, "bodies.hook.hosts[0]", "refused"),
      ("rules: { whitelist: ['https://a.test'] }", .warning, "bodies.hook.hosts[0]", "whitelist"),
      ("limits: { head: '8KiB' }", .warning, "limits.head", "64KiB"),
    ] as [(String, Finding.Level, String, String)])
  func `what keeps bodies from being restored is named`(
    _ more: String, _ level: Finding.Level, _ path: String, _ words: String
  ) {
    let result = load("{ bodies: { hook: { hosts: ['a.test'] } }, \(more) }")
    #expect(result.configuration != nil, "\(result.said(.error))")
    let found = result.findings.contains { $0.level == level && $0.keyPath == path && $0.message.contains(words) }
    #expect(found, "\(result.findings.map(\.text))")
  }

  @Test func `a host that stands there twice is noted`() {
    let result = load("{ bodies: { hook: { hosts: ['a.test', 'A.test.'] } } }")
    #expect(result.findings.map(\.keyPath) == ["bodies.hook.hosts[1]"] && result.findings.map(\.level) == [.note])
  }
}
