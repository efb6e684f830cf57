import Policy
import Testing

@testable import Configuration

@Suite struct PendingKeysTests {
  @Test(arguments: [
    ("{ onboarding: { address: '127.0.0.1:9' } }", "onboarding.address")
  ])
  func `a key that only gives a view is noted`(_ text: String, _ path: String) {
    let result = load(text)
    #expect(result.configuration != nil, "\(result.said(.error))")
    #expect(result.findings.map(\.keyPath) == [path] && result.findings.map(\.level) == [.note])
  }

  @Test(arguments: [
    ("{ bodies: { hook: { hosts: ['a.test'] } } }", "bodies.hook.hosts")
  ])
  func `a key that would change a decision is an error`(_ text: String, _ path: String) {
    let result = load(text)
    #expect(result.configuration == nil)
    #expect(result.findings(.error).map(\.keyPath) == [path], "\(result.said(.error))")
  }
}
