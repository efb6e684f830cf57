import Names
import Policy
import Testing

@testable import Configuration

@Suite struct LaneTests {
  @Test func `user beats client range, the longest first, and that beats the listener`() throws {
    let result = load(
      """
      { listeners: [{ address: '127.0.0.1:1', lane: 'door' }, { address: '127.0.0.1:2' }],
        lanes: { wide: { clients: ['10.0.0.0/8'] }, narrow: { clients: ['10.1.0.0/16', 'fd00::/8'] },
          person: { users: ['alice'] }, second: { listeners: ['127.0.0.1:2'] } } }
      """)
    let configuration = try #require(result.configuration, "\(result.said(.error))")
    func lane(_ client: String?, _ listener: String = "door", _ user: String? = nil) -> String {
      configuration.lane(client: client.flatMap { IPAddress($0) }, listenerLane: listener, user: user).name
    }
    #expect(lane("10.1.2.3", "door", "alice") == "person")
    #expect(lane("10.1.2.3", "door", "bob") == "narrow")
    #expect(lane("::ffff:10.2.2.3") == "wide")
    #expect(lane("fd00::1") == "narrow")
    #expect(lane("192.0.2.1") == "door")
    #expect(lane(nil, "nowhere") == "default")
    #expect(configuration.listeners.map(\.lane) == ["door", "second"])
    #expect(configuration.lanes.keys.sorted() == ["default", "door", "narrow", "person", "second", "wide"])
  }

  @Test func `what a lane does not set is inherited`() throws {
    let result = load(
      """
      { ats: { mode: 'observe', os: '17.0' }, bodies: { capture: '1KiB' }, trust: { t: {} },
        identities: { c: { certificate: 'client.pem', key: 'client.key' } },
        rules: { default: 'reject', hosts: [{ host: 'a.test', trust: 't', identity: 'c' }] },
        lanes: { same: { clients: ['10.0.0.0/8'] },
          own: { clients: ['10.0.0.1'], ats: { os: '26.0' }, rules: { hosts: [] }, identities: {}, context: 'web',
            capture: '2KiB' } } }
      """)
    let configuration = try #require(result.configuration, "\(result.said(.error))")
    let same = try #require(configuration.lanes["same"])
    #expect(same.policy.ats.mode == .observe && same.policy.ats.os == OSVersion("17.0"))
    #expect(same.policy.rules.defaultAction == .reject && same.identities.keys.sorted() == ["c"])
    #expect(same.captureByteCount == 1024 && same.context == nil)
    let own = try #require(configuration.lanes["own"])
    #expect(own.policy.ats.mode == .enforce && own.policy.ats.os == OSVersion("26.0"))
    #expect(own.policy.rules.defaultAction == .intercept && own.identities.isEmpty)
    #expect(own.captureByteCount == 2048 && own.context == .web && own.materials["t"] != nil)
  }

  @Test(arguments: [
    ("a: { users: ['u'] }, b: { users: ['u'] }", "lanes.b.users"),
    ("a: { clients: ['10.0.0.0/8'] }, b: { clients: ['10.0.0.0/8'] }", "lanes.b.clients"),
    ("a: { listeners: ['127.0.0.1:8080'] }, b: { listeners: ['127.0.0.1:8080'] }", "lanes.b.listeners"),
    ("a: { rules: { hosts: [{ host: 'a.test', trust: 'x' }] } }", "lanes.a.rules.hosts[0].trust"),
    ("a: { identities: {} }", "lanes.a.identities"),
    ("a: { ats: { mode: 'x' } }", "lanes.a.ats.mode"),
    ("a: { color: 1 }", "lanes.a.color"),
  ])
  func `lanes that contradict are errors`(_ lanes: String, _ path: String) {
    let result = load(
      """
      { identities: { c: { certificate: 'client.pem', key: 'client.key' } },
        rules: { hosts: [{ host: 'a.test', identity: 'c' }] }, lanes: { \(lanes) } }
      """)
    #expect(result.findings(.error).map(\.keyPath) == [path], "\(result.said(.error))")
  }

  @Test func `users without credentials select nothing`() {
    #expect(load("{ lanes: { a: { users: ['u'] } } }").said(.warning).contains("lanes.a.users"))
  }

  @Test func `a lane may fail open, where something is intercepted by default`() throws {
    let open = load("{ lanes: { a: { failOpen: true } } }")
    #expect(try #require(open.configuration).lanes["a"]?.failOpen == true && open.findings.isEmpty)
    #expect(open.configuration?.defaultLane.failOpen == false)
    let useless = load("{ rules: { default: 'bypass' }, lanes: { a: { failOpen: true } } }")
    #expect(useless.findings(.warning).map(\.keyPath) == ["lanes.a.failOpen"])
    let own = load(
      "{ rules: { default: 'bypass' }, lanes: { a: { failOpen: true, rules: { default: 'intercept' } } } }")
    #expect(own.findings(.warning).isEmpty)
  }
}
