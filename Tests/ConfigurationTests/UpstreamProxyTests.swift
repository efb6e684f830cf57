import Names
import Policy
import Testing

@testable import Configuration

/// `upstream.proxy`, `noProxy` and `resolve`, and the proxies of rules and lanes.
@Suite struct UpstreamProxyTests {
  private static let secret = ["HOME": "/home/tester", "SECRET": "s:e c"]

  private func configuration(_ text: String) throws -> Configuration {
    let result = load(text, environment: Self.secret)
    return try #require(result.configuration, "\(result.said(.error))")
  }

  @Test(arguments: [
    ("'http://corp:3128'", "http://corp:3128", nil, nil), ("'HTTPS://Corp.Test'", "https://corp.test:443", nil, nil),
    ("'http://corp/'", "http://corp:80", nil, nil), ("'socks5h://[::1]'", "socks5://[::1]:1080", nil, nil),
    ("'socks5://u:p@corp:1'", "socks5://corp:1", "u", "p"),
    ("'http://user:pa%20s%40s@b\u{FC}cher.test:1'", "http://xn--bcher-kva.test:1", "user", "pa s@s"),
    ("'http://u@corp'", "http://corp:80", "u", nil),
    ("{ url: 'https://corp', user: 'u', password: { env: 'SECRET' } }", "https://corp:443", "u", "s:e c"),
  ])
  func `proxies are read`(_ text: String, _ shown: String, _ user: String?, _ password: String?) throws {
    let proxy = try #require(try configuration("{ upstream: { proxy: \(text) } }").upstream.proxy)
    #expect("\(proxy)" == shown && proxy.user == user && proxy.password == password)
    let dumped = "\(proxy) \(String(reflecting: proxy))"
    #expect(password.map { dumped.contains($0) && $0.count > 1 } != true)
  }

  @Test func `a password in the URL works, with a warning`() {
    let said = load("{ upstream: { proxy: 'http://u:hidden@corp' } }").said(.warning)
    #expect(said.contains("upstream.proxy") && !said.contains("hidden"))
  }

  @Test(arguments: [
    ("'corp:3128'", ""), ("'ftp://corp'", ""), ("'http://'", ""), ("'http://corp:0'", ""), ("'http://corp/path'", ""),
    ("'http://u:%FF@corp'", ""), ("{ user: 'u' }", ""), ("{ url: 'http://corp', password: 'inline' }", ".password"),
    ("{ url: 'http://corp', password: { env: 'SECRET' } }", ""), ("'socks5://u@corp'", ""),
    ("{ url: 'http://corp', user: 'a:b', password: { env: 'SECRET' } }", ""),
  ])
  func `what is no proxy is an error, without its password`(_ text: String, _ key: String) {
    let result = load("{ upstream: { proxy: \(text) } }", environment: Self.secret)
    #expect(result.findings(.error).map(\.keyPath) == ["upstream.proxy\(key)"], "\(result.said(.error))")
    #expect(!result.said(.error).contains("inline") && !result.said(.error).contains("%FF@"))
  }

  private func route(_ configuration: Configuration, _ target: String, lane: String = "default", at: String? = nil)
    throws
    -> String
  {
    let target = try HostPort(authority: target, defaultPort: 443)
    let lane = try #require(configuration.lanes[lane])
    return switch configuration.route(to: target, lane: lane, address: at.flatMap { IPAddress($0) }) {
    case .direct: "direct"
    case .mapped(let place): "\(place)"
    case .through(let proxy): "\(proxy)"
    }
  }

  @Test func `what names the way to an origin`() throws {
    let configuration = try configuration(
      """
      { upstream: { proxy: 'http://general:1', noProxy: ['**.inside.test', 'x.test:8443', '10.0.0.0/8', 'rule.test'],
          resolve: { 'a.test:443': '127.0.0.1:9', '*.wild.test': '[::1]', 'port.test': 'b.test:7', 'both.inside.test:1': '::1' } },
        rules: { hosts: [{ host: 'rule.test', proxy: 'socks5://rule:2' }, { host: 'plain.test', proxy: 'direct' },
          { host: 'other.test', http2: false }, { host: 'a.test', proxy: 'http://never:3' }] },
        lanes: { lab: { clients: ['10.0.0.1'], proxy: 'https://lab:4' }, bare: { clients: ['10.0.0.2'], proxy: 'direct' },
          own: { clients: ['10.0.0.3'], rules: { hosts: [{ host: '*', proxy: 'http://own:5' }] } } } }
      """)
    for (target, way) in [
      ("b.test", "http://general:1"), ("inside.test", "direct"), ("x.inside.test:9", "direct"),
      ("x.test", "http://general:1"), ("x.test:8443", "direct"), ("10.1.2.3", "direct"),
      ("11.1.2.3", "http://general:1"),
      ("rule.test", "socks5://rule:2"), ("plain.test", "direct"), ("other.test", "http://general:1"),
      ("a.test", "127.0.0.1:9"), ("a.test:444", "http://never:3"), ("x.wild.test:81", "[::1]:81"),
      ("x.y.wild.test", "http://general:1"), ("port.test:99", "b.test:7"), ("both.inside.test:1", "[::1]:1"),
    ] {
      #expect(try route(configuration, target) == way, "\(target)")
    }
    #expect(try route(configuration, "b.test", at: "10.9.9.9") == "direct")
    #expect(try route(configuration, "b.test", lane: "lab") == "https://lab:4")
    #expect(try route(configuration, "inside.test", lane: "lab") == "direct")
    #expect(try route(configuration, "rule.test", lane: "lab") == "socks5://rule:2")
    #expect(try route(configuration, "b.test", lane: "bare") == "direct")
    #expect(try route(configuration, "inside.test", lane: "own") == "http://own:5")
  }

  @Test(arguments: [
    ("resolve: { 'a.*.test': '127.0.0.1' }", "upstream.resolve[\"a.*.test\"]"),
    ("resolve: { 'a.test': '127.0.0.1:0' }", "upstream.resolve[\"a.test\"]"),
    ("resolve: { 'a.test': 'b c' }", "upstream.resolve[\"a.test\"]"),
    ("resolve: { '*.a.test': '::1', '*.A.test': '::1' }", "upstream.resolve[\"*.A.test\"]"),
    ("noProxy: ['10.0.0.0/33']", "upstream.noProxy[0]"), ("noProxy: 'a.test'", "upstream.noProxy"),
  ])
  func `mistakes about the way are errors`(_ text: String, _ path: String) {
    let result = load("{ upstream: { \(text) } }")
    #expect(result.findings(.error).map(\.keyPath) == [path], "\(result.said(.error))")
  }
}
