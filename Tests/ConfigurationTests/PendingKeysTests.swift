import Policy
import Testing

@testable import Configuration

@Suite struct PendingKeysTests {
  @Test(arguments: [
    ("{ console: { address: '127.0.0.1:9', token: 'acceptance-token' } }", "console"),
    ("{ store: { exchanges: 20 } }", "store.exchanges"),
    ("{ bodies: { capture: '16KiB' } }", "bodies.capture"),
    ("{ pictures: { hosts: ['a.test'] } }", "pictures.hosts"),
    ("{ onboarding: { address: '127.0.0.1:9' } }", "onboarding.address"),
    ("{ lanes: { a: { capture: 1 } } }", "lanes.a.capture"),
  ])
  func `a key that only gives a view is noted`(_ text: String, _ path: String) {
    let result = load(text)
    #expect(result.configuration != nil, "\(result.said(.error))")
    #expect(result.findings.map(\.keyPath) == [path] && result.findings.map(\.level) == [.note])
  }

  @Test(arguments: [
    ("{ ct: { logList: 'l.json' } }", "ct.logList"),
    ("{ upstream: { proxy: 'http://corp:3128' } }", "upstream.proxy"),
    ("{ rules: { hosts: [{ host: 'a.test', proxy: { url: 'http://corp:3128' } }] } }", "rules.hosts[0].proxy"),
    ("{ trust: { t: { requiresCertificateTransparency: true } } }", "trust.t.requiresCertificateTransparency"),
    ("{ trust: { t: { fetchIntermediates: true } } }", "trust.t.fetchIntermediates"),
    ("{ bodies: { hook: { hosts: ['a.test'] } } }", "bodies.hook.hosts"),
    ("{ listeners: [{ address: '127.0.0.1:1', tls: { names: ['proxy.test'] } }] }", "listeners[0].tls"),
    ("{ lanes: { a: { failOpen: true } } }", "lanes.a.failOpen"),
  ])
  func `a key that would change a decision is an error`(_ text: String, _ path: String) {
    let result = load(text)
    #expect(result.configuration == nil)
    #expect(result.findings(.error).map(\.keyPath) == [path], "\(result.said(.error))")
  }
}
