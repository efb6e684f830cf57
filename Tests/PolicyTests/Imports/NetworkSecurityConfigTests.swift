import Names
import Policy
import Testing

private typealias I = ImportSamples
private typealias S = Samples
private typealias Config = NetworkSecurityConfig

/// Spec D.4, and rows 141 to 146 of H.4.
struct NetworkSecurityConfigTests {
  private static func domain(
    _ name: String, _ settings: Config.Settings = Config.Settings(), subdomains: Bool = false,
    nested: [Config.DomainConfig] = []
  ) -> Config.DomainConfig {
    Config.DomainConfig([Config.Domain(name, includesSubdomains: subdomains)], settings, nested: nested)
  }

  private func judge(_ config: Config, host: String = "a.example.com", anchor: AnchorOrigin = .system) throws
    -> TrustVerdict
  {
    var facts = S.facts()
    facts.anchorOrigin = anchor
    let imports = [I.policy(.networkSecurityConfig, .networkSecurity(config))]
    return try I.requirements(imports, host: host).judge(facts)
  }

  private func permitsCleartext(_ config: Config, _ host: String) throws -> Bool {
    config.effective(for: try Host(host)).permitsCleartext
  }

  private static let wrong = Config.Pins([I.other])
  private static let system = TrustAnchorSource(.system)
  private static let user = TrustAnchorSource(.user)

  @Test func theMostSpecificDomainHolds() throws {
    let config = Config(
      domains: [
        Self.domain("example.com", Config.Settings(permitsCleartext: true), subdomains: true),
        Self.domain("a.example.com", Config.Settings(permitsCleartext: false)),
        Self.domain("b.example.com", Config.Settings(permitsCleartext: false), subdomains: true),
      ], targetSDK: 34)
    for (host, permits) in [
      ("example.com", true), ("x.y.example.com", true), ("a.example.com", false), ("A.Example.com.", false),
      ("x.a.example.com", true), ("x.b.example.com", false), ("notexample.com", false), ("other.test", false),
    ] {
      #expect(try permitsCleartext(config, host) == permits, "\(host)")
    }
  }

  @Test func whatIsNotSaidIsInherited() throws {
    let pins = Config.Pins([I.leaf])
    let config = Config(
      base: Config.Settings(permitsCleartext: true, anchors: [Self.system, Self.user]),
      domains: [
        Self.domain(
          "example.com", Config.Settings(permitsCleartext: false, pins: pins), subdomains: true,
          nested: [
            Self.domain(
              "a.example.com", Config.Settings(anchors: [Self.user]),
              nested: [Self.domain("x.a.example.com", Config.Settings(permitsCleartext: true, pins: Config.Pins([])))])
          ])
      ], targetSDK: 34)
    let inner = config.effective(for: try Host("a.example.com"))
    #expect(!inner.permitsCleartext && inner.anchors == [Self.user] && inner.pins == pins)
    let innermost = config.effective(for: try Host("x.a.example.com"))
    #expect(innermost.permitsCleartext && innermost.anchors == [Self.user] && innermost.pins == Config.Pins([]))
    let outer = config.effective(for: try Host("y.example.com"))
    #expect(!outer.permitsCleartext && outer.anchors == [Self.system, Self.user] && outer.pins == pins)
    #expect(try permitsCleartext(config, "b.test"))
  }

  @Test func onlyNamedHostsAreLimited() throws {
    let policy = I.policy(
      .networkSecurityConfig, .networkSecurity(Config(domains: [Self.domain("a.test")], targetSDK: 34)))
    #expect(policy.demand(host: try Host("b.test"), port: 443) == nil)
    #expect(
      policy.demand(host: try Host("a.test"), port: 443)
        == ImportDemand(
          source: I.source(.networkSecurityConfig), entry: "a.test", keys: .none, anchors: [Self.system]))
    let withBase = I.policy(
      .networkSecurityConfig, .networkSecurity(Config(base: Config.Settings(), targetSDK: 23)))
    #expect(
      withBase.demand(host: try Host("b.test"), port: 443)
        == ImportDemand(
          source: I.source(.networkSecurityConfig), entry: "base-config", includesSubdomains: true, keys: .none,
          anchors: [Self.system, Self.user]))
  }

  @Test func row141ExpiredPinsAreNotLookedAt() throws {
    func config(_ expires: Int64) -> Config {
      Config(
        domains: [Self.domain("a.example.com", Config.Settings(pins: Config.Pins([I.other], expires: expires)))],
        targetSDK: 34)
    }
    #expect(try judge(config(S.now - S.day)).isAccepted)
    #expect(try !judge(config(S.now)).isAccepted)
    #expect(try !judge(config(S.now + S.day)).isAccepted)
  }

  @Test func row142TheDefaultForPlainHTTP() throws {
    #expect(try permitsCleartext(Config(targetSDK: 27), "example.com"))
    #expect(try !permitsCleartext(Config(targetSDK: 28), "example.com"))
  }

  @Test func row143TheDefaultForInstalledRoots() throws {
    func verdict(_ targetSDK: Int, _ anchor: AnchorOrigin) throws -> Bool {
      try judge(Config(base: Config.Settings(), targetSDK: targetSDK), anchor: anchor).isAccepted
    }
    #expect(try verdict(23, .added) && !verdict(24, .added))
    #expect(try verdict(24, .system) && verdict(24, .configured))
  }

  @Test func row144ADomainWithoutSubdomainsLeavesThemToTheBase() throws {
    let config = Config(
      base: Config.Settings(permitsCleartext: false),
      domains: [Self.domain("a.example.com", Config.Settings(permitsCleartext: true))], targetSDK: 27)
    #expect(try !permitsCleartext(config, "x.a.example.com"))
    #expect(try permitsCleartext(config, "a.example.com"))
  }

  @Test func row145And146OverridesOfDebuggableApplications() throws {
    let domains = [Self.domain("a.example.com", Config.Settings(pins: Self.wrong))]
    let release = try judge(Config(domains: domains, targetSDK: 34), anchor: .added)
    #expect(release.refusal?.detail.contains("trust-anchors") == true)
    let debug = Config(
      domains: domains, debugAnchors: [TrustAnchorSource(.user, overridesPins: true)], targetSDK: 34)
    #expect(try judge(debug, anchor: .added).isAccepted)
    #expect(try !judge(debug, anchor: .system).isAccepted, "the pins hold for chains that end elsewhere")
    let own = Config(
      domains: [Self.domain("a.example.com", Config.Settings(anchors: [Self.system], pins: Self.wrong))],
      debugAnchors: [TrustAnchorSource(.user, overridesPins: true)], targetSDK: 34)
    #expect(try judge(own, anchor: .added).isAccepted, "they come in addition to anchors of the domain's own")
  }

  @Test func certificatesOfTheApplicationAreAnchors() throws {
    func verdict(_ certificate: CertificateFacts, overridesPins: Bool = false) throws -> TrustVerdict {
      let anchors = [TrustAnchorSource(.certificates([certificate.fingerprint]), overridesPins: overridesPins)]
      return try judge(
        Config(
          domains: [Self.domain("a.example.com", Config.Settings(anchors: anchors, pins: Config.Pins([I.leaf])))],
          targetSDK: 34))
    }
    #expect(try verdict(S.root).matchedPin == I.leaf.text)
    #expect(try verdict(S.intermediate).isAccepted)
    #expect(try !verdict(S.other).isAccepted)
    let overriding = try verdict(S.root, overridesPins: true)
    #expect(overriding.isAccepted && overriding.matchedPin == nil)
    let nothing = Config(domains: [Self.domain("a.example.com", Config.Settings(anchors: []))], targetSDK: 34)
    #expect(try !judge(nothing).isAccepted)
  }

  @Test func aMissingPinNamesTheFile() throws {
    let config = Config(
      domains: [Self.domain("example.com", Config.Settings(pins: Self.wrong), subdomains: true)], targetSDK: 34)
    let verdict = try judge(config, host: "x.y.example.com")
    #expect(verdict.refusal?.detail.contains("file: network-security-config (example.com)") == true)
    #expect(verdict.refusal?.error == .serverCertificateUntrusted && verdict.failures.isEmpty)
  }
}
