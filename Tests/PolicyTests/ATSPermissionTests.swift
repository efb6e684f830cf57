import Names
import Testing

@testable import Policy

@Suite struct ATSPermissionTests {
  private func policy(_ dictionary: [String: PropertyValue], os: OSVersion = OSVersion(major: 18, minor: 4))
    -> ATSPolicy
  {
    ATSPolicy(dictionary: .dictionary(dictionary), os: os)
  }

  private func load(
    _ host: String, context: Context = .app, version: TLSVersion? = nil, suite: String? = nil
  ) throws -> ATSLoad {
    ATSLoad(
      host: try Host(host), context: context, isSecure: version != nil, version: version, cipherSuite: suite)
  }

  private static let domains: PropertyValue = .dictionary([
    "a.test": .dictionary([ATSKey.insecureHTTP: .boolean(true), ATSKey.subdomains: .boolean(true)]),
    "old.test": .dictionary([
      ATSKey.minimumTLS: .string("TLSv1.0"), ATSKey.forwardSecrecy: .boolean(false),
    ]),
    "strict.test": .dictionary([ATSKey.minimumTLS: .string("TLSv1.3")]),
    "*.c.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
  ])

  @Test func `a violation is permitted by the part that decides`() throws {
    let policy = policy([ATSKey.exceptionDomains: Self.domains, ATSKey.webContent: .boolean(true)])
    func permissions(_ violation: String, _ load: ATSLoad) -> [ATSPermission] {
      policy.permissions(for: violation, of: load)
    }
    let http = ATSPermission(ATSKey.insecureHTTP, in: "a.test")
    #expect(permissions("cleartext", try load("a.test")) == [http])
    #expect(permissions("cleartext", try load("b.a.test")) == [http, ATSPermission(ATSKey.subdomains, in: "a.test")])
    #expect(permissions("cleartext", try load("b.test", context: .web)) == [ATSPermission(ATSKey.webContent)])
    #expect(permissions("cleartext", try load("b.test")).isEmpty)
    #expect(permissions("cleartext", try load("strict.test", context: .web)).isEmpty, "an entry counts alone")
    let old = try load("old.test", version: .v10, suite: "AES128-SHA")
    #expect(permissions("minimum-tls", old) == [ATSPermission(ATSKey.minimumTLS, in: "old.test")])
    #expect(permissions("forward-secrecy", old) == [ATSPermission(ATSKey.forwardSecrecy, in: "old.test")])
    #expect(permissions("cipher-suite", old).isEmpty && permissions("trust", old).isEmpty)
  }

  @Test func `what was negotiated is judged`() throws {
    let full = policy([:])
    #expect(full.violations(of: try load("a.test")) == ["cleartext"])
    #expect(full.violations(of: try load("printer.local")) == [])
    #expect(full.violations(of: try load("a.test", version: .v13, suite: "TLS_AES_128_GCM_SHA256")) == [])
    #expect(
      full.violations(of: try load("a.test", version: .v11, suite: "AES128-SHA")) == ["minimum-tls", "forward-secrecy"])
    #expect(full.violations(of: try load("a.test", version: .v12, suite: "DHE-RSA-AES128-SHA")) == ["cipher-suite"])
  }

  @Test func `every permission and every key to justify is listed`() {
    let policy = policy([
      ATSKey.arbitraryLoads: .boolean(true), ATSKey.localNetworking: .boolean(false),
      ATSKey.exceptionDomains: Self.domains,
    ])
    #expect(
      policy.permissions.map { "\($0.scope ?? "-") \($0.key)" } == [
        "- NSAllowsArbitraryLoads", "*.c.test NSExceptionAllowsInsecureHTTPLoads",
        "a.test NSExceptionAllowsInsecureHTTPLoads", "a.test NSIncludesSubdomains",
        "old.test NSExceptionMinimumTLSVersion", "old.test NSExceptionRequiresForwardSecrecy",
      ])
    #expect(
      policy.keysToJustify.map { "\($0.scope ?? "-") \($0.key)" } == [
        "- NSAllowsArbitraryLoads", "*.c.test NSExceptionAllowsInsecureHTTPLoads",
        "a.test NSExceptionAllowsInsecureHTTPLoads", "old.test NSExceptionMinimumTLSVersion",
      ])
    #expect(policy.objection(to: ATSPermission(ATSKey.arbitraryLoads))?.contains(ATSKey.localNetworking) == true)
    #expect(policy.objection(to: ATSPermission(ATSKey.insecureHTTP, in: "*.c.test"))?.contains("nothing") == true)
    #expect(policy.objection(to: ATSPermission(ATSKey.insecureHTTP, in: "a.test")) == nil)
    #expect(Array(policy.tightenedDomains.keys) == ["strict.test"])
  }

  @Test func `a weak version is to be justified where no system accepts it any more, and an old name where it is read`()
  {
    let entry: PropertyValue = .dictionary([
      "a.test": .dictionary([ATSKey.minimumTLS: .string("TLSv1.1")]),
      "b.test": .dictionary(["NSThirdPartyExceptionAllowsInsecureHTTPLoads": .boolean(true)]),
    ])
    func keys(_ os: OSVersion) -> [String] {
      policy([ATSKey.exceptionDomains: entry], os: os).keysToJustify.map(\.key)
    }
    #expect(keys(OSVersion(major: 26, minor: 0)) == [ATSKey.minimumTLS])
    #expect(keys(OSVersion(major: 16, minor: 0)) == [ATSKey.minimumTLS, ATSKey.insecureHTTP])
  }

  @Test func `needs add up to the entry that meets them`() throws {
    var needs = ATSNeeds()
    #expect(needs.isEmpty && needs.entry.isEmpty)
    needs.add(["minimum-tls"], of: try load("a.test", version: .v11))
    needs.add(["minimum-tls", "forward-secrecy"], of: try load("a.test", version: .v10))
    needs.add(["key-size"], of: try load("a.test", version: .v12))
    #expect(
      needs.entry == [ATSKey.minimumTLS: .string("TLSv1.0"), ATSKey.forwardSecrecy: .boolean(false)])
    #expect(needs.unmet == ["key-size"] && needs.keys == [ATSKey.minimumTLS, ATSKey.forwardSecrecy])
  }
}
