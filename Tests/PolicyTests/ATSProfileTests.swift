import Names
import Policy
import Testing

/// Every cell of the table of profiles (spec A.3, A.8): what each key means from which version on.
struct ATSProfileTests {
  private static let versions = [
    "8", "8.4", "9", "9.3", "10", "10.3", "11", "12.1", "12.2", "13", "14", "15", "16", "16.7", "17", "18.3", "18.4",
    "18.5",
    "25", "26", "26.3", "26.4", "26.4.1", "27",
  ]

  /// One row of the table.
  struct Row: CustomTestStringConvertible {
    let name: String
    /// What a version makes of it.
    let answer: @Sendable (OSVersion) throws -> String
    /// From each version on, this answer holds. Before the first there is no App Transport Security: `permit`, or the system's defaults.
    let expected: [(since: String, answer: String)]

    var testDescription: String { name }

    init(
      _ name: String, _ expected: [(since: String, answer: String)],
      _ answer: @escaping @Sendable (OSVersion) throws -> String
    ) {
      self.name = name
      self.expected = expected
      self.answer = answer
    }

    func expectation(_ os: OSVersion) throws -> String? {
      try expected.last { try #require(OSVersion($0.since)) <= os }?.answer
    }
  }

  private static func http(
    _ name: String, _ dictionary: PropertyValue, _ host: String, _ expected: [(since: String, answer: String)],
    _ context: Context = .app
  ) -> Row {
    Row("http \(name)", [("1", "permit")] + expected) { os in
      let policy = ATSPolicy(dictionary: dictionary, os: os)
      return try policy.cleartext(host: Host(host), context: context).isPermitted ? "permit" : "deny"
    }
  }

  private static func https(
    _ name: String, _ members: PropertyValue, _ expected: [(since: String, answer: String)],
    _ answer: @escaping @Sendable (ATSRequirements) -> String
  ) -> Row {
    Row("https \(name)", expected) { os in
      let policy = ATSPolicy(dictionary: ["NSExceptionDomains": ["a.test": members]], os: os)
      return answer(try policy.requirements(host: Host("a.test"), context: .app))
    }
  }

  private static let permitted: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": true]

  private static func excepting(_ key: String) -> PropertyValue {
    ["NSAllowsLocalNetworking": false, "NSExceptionDomains": .dictionary([key: permitted])]
  }

  private static func alias(_ prefix: String) -> PropertyValue {
    ["NSExceptionDomains": ["a.test": .dictionary([prefix + "AllowsInsecureHTTPLoads": true])]]
  }

  private static let cleartext: [Row] = [
    http("without a key", [:], "a.test", [("9", "deny")]),
    http("to an unqualified name", [:], "box", [("9", "deny"), ("10", "permit")]),
    http("to .local", [:], "box.local", [("9", "deny"), ("10", "permit")]),
    http("to .local with a dot", [:], "box.local.", [("9", "deny"), ("10", "permit")]),
    http("to an unqualified name that is listed", excepting("box"), "box", [("9", "permit")]),
    http("to loopback", [:], "127.0.0.1", [("9", "deny"), ("10", "permit")]),
    http("to a private address", [:], "172.16.0.5", [("9", "deny"), ("10", "permit")]),
    http("to a unique local address", [:], "fd12::1", [("9", "deny"), ("10", "permit")]),
    http("to a link-local address", [:], "fe80::1", [("9", "deny"), ("10", "permit")]),
    http("to carrier-grade NAT", [:], "100.64.0.9", [("9", "deny"), ("10", "permit"), ("17", "deny")]),
    http("to a public address", [:], "203.0.113.1", [("9", "deny"), ("10", "permit"), ("17", "deny")]),
    http("to a public IPv6 address", [:], "2001:db8::1", [("9", "deny"), ("10", "permit"), ("17", "deny")]),
    http("to the unspecified address", [:], "0.0.0.0", [("9", "deny"), ("10", "permit"), ("17", "deny")]),
    http("without local networking", ["NSAllowsLocalNetworking": false], "box", [("9", "deny")]),
    http("without local networking to an address", ["NSAllowsLocalNetworking": false], "203.0.113.1", [("9", "deny")]),
    http("with local networking", ["NSAllowsLocalNetworking": true], "box", [("9", "deny"), ("10", "permit")]),
    http("with arbitrary loads", ["NSAllowsArbitraryLoads": true], "a.test", [("9", "permit")]),
    http("with arbitrary loads to an address", ["NSAllowsArbitraryLoads": true], "203.0.113.1", [("9", "permit")]),
    http(
      "with arbitrary loads and a key for media",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": false],
      "a.test", [("9", "permit"), ("10", "deny")]),
    http(
      "with arbitrary loads and a key for web content",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": true], "a.test",
      [("9", "permit"), ("10", "deny")]),
    http(
      "with arbitrary loads and a key for local networking",
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true], "a.test", [("9", "permit"), ("10", "deny")]),
    http(
      "of web content", ["NSAllowsArbitraryLoadsInWebContent": true], "a.test", [("9", "deny"), ("10", "permit")], .web),
    http(
      "of web content in an app's code", ["NSAllowsArbitraryLoadsInWebContent": true], "a.test", [("9", "deny")]),
    http("of media", ["NSAllowsArbitraryLoadsForMedia": true], "a.test", [("9", "deny"), ("10", "permit")], .media),
    http(
      "of media by the name of betas", ["NSAllowsArbitraryLoadsInMedia": true], "a.test",
      [("9", "deny"), ("10", "permit")], .media),
    http("to an address that is listed", excepting("198.51.100.7"), "198.51.100.7", [("9", "deny"), ("17", "permit")]),
    http("to an address in a range", excepting("198.51.100.0/24"), "198.51.100.7", [("9", "deny"), ("17", "permit")]),
    http(
      "to an IPv6 address in a range", excepting("2001:db8::/32"), "2001:db8::1", [("9", "deny"), ("17", "permit")]),
    http("by an old name", alias("NSThirdPartyException"), "a.test", [("9", "permit"), ("18.4", "deny")]),
    http("by a name of betas", alias("NSTemporaryException"), "a.test", [("9", "permit"), ("18.4", "deny")]),
    http(
      "by another name of betas", alias("NSTemporaryThirdPartyException"), "a.test",
      [("9", "permit"), ("18.4", "deny")]),
  ]

  private static let suites9 = [
    "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-SHA384",
    "ECDHE-ECDSA-AES256-SHA",
    "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES256-SHA", "ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES128-SHA",
  ]
  private static let chacha = ["ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"]
  private static let suites13 = suites9 + chacha
  private static let suites15 = suites13.filter { !$0.hasSuffix("AES256-SHA384") && !$0.hasSuffix("AES128-SHA256") }
  private static let plain9 = [
    "AES256-GCM-SHA384", "AES128-GCM-SHA256", "AES256-SHA", "AES128-SHA", "AES256-SHA256", "AES128-SHA256",
  ]
  private static let plain15 = ["AES256-GCM-SHA384", "AES128-GCM-SHA256", "AES256-SHA", "AES128-SHA"]
  private static let niap = suites9.filter { $0.contains("GCM") }

  private static func sorted(_ suites: [String]) -> String { suites.sorted().joined(separator: " ") }
  private static let suites: @Sendable (ATSRequirements) -> String = { sorted($0.cipherSuites) }
  private static let minimum: @Sendable (ATSRequirements) -> String = { needs in
    // What is asked for is what is offered.
    "\(needs.minimumTLS?.name ?? "none")\(needs.minimumTLS.map { $0 == needs.offeredMinimum } == false ? " differs" : "")"
  }

  private static let handshakes: [Row] = [
    https("asks for TLS", [:], [("1", "none"), ("9", "TLSv1.2")], minimum),
    https(
      "with minimum 1.0", ["NSExceptionMinimumTLSVersion": "TLSv1.0"], [("9", "TLSv1.0"), ("26", "TLSv1.2")], minimum),
    https(
      "with minimum 1.1", ["NSExceptionMinimumTLSVersion": "TLSv1.1"], [("9", "TLSv1.1"), ("26", "TLSv1.2")], minimum),
    https("with minimum 1.2", ["NSExceptionMinimumTLSVersion": "TLSv1.2"], [("9", "TLSv1.2")], minimum),
    https(
      "with minimum 1.3", ["NSExceptionMinimumTLSVersion": "TLSv1.3"], [("9", "TLSv1.2"), ("12.2", "TLSv1.3")], minimum),
    https(
      "with minimum 1.1 by an old name", ["NSThirdPartyExceptionMinimumTLSVersion": "TLSv1.1"],
      [("9", "TLSv1.1"), ("18.4", "TLSv1.2")], minimum),
    https(
      "without forward secrecy by an old name", ["NSThirdPartyExceptionRequiresForwardSecrecy": false],
      [("9", "false"), ("18.4", "true")]
    ) { "\($0.forwardSecrecy)" },
    https("offers at most", [:], [("1", "TLSv1.2"), ("12.2", "TLSv1.3")]) { $0.offeredMaximum.name },
    https("offers suites", [:], [("9", sorted(suites9)), ("13", sorted(suites13)), ("15", sorted(suites15))], suites),
    https(
      "without forward secrecy offers suites", ["NSExceptionRequiresForwardSecrecy": false],
      [("9", sorted(suites9 + plain9)), ("13", sorted(suites13 + plain9)), ("15", sorted(suites15 + plain15))], suites),
    https(
      "of a package of NIAP offers suites", ["NSExceptionRequiresNIAPTLSPackageVersion": "recommended"],
      [("9", sorted(suites9)), ("13", sorted(suites13)), ("15", sorted(suites15)), ("26.4", sorted(niap))], suites),
    https(
      "of another package of NIAP", ["NSExceptionRequiresNIAPTLSPackageVersion": "FCP_v2.1"],
      [("9", "none"), ("26.4", "FCP_v2.1")]
    ) { $0.niap?.rawValue ?? "none" },
    https("of no package of NIAP", ["NSExceptionRequiresNIAPTLSPackageVersion": "none"], [("9", "none")]) {
      $0.niap?.rawValue ?? "none"
    },
    https("lets nothing be loosened", [:], [("9", "false true")]) { "\($0.permitsLoosening) \($0.isATSRequired)" },
    https("with plain HTTP lets trust be loosened", permitted, [("9", "true false TLSv1.2")]) {
      "\($0.permitsLoosening) \($0.isATSRequired) \($0.minimumTLS?.name ?? "")"
    },
  ]

  /// Where ATS is off for the destination.
  private static let defaults: [Row] = [
    Row("system defaults", [("1", "none false TLSv1.0"), ("26", "none false TLSv1.2")]) { os in
      let needs = try requirements(["NSAllowsArbitraryLoads": true], os)
      return "\(needs.minimumTLS?.name ?? "none") \(needs.forwardSecrecy) \(needs.offeredMinimum.name)"
    },
    Row(
      "system suites",
      [("1", sorted(suites9 + plain9)), ("13", sorted(suites13 + plain9)), ("15", sorted(suites15 + plain15))]
    ) { os in sorted(try requirements(["NSAllowsArbitraryLoads": true], os).cipherSuites) },
    Row("a package of NIAP for all", [("1", "none"), ("26.4", "recommended \(sorted(niap))")]) { os in
      let needs = try requirements(["NSRequiresNIAPTLSPackageVersion": "recommended"], os)
      return needs.niap.map { "\($0.rawValue) \(sorted(needs.cipherSuites))" } ?? "none"
    },
    Row("a package of NIAP does not hold for a listed domain", [("1", "none")]) { os in
      try requirements(["NSRequiresNIAPTLSPackageVersion": "recommended", "NSExceptionDomains": ["a.test": [:]]], os)
        .niap
        .map(\.rawValue) ?? "none"
    },
    Row("pins", [("1", "false"), ("14", "true")]) { os in
      let policy = ATSPolicy(dictionary: ["NSPinnedDomains": ["a.test": ["NSPinnedLeafIdentities": []]]], os: os)
      return "\(try policy.pinnedDomains.identities(for: Host("a.test")) != nil)"
    },
    Row("built-in exceptions", [("1", "true true"), ("9", "true false")]) { os in
      let answers = try [true, false].map {
        try ATSPolicy(os: os, builtInExceptions: $0).cleartext(host: Host("csd4.apple.com"), context: .app).isPermitted
      }
      return "\(answers[0]) \(answers[1])"
    },
    Row("an app that was built before ATS", [("1", "true none")]) { os in
      let policy = ATSPolicy(
        dictionary: ["NSExceptionDomains": ["a.test": [:]]], os: os, sdk: LinkedSDK("iphoneos8.4"))
      let host = try Host("a.test")
      return
        "\(policy.cleartext(host: host, context: .app).isPermitted) \(policy.requirements(host: host, context: .app).minimumTLS?.name ?? "none")"
    },
  ]

  private static func requirements(_ dictionary: PropertyValue, _ os: OSVersion) throws -> ATSRequirements {
    try ATSPolicy(dictionary: dictionary, os: os).requirements(host: Host("a.test"), context: .app)
  }

  @Test(arguments: cleartext + handshakes + defaults)
  func cells(_ row: Row) throws {
    for text in Self.versions {
      let os = try #require(OSVersion(text))
      guard let expected = try row.expectation(os) else { continue }
      #expect(try row.answer(os) == expected, "OS \(text)")
    }
  }

  @Test(arguments: [
    ("iphoneos8.4", false), ("iphoneos9.0", true), ("iphoneos18.4", true), ("iphonesimulator8.0", false),
    ("iphonesimulator17.2", true), ("macosx10.10", false), ("macosx10.11", true), ("macosx15.4", true),
    ("appletvos9.0", true), ("watchos2.0", true), ("iphoneos8.4.internal", false), ("iphoneos26", true),
  ])
  func sdksAreTold(_ name: String, _ hasATS: Bool) throws {
    #expect(try #require(LinkedSDK(name)).hasATS == hasATS)
  }

  @Test(arguments: ["", "iphoneos", "8.4", "linux6.1", "iphoneosx"])
  func otherTextsAreNoSDK(_ name: String) { #expect(LinkedSDK(name) == nil) }
}
