import Bytes
import Diagnosis
import Names
import Policy
import Records
import Testing

@Suite struct ReviewTests {
  private static let leaf = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  private static let authority = "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

  private static func plain(
    _ host: String, _ context: Context = .app, _ outcome: RecordedLoad.Outcome = .passed
  ) throws -> RecordedLoad {
    RecordedLoad(load: ATSLoad(host: try Host(host), context: context, isSecure: false), outcome: outcome)
  }

  private static func secure(
    _ host: String, _ version: TLSVersion? = .v13, _ suite: String? = "TLS_AES_128_GCM_SHA256",
    _ outcome: RecordedLoad.Outcome = .passed, violations: [String] = [], wasJudged: Bool = true
  ) throws -> RecordedLoad {
    RecordedLoad(
      load: ATSLoad(host: try Host(host), context: .app, isSecure: true, version: version, cipherSuite: suite),
      outcome: outcome, violations: violations, wasJudged: wasJudged)
  }

  private static func traffic(_ loads: [RecordedLoad], pins: [String: [String]] = [:]) -> RecordedTraffic {
    var traffic = RecordedTraffic()
    for (number, load) in loads.enumerated() {
      traffic.add(load, at: "2026-03-0\(number % 9 + 1)T00:00:00.000Z", pins: pins[load.load.host.text] ?? [])
    }
    return traffic
  }

  private static func http(_ host: String) -> PropertyValue {
    .dictionary([host: .dictionary([ATSKey.insecureHTTP: .boolean(true)])])
  }

  private func review(
    _ dictionary: [String: PropertyValue], _ traffic: RecordedTraffic?, own: [String] = [],
    refused: Review.Refused = .leftOut, os: OSVersion = OSVersion(major: 18, minor: 4)
  ) -> Review {
    Review(
      policy: ATSPolicy(dictionary: .dictionary(dictionary), os: os), traffic: traffic,
      own: OwnHosts(own.compactMap { try? Host($0) }), refused: refused)
  }

  private static let exceptions: [String: PropertyValue] = [
    ATSKey.webContent: .boolean(true),
    ATSKey.exceptionDomains: .dictionary([
      "used.test": .dictionary([ATSKey.insecureHTTP: .boolean(true), ATSKey.forwardSecrecy: .boolean(false)]),
      "wide.test": .dictionary([ATSKey.insecureHTTP: .boolean(true), ATSKey.subdomains: .boolean(true)]),
      "old.test": .dictionary([ATSKey.minimumTLS: .string("TLSv1.0")]),
      "unused.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
    ]),
  ]

  @Test func `traffic tells what is used, and the smallest dictionary has nothing else`() throws {
    let traffic = Self.traffic([
      try Self.plain("used.test"), try Self.plain("x.wide.test"),
      try Self.secure("old.test", .v11, "ECDHE-RSA-AES128-SHA"),
      try Self.secure("good.test"), try Self.plain("page.test", .web), try Self.plain("printer.local"),
    ])
    let review = review(Self.exceptions, traffic)
    #expect(
      review.unused == [
        ATSPermission(ATSKey.insecureHTTP, in: "unused.test"), ATSPermission(ATSKey.forwardSecrecy, in: "used.test"),
      ])
    #expect(
      review.smallest
        == .dictionary([
          ATSKey.exceptionDomains: .dictionary([
            "used.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
            "x.wide.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
            "page.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
            "old.test": .dictionary([ATSKey.minimumTLS: .string("TLSv1.1")]),
          ])
        ]))
    #expect(
      review.hosts.map { "\($0.host) \($0.verdict) \($0.needs.map { $0.permission?.key ?? "-" })" } == [
        "good.test default []", "old.test exception [\"NSExceptionMinimumTLSVersion\"]",
        "page.test exception [\"NSAllowsArbitraryLoadsInWebContent\"]", "printer.local default []",
        "used.test exception [\"NSExceptionAllowsInsecureHTTPLoads\"]",
        "x.wide.test exception [\"NSExceptionAllowsInsecureHTTPLoads\", \"NSIncludesSubdomains\"]",
      ])
  }

  @Test func `the smallest dictionary lets everything pass that it was made for`() throws {
    let loads = try [
      Self.plain("a.test"), Self.plain("b.a.test", .media), Self.secure("c.test", .v10, "AES128-SHA"),
      Self.secure("c.test"), Self.plain("192.0.2.1"), Self.secure("d.test", .v12, "AES256-GCM-SHA384"),
    ]
    let dictionary: [String: PropertyValue] = [
      ATSKey.arbitraryLoads: .boolean(true),
      ATSKey.exceptionDomains: .dictionary(["c.test": .dictionary([ATSKey.minimumTLS: .string("TLSv1.3")])]),
    ]
    let smallest = try #require(review(dictionary, Self.traffic(loads)).smallest)
    let policy = ATSPolicy(dictionary: smallest, os: OSVersion(major: 18, minor: 4))
    for load in loads { #expect(policy.violations(of: load.load).isEmpty, "\(load)") }
  }

  @Test func `what is stricter stays where traffic passes with it`() throws {
    let strict: PropertyValue = .dictionary([ATSKey.minimumTLS: .string("TLSv1.3")])
    let dictionary: [String: PropertyValue] = [
      ATSKey.localNetworking: .boolean(false),
      ATSKey.exceptionDomains: .dictionary(["new.test": strict, "old.test": strict]),
    ]
    let traffic = Self.traffic([
      try Self.secure("new.test"), try Self.secure("old.test", .v12, "ECDHE-RSA-AES128-GCM-SHA256"),
    ])
    #expect(
      review(dictionary, traffic).smallest
        == .dictionary([
          ATSKey.localNetworking: .boolean(false), ATSKey.exceptionDomains: .dictionary(["new.test": strict]),
        ]))
  }

  @Test func `what was refused stays refused unless it is asked for`() throws {
    let traffic = Self.traffic([
      try Self.plain("tracker.test", .app, .refused), try Self.plain("listed.test", .app, .refused),
      try Self.secure("weak.test", nil, nil, .refused, violations: ["forward-secrecy"]),
    ])
    let dictionary = [ATSKey.exceptionDomains: Self.http("listed.test")]
    let left = review(dictionary, traffic)
    #expect(left.smallest == .dictionary([ATSKey.exceptionDomains: Self.http("listed.test")]))
    #expect(left.unused.isEmpty, "the request was there, whatever became of it")
    #expect(left.hosts.map(\.verdict) == [.exception, .refused, .refused])
    let all = review(dictionary, traffic, refused: .included)
    #expect(
      all.smallest?[ATSKey.exceptionDomains]
        == .dictionary([
          "listed.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
          "tracker.test": .dictionary([ATSKey.insecureHTTP: .boolean(true)]),
          "weak.test": .dictionary([ATSKey.forwardSecrecy: .boolean(false)]),
        ]))
  }

  @Test func `what is not recorded is said, not guessed`() throws {
    let traffic = Self.traffic([
      try Self.secure("gone.test", nil, nil, .failed("CannotFindHost")),
      try Self.secure("off.test", wasJudged: false),
      try Self.secure("blank.test", nil, nil),
    ])
    let hosts = review([:], traffic).hosts
    #expect(hosts.map(\.verdict) == [.unknown, .unknown, .default])
    #expect(hosts[0].notes.joined().contains("not recorded") && hosts[1].notes.joined().contains("CannotFindHost"))
    #expect(hosts[2].notes.joined().contains("not in the record"))
  }

  @Test func `third parties are told from own hosts by the domain that is registered`() throws {
    let traffic = Self.traffic([
      try Self.plain("cdn.own.co.uk"), try Self.plain("ads.other.co.uk"), try Self.secure("ads.other.co.uk"),
    ])
    let review = review([ATSKey.arbitraryLoads: .boolean(true)], traffic, own: ["www.own.co.uk"])
    #expect(review.thirdPartyPlainHTTP.map(\.host.text) == ["ads.other.co.uk"])
    #expect(review.hosts.map(\.isAlsoSecure) == [true, false])
    let own = OwnHosts(dictionary: .null, bundleIdentifier: "com.example.shop")
    #expect(own.contains(try Host("api.example.com")))
    #expect(!own.contains(try Host("example.org")))
    #expect(!OwnHosts(dictionary: .null, bundleIdentifier: "app").contains(try Host("app")))
  }

  @Test func `own hosts get pins, with a warning as long as there is no backup`() throws {
    let pins = ["own.test": [Self.leaf, Self.authority], "other.test": [Self.leaf, Self.authority]]
    let traffic = Self.traffic([try Self.secure("own.test"), try Self.secure("other.test")], pins: pins)
    let proposed = review([:], traffic, own: ["own.test"])
    let entry: PropertyValue = .dictionary([
      ATSKey.pinnedAuthorities: .array([
        .dictionary([ATSKey.digest: .string(String(Self.authority.dropFirst(7)))])
      ])
    ])
    #expect(proposed.pins.map(\.domain) == ["own.test"] && proposed.pins.first?.entry == entry)
    #expect(proposed.smallest == .dictionary([ATSKey.pinnedDomains: .dictionary(["own.test": entry])]))
    #expect(proposed.pins.first?.warnings.first?.contains("no backup pin") == true)

    let wrong: PropertyValue = .dictionary([
      ATSKey.pinnedLeaves: .array([
        .dictionary([ATSKey.digest: .string(String(Self.authority.dropFirst(7)))])
      ])
    ])
    let written = review([ATSKey.pinnedDomains: .dictionary(["own.test": wrong])], traffic, own: ["own.test"])
    #expect(written.pins.map(\.admitsRecorded) == [false] && written.smallest == .dictionary([:]))
  }

  @Test func `the report is stable JSON`() throws {
    let traffic = Self.traffic([try Self.plain("used.test"), try Self.plain("used.test")])
    let out = ByteQueue()
    var json = JSONText(into: out)
    review([ATSKey.exceptionDomains: Self.http("used.test")], traffic).write(to: &json, file: "Info.plist")
    let text = String(decoding: out.bytes, as: UTF8.self)
    #expect(
      text
        == #"{"file":"Info.plist","os":"18.4","traffic":{"exchanges":2,"hosts":1,"first":"2026-03-01T00:00:00.000Z","last":"2026-03-02T00:00:00.000Z","leftOut":0},"justifications":[{"key":"NSExceptionAllowsInsecureHTTPLoads","scope":"used.test","reason":"It permits plain HTTP, which anybody on the way can read and change.","text":"The app loads <what> from used.test, which <the operator> offers over plain HTTP only (2 requests recorded, the last on 2026-03-02). It carries no personal data: <why>. We expect https by <date>."}],"unused":[],"hosts":[{"host":"used.test","exchanges":2,"last":"2026-03-02T00:00:00.000Z","own":false,"verdict":"exception","needs":[{"violation":"cleartext","key":"NSExceptionAllowsInsecureHTTPLoads","scope":"used.test","exchanges":2}],"alsoSecure":false,"notes":[]}],"thirdPartyPlainHTTP":["used.test"],"pins":[],"findings":[{"level":"note","keyPath":"NSExceptionDomains.used.test","message":"App Review asks for a justification of NSExceptionAllowsInsecureHTTPLoads for used.test"}],"smallest":{"NSExceptionDomains":{"used.test":{"NSExceptionAllowsInsecureHTTPLoads":true}}}}"#
    )
  }

  @Test func `without traffic nothing is said about use`() {
    let review = review([ATSKey.exceptionDomains: Self.http("a.test")], nil)
    #expect(review.unused.isEmpty && review.hosts.isEmpty && review.smallest == nil && review.needsJustification)
  }

  @Test func `fragments can be pasted`() throws {
    let fragment = PropertyListFragment(
      "NSAppTransportSecurity",
      .dictionary(["a&b": .boolean(true), "list": .array([.string("x")]), "none": .dictionary([:])]))
    #expect(
      fragment.text == """
        <key>NSAppTransportSecurity</key>
        <dict>
        \t<key>a&amp;b</key>
        \t<true/>
        \t<key>list</key>
        \t<array>
        \t\t<string>x</string>
        \t</array>
        \t<key>none</key>
        \t<dict/>
        </dict>

        """)
    let traffic = Self.traffic(
      [try Self.plain("used.test"), try Self.secure("own.test")], pins: ["own.test": [Self.leaf, Self.authority]])
    let document = NetworkSecurityDocument(
      review([ATSKey.exceptionDomains: Self.http("used.test")], traffic, own: ["own.test"]))
    #expect(
      document.text == """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config>
          <base-config cleartextTrafficPermitted="false" />
          <domain-config cleartextTrafficPermitted="true">
            <domain includeSubdomains="false">used.test</domain>
          </domain-config>
          <domain-config>
            <domain includeSubdomains="false">own.test</domain>
            <pin-set>
              <pin digest="SHA-256">\(Self.authority.dropFirst(7))</pin>
            </pin-set>
          </domain-config>
        </network-security-config>

        """)
  }

  @Test func `Android's file is held against plain HTTP`() throws {
    let config = NetworkSecurityConfig(
      domains: [
        NetworkSecurityConfig.DomainConfig(
          [.init("used.test", includesSubdomains: true), .init("unused.test")], .init(permitsCleartext: true))
      ], targetSDK: 34)
    let traffic = Self.traffic([
      try Self.plain("a.used.test"), try Self.plain("ads.test", .app, .refused), try Self.secure("good.test"),
    ])
    let review = AndroidReview(config, traffic: traffic, own: OwnHosts([Host]()))
    #expect(review.unused == [ATSPermission("cleartextTrafficPermitted", in: "unused.test")])
    #expect(review.plain.map(\.permittedBy) == ["used.test", nil])
    #expect(review.smallest?.text.contains(">a.used.test<") == true)
    #expect(review.smallest?.text.contains("ads.test") == false)
    let open = NetworkSecurityConfig(base: .init(permitsCleartext: true), targetSDK: 34)
    #expect(
      AndroidReview(open, traffic: RecordedTraffic(), own: OwnHosts([Host]())).unused.map(\.scope) == ["base-config"])
    let unread = AndroidReview(config, traffic: nil, own: OwnHosts([Host]()))
    #expect(unread.unused.isEmpty && unread.smallest == nil)
  }

  @Test func `what many hosts do is bounded`() throws {
    var traffic = RecordedTraffic()
    for number in 0..<10_050 { traffic.add(try Self.plain("h\(number).test"), at: "2026-03-01T00:00:00.000Z") }
    #expect(traffic.hosts.count == 10_000 && traffic.leftOutCount == 50 && traffic.exchangeCount == 10_000)
  }
}
