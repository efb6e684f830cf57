import Foundation
import Names
import Policy
import TLS
import Testing

@testable import Configuration

@Suite struct LoadingTests {
  @Test func `an empty file gives the defaults of the contract`() throws {
    let result = load("{}")
    #expect(result.findings.isEmpty, "\(result.findings)")
    let configuration = try #require(result.configuration)
    #expect(configuration.listeners.map(\.address.description) == ["127.0.0.1:8080"])
    #expect(configuration.console?.address.description == "127.0.0.1:8081")
    #expect(configuration.access.clients.map(\.description) == ["127.0.0.0/8", "::1/128"])
    #expect(configuration.stateDirectory == "/home/tester/.local/state/pinwarden")
    #expect(configuration.authority.leafLifetime == .seconds(45 * 86_400))
    #expect(configuration.limits.connections == 10_000 && configuration.limits.head == 65_536)
    #expect(configuration.bodies.stripHeaders == ["key1", "imywebdxp"])
    #expect(configuration.lanes.keys.sorted() == ["default"])
    #expect(configuration.defaultLane.captureByteCount == 65_536)
    let facts = RequestFacts(scheme: .https, host: try Host("a.test"), port: 443, context: .app)
    #expect(configuration.defaultLane.policy.decide(facts, tracing: .off).action == .intercept)
  }

  /// Each default of the contract, written out.
  @Test func `null and defaults are accepted everywhere`() {
    let text = """
      { listeners: [{ address: '127.0.0.1:8080', mode: 'explicit', lane: 'default', context: 'auto', tls: null,
          proxyProtocol: false }],
        console: { address: '127.0.0.1:8081', token: null },
        access: { clients: ['127.0.0.0/8', '::1/128'], credentials: null }, stateDirectory: null,
        authority: { certificate: null, key: null, leafLifetime: '45d', leafKey: 'P-256' },
        ats: { mode: 'enforce', os: '18.4', infoPlist: null, dictionary: {}, builtInExceptions: false },
        ct: { logList: null, maxAge: '70d' },
        rules: { whitelist: [], emptyWhitelist: 'intercept', default: 'intercept', hosts: [] },
        trust: {}, imports: [], identities: {},
        upstream: { resolve: {}, anchors: null, proxy: null, noProxy: [], via: true, http2: true, connectTimeout: '10s',
          idleTimeout: '60s' },
        bodies: { receipts: true, capture: '64KiB', hook: { hosts: [], limit: '32MiB' },
          stripHeaders: ['Key1', 'IMYWebDXP'] },
        pictures: { hosts: [], extensions: ['png', 'jpg'], memory: '64MiB', disk: '512MiB', freshness: 'rfc9111',
          maxAge: '7d', prefetch: false },
        limits: { connections: 10000, head: '64KiB', headTimeout: '10s', requestTimeout: '60s', drain: '10s',
          keepAlive: '75s', tunnelIdle: '10m', webSocketIdle: '10m',
          http2: { streams: 128, resets: 200, settings: 100, pings: 100, emptyFrames: 1000, continuations: 8 } },
        store: { bytes: '256MiB', exchanges: 100000 }, onboarding: { address: null, ssid: null }, lanes: {},
        log: { format: 'auto', level: 'info' } }
      """
    #expect(load(text).findings.isEmpty, "\(load(text).findings)")
    let names = [
      "listeners", "console", "access", "stateDirectory", "authority", "ats", "ct", "rules", "trust", "imports",
      "identities", "upstream", "bodies", "pictures", "limits", "store", "onboarding", "lanes", "log",
    ]
    let nulls = load("{ \(names.map { "\($0): null" }.joined(separator: ", ")) }")
    #expect(nulls.findings.isEmpty, "\(nulls.findings)")
    #expect(nulls.configuration?.console == nil && nulls.configuration?.store == nil)
  }

  @Test func `values are read`() throws {
    let result = load(
      """
      { listeners: [{ address: '0.0.0.0:1', lane: 'lab', context: 'web', proxyProtocol: ['10.0.0.0/8'] },
          { address: 'unix:p.sock', mode: 'reverse', origin: 'https://a.test' }, { address: 'systemd:web', mode: 'socks5' },
          { address: '[::]:2', mode: 'transparent' }],
        upstream: { resolve: { 'A.test:443': '127.0.0.1:9443', '[::1]:80': 'b.test:81' }, anchors: 'root.pem', via: false,
          connectTimeout: '250ms', noProxy: ['**.a.test', '10.0.0.0/8'] },
        rules: { whitelist: ['https://a.test'], emptyWhitelist: 'bypass', default: 'reject',
          hosts: [{ host: '**.b.test', action: 'bypass', http2: false, onTrustFailure: 'refuse' }] },
        limits: { connections: 0x10, drain: '0s' }, stateDirectory: 'state' }
      """)
    let configuration = try #require(result.configuration, "\(result.said(.error))")
    #expect(
      configuration.listeners.map(\.mode) == [
        .explicit, .reverse(try WebOrigin("https://a.test")), .socks5, .transparent,
      ])
    #expect(configuration.listeners[1].address == .unix(Fixtures.folder + "/p.sock"))
    #expect(configuration.listeners[0].context == .web && configuration.listeners[0].proxyProtocol?.count == 1)
    #expect(
      configuration.upstream.resolve[try HostPort(authority: "a.test:443", defaultPort: nil)]?.description
        == "127.0.0.1:9443")
    #expect(configuration.upstream.anchors?.count == 1 && configuration.upstream.via == false)
    #expect(configuration.upstream.connectTimeout == .milliseconds(250))
    #expect(configuration.limits.connections == 16 && configuration.limits.drain == .zero)
    #expect(configuration.stateDirectory == Fixtures.folder + "/state")
    #expect(configuration.lanes.keys.sorted() == ["default", "lab"])
    let rules = configuration.defaultLane.policy.rules
    #expect(rules.defaultAction == .reject && rules.emptyWhitelist == .bypass && rules.whitelist.count == 1)
    #expect(rules.hosts.first?.http2 == false && rules.hosts.first?.onTrustFailure == .refuse)
  }

  @Test func `the file is found, named and read relative to itself`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.json5").path
    try "{ upstream: { anchors: 'r.pem' } }".write(toFile: file, atomically: true, encoding: .utf8)
    let environment = ["STATE_DIRECTORY": "/var/lib/pinwarden:/other"]
    #expect(
      ConfigurationLoader.load(file: file, environment: environment).findings.first?.message.contains("r.pem") == true)
    try FileManager.default.copyItem(atPath: Fixtures.folder + "/root.pem", toPath: folder.path + "/r.pem")
    let result = ConfigurationLoader.load(file: file, environment: environment)
    #expect(result.configuration?.upstream.anchors?.count == 1)
    #expect(result.configuration?.stateDirectory == "/var/lib/pinwarden")
    let missing = ConfigurationLoader.load(file: folder.path + "/none.json5", environment: environment)
    #expect(missing.configuration == nil && missing.findings.first?.text.contains("none.json5") == true)
    #expect(ConfigurationLoader.load(file: folder.path, environment: environment).hasErrors)
  }

  @Test func `the command line has its say`() throws {
    let result = load(
      "{ listeners: [{ address: '127.0.0.1:1' }, { address: '127.0.0.1:2' }], ats: { os: '17.0' }, lanes: { x: { ats: {} } } }",
      overrides: CommandLineOverrides(
        listen: "127.0.0.1:0", allow: ["192.168.0.0/16"], console: "off", stateDirectory: "here", os: "26.0"))
    let configuration = try #require(result.configuration)
    #expect(configuration.listeners.map(\.address.description) == ["127.0.0.1:0"])
    #expect(configuration.access.clients.count == 3 && configuration.console == nil)
    #expect(configuration.stateDirectory == "here")
    #expect(configuration.lanes.values.allSatisfy { $0.policy.ats.os == OSVersion("26.0") })
    let bad = load(
      "{}", overrides: CommandLineOverrides(listen: "x", allow: ["y"], console: "z", stateDirectory: "", os: "w"))
    #expect(bad.findings(.error).map(\.keyPath) == ["--os", "--listen", "--allow", "--console", "--state-directory"])
  }

  @Test func `the state directory comes from the environment`() {
    #expect(StateDirectory.standard(["XDG_STATE_HOME": "/x", "HOME": "/h"]) == "/x/pinwarden")
    #expect(StateDirectory.standard(["XDG_STATE_HOME": "x", "HOME": "/h"]) == "/h/.local/state/pinwarden")
    #expect(StateDirectory.standard(["STATE_DIRECTORY": "", "HOME": "/h"]) == "/h/.local/state/pinwarden")
    #expect(load("{}", environment: [:]).findings(.error).map(\.keyPath) == ["stateDirectory"])
  }

  @Test func `a large configuration is loaded`() throws {
    let resolve = (0..<12_000).map { "'h\($0).test:443': '127.0.0.1:\($0 + 1)'" }.joined(separator: ",\n")
    let hosts = (0..<1000).map { "{ host: '**.r\($0).test', action: 'bypass' }" }.joined(separator: ",\n")
    let result = load("{ upstream: { resolve: { \(resolve) } }, rules: { hosts: [\(hosts)] } }")
    #expect(result.configuration?.upstream.resolve.count == 12_000)
    #expect(result.configuration?.defaultLane.policy.rules.hosts.count == 1000)
  }

  @Test func `mutated configurations neither crash nor hang`() {
    let seed = Array(
      """
      { listeners: [{ address: '127.0.0.1:0', mode: 'reverse', origin: 'https://a.test', proxyProtocol: ['::/0'] }],
        trust: { t: { pinning: 'publicKey', certificates: ['client.pem'], expires: '2030-01-01', pins: [] } },
        identities: { c: { certificate: 'client.pem', key: 'client.key', passphrase: { env: 'X' } } },
        rules: { hosts: [{ host: '**.a.test:1', trust: 't', identity: ['c'] }], whitelist: ['https://[::1]:8'] },
        ats: { dictionary: { NSExceptionDomains: { 'x.test': { NSIncludesSubdomains: true } } }, os: '17.1' },
        lanes: { l: { clients: ['10.0.0.0/8'], ats: { mode: 'off' } } }, limits: { head: '1KiB', drain: '5m' } }
      """.utf8)
    var random = SeededGenerator(seed: 99)
    for _ in 0..<400 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      let result = load(String(decoding: bytes, as: UTF8.self))
      #expect(result.hasErrors == result.findings.contains { $0.level == .error })
    }
  }
}
