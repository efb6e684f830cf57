import Names
import Policy
import Testing

private let http: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": true]
private let httpBelow: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
private let shut: PropertyValue = ["NSExceptionAllowsInsecureHTTPLoads": false]

private func listed(_ domains: PropertyValue, _ globals: PropertyValue = [:]) -> PropertyValue {
  guard case .dictionary(var members) = globals else { return .null }
  members["NSExceptionDomains"] = domains
  return .dictionary(members)
}

private func minimum(_ version: PropertyValue) -> PropertyValue { ["NSExceptionMinimumTLSVersion": version] }

private let arbitrary: PropertyValue = ["NSAllowsArbitraryLoads": true]
private let noLocal: PropertyValue = ["NSAllowsLocalNetworking": false]
private let web: PropertyValue = ["NSAllowsArbitraryLoadsInWebContent": true]
private let media: PropertyValue = ["NSAllowsArbitraryLoadsForMedia": true]

extension PropertyValue {
  fileprivate func with(_ key: String, _ value: PropertyValue) -> PropertyValue {
    guard case .dictionary(var members) = self else { return self }
    members[key] = value
    return .dictionary(members)
  }
}

/// The numbered edge cases of App Transport Security (spec H.1, H.2), through the decision on a request.
struct ATSEdgeCaseTests {
  /// What must come of a request.
  enum Outcome: Equatable, CustomStringConvertible {
    /// Plain HTTP.
    case allow
    /// -1022.
    case deny
    /// An `https` load: the lowest version, nil for the system's defaults, and whether forward secrecy is asked for.
    case tls(TLSVersion?, forwardSecrecy: Bool)

    var description: String {
      switch self {
      case .allow: "allowed"
      case .deny: "denied"
      case .tls(let version, let forwardSecrecy): "\(version?.name ?? "system") \(forwardSecrecy)"
      }
    }
  }

  struct Row: CustomTestStringConvertible {
    let number: Int
    let dictionary: PropertyValue
    let url: String
    let outcome: Outcome
    let os: String
    let context: Context

    init(
      _ number: Int, _ dictionary: PropertyValue, _ url: String, _ outcome: Outcome, os: String = "18.4",
      _ context: Context = .app
    ) {
      self.number = number
      self.dictionary = dictionary
      self.url = url
      self.outcome = outcome
      self.os = os
      self.context = context
    }

    var testDescription: String { "\(number): \(url), OS \(os), \(context)" }
  }

  private static let full = Outcome.tls(.v12, forwardSecrecy: true)
  private static let system = Outcome.tls(nil, forwardSecrecy: false)

  private static let globals: [Row] = [
    Row(1, [:], "http://example.com", .deny), Row(2, [:], "https://example.com", full),
    Row(12, arbitrary.with("NSAllowsLocalNetworking", true), "http://example.com", .deny),
    Row(13, arbitrary.with("NSAllowsLocalNetworking", true), "http://myhost.local", .allow),
    Row(14, arbitrary.with("NSAllowsLocalNetworking", true), "http://example.com", .allow, os: "9"),
    Row(15, arbitrary.with("NSAllowsArbitraryLoadsInWebContent", false), "http://example.com", .deny),
    Row(16, arbitrary.with("NSAllowsArbitraryLoadsInWebContent", true), "http://example.com", .deny),
    Row(17, web, "http://example.com", .allow, .web), Row(18, web, "http://example.com", .deny, .media),
    Row(19, web, "http://example.com", .deny, os: "9", .web),
    Row(20, arbitrary.with("NSAllowsArbitraryLoadsForMedia", false), "http://example.com", .deny),
    Row(21, media, "http://cdn.example.com", .allow, .media), Row(22, media, "http://cdn.example.com", .deny, .web),
    Row(23, listed(["example.com": [:]], web), "http://example.com", .deny, .web),
    Row(29, ["NSAllowsArbitraryLoads": "YES"], "http://example.com", .deny),
    Row(30, ["NSAllowsArbitraryLoads": 2], "http://example.com", .deny),
    Row(31, ["NSAllowsLocalNetworking": 2], "http://localhost", .deny),
    Row(35, listed("x", arbitrary), "http://example.com", .allow),
    Row(61, ["NSAllowsArbitraryLoadsInMedia": true], "http://x.test", .allow, .media),
    Row(61, ["NSAllowsArbitraryLoadsInMedia": true], "http://x.test", .deny, .app),
    Row(62, [:], "http://example.com", .allow, os: "8"), Row(63, [:], "ws://example.com", .deny),
    Row(63, [:], "wss://example.com", full), Row(64, [:], "https://a.test", full), Row(64, [:], "http://b.test", .deny),
  ]

  private static let local: [Row] = [
    Row(3, [:], "http://localhost", .allow), Row(3, [:], "http://myhost.local", .allow),
    Row(3, [:], "http://127.0.0.1", .allow), Row(3, [:], "http://[::1]", .allow),
    Row(3, [:], "http://[fe80::1]", .allow),
    Row(3, [:], "https://localhost", system), Row(3, [:], "https://myhost.local", system),
    Row(3, [:], "https://127.0.0.1", system), Row(3, [:], "https://[::1]", system),
    Row(10, noLocal, "http://localhost", .deny), Row(10, noLocal, "http://myhost.local", .deny),
    Row(10, noLocal, "http://127.0.0.1", .deny), Row(10, noLocal, "http://[::1]", .deny),
    Row(10, noLocal, "http://[fe80::1]", .deny), Row(10, noLocal, "https://localhost", full),
    Row(4, [:], "http://203.0.113.1", .deny), Row(4, [:], "http://[fe00::1]", .deny),
    Row(4, [:], "http://[2001:db8::8a2e:370:7334]", .deny), Row(5, [:], "http://10.0.0.5", .allow),
    Row(5, [:], "http://192.168.1.2", .allow), Row(5, [:], "http://[fd12::1]", .allow),
    Row(6, [:], "http://100.64.0.9", .deny), Row(7, [:], "http://myhost.local", .deny, os: "9"),
    Row(7, [:], "http://localhost", .deny, os: "9"), Row(7, [:], "http://127.0.0.1", .deny, os: "9"),
    Row(8, [:], "http://203.0.113.1", .allow, os: "16"), Row(9, [:], "http://203.0.113.1", .deny, os: "17"),
    Row(11, arbitrary, "http://example.com", .allow), Row(11, arbitrary, "http://203.0.113.1", .allow),
    Row(11, arbitrary, "https://example.com", system),
  ]

  private static let raised = listed(["neverssl.com": shut.with("NSExceptionMinimumTLSVersion", "TLSv1.3")], arbitrary)
  private static let nested = listed([
    "example.com": httpBelow, "subhostname.example.com": minimum("TLSv1.3"),
    "another.subhostname.example.com": minimum("TLSv1.1"),
  ])
  private static let google = listed(["google.com": http.with("NSExceptionMinimumTLSVersion", "TLSv1.3")])
  private static let odd = listed([
    "neverssl.com": [
      "NSExceptionAllowsInsecureHTTPLoads": "YES", "NSExceptionRequiresForwardSecrecy": "NO",
      "NSExceptionMinimumTLSVersion": 13,
    ]
  ])
  private static let thirdParty = listed(["h.test": ["NSThirdPartyExceptionAllowsInsecureHTTPLoads": true]])

  private static let domains: [Row] = [
    Row(
      24, listed(["youtube.com": ["NSExceptionRequiresForwardSecrecy": true]], arbitrary), "http://youtube.com", .deny),
    Row(
      24, listed(["youtube.com": ["NSExceptionRequiresForwardSecrecy": true]], arbitrary), "https://youtube.com", full),
    Row(25, raised, "https://neverssl.com", .tls(.v13, forwardSecrecy: true)),
    Row(25, raised, "http://neverssl.com", .deny),
    Row(26, raised, "https://example.com", system), Row(27, google, "http://google.com", .allow),
    Row(27, google, "https://google.com", .tls(.v13, forwardSecrecy: true)),
    Row(28, listed(["myhost.local": shut], arbitrary), "http://myhost.local", .deny),
    Row(
      32, listed(["h.test": ["NSExceptionRequiresForwardSecrecy": 2]]), "https://h.test",
      .tls(.v12, forwardSecrecy: false)),
    Row(33, odd, "http://neverssl.com", .deny), Row(33, odd, "https://neverssl.com", full),
    Row(34, listed(["invalid.exception.com": ""]), "http://invalid.exception.com", .deny),
    Row(36, listed(["a.test": minimum("TLSv1.4")]), "https://a.test", full),
    Row(36, listed(["b.test": minimum("TLSV1.3")]), "https://b.test", full),
    Row(36, listed(["c.test": minimum("TLSv1.00")]), "https://c.test", full),
    Row(36, listed(["d.test": minimum("DTLSv1.2")]), "https://d.test", full),
    Row(37, listed(["h.test": minimum("TLSv1.0")]), "https://h.test", .tls(.v10, forwardSecrecy: true), os: "17"),
    Row(38, listed(["h.test": minimum("TLSv1.0")]), "https://h.test", full, os: "26"),
    Row(39, nested, "http://test.another.subhostname.example.com", .allow),
    Row(40, nested, "https://another.subhostname.example.com", .tls(.v11, forwardSecrecy: true)),
    Row(40, nested, "http://another.subhostname.example.com", .deny),
    Row(41, nested, "http://subhostname.example.com", .deny),
    Row(41, nested, "https://subhostname.example.com", .tls(.v13, forwardSecrecy: true)),
    Row(42, listed(["example.com": httpBelow]), "http://a.b.example.com", .allow),
    Row(43, listed(["example.com": http]), "http://www.example.com", .deny),
    Row(44, listed(["www.example.com": httpBelow]), "http://example.com", .deny),
    Row(45, listed(["example.com": httpBelow]), "http://notexample.com", .deny),
    Row(45, listed(["example.com": httpBelow]), "http://example.com.evil.net", .deny),
    Row(46, listed(["*.example.com": http]), "http://www.example.com", .deny),
    Row(47, listed(["example.com:8080": http]), "http://example.com:8080", .deny),
    Row(48, listed(["example.com": http]), "http://example.com:8080", .allow),
    Row(49, listed(["Example.com": http]), "http://example.com", .allow),
    Row(50, listed(["example.com": http]), "http://EXAMPLE.com", .allow),
    Row(51, listed(["example.com": http]), "http://example.com./", .deny),
    Row(52, listed(["example.com.": http]), "http://example.com./", .allow),
    Row(53, listed(["com": httpBelow]), "http://example.com", .allow),
    Row(54, listed(["bücher.example": http]), "http://xn--bcher-kva.example", .allow),
    Row(55, [:], "http://csd4.apple.com", .allow),
    Row(55, [:], "https://ls.apple.com", .tls(.v10, forwardSecrecy: false)),
    Row(
      56, listed(["apple.com": shut.with("NSExceptionMinimumTLSVersion", "TLSv1.3")]), "http://csd4.apple.com", .deny),
    Row(57, listed(["apple.com": shut.with("NSExceptionMinimumTLSVersion", "TLSv1.3")]), "http://ls.apple.com", .allow),
    Row(58, listed(["setup.icloud.com": minimum("TLSv1.3")]), "https://test.setup.icloud.com", full),
    Row(58, listed(["setup.icloud.com": minimum("TLSv1.3")]), "http://test.setup.icloud.com", .deny),
    Row(59, thirdParty, "http://h.test", .allow, os: "10"), Row(60, thirdParty, "http://h.test", .deny),
  ]

  private static let ranges = listed([
    "198.51.100.0/24": http, "198.51.100.0/27": shut, "198.51.100.1": http, "198.51.100.101": shut,
    "2001:db8::/32": http,
    "2001:db8::/64": shut,
  ])
  private static let halves = listed(["0.0.0.0/0": http, "0.0.0.0/1": shut, "::/0": http, "::/1": shut])

  private static let addresses: [Row] = [
    Row(65, ranges, "http://198.51.100.1", .allow), Row(66, ranges, "http://198.51.100.0", .deny),
    Row(67, ranges, "http://198.51.100.100", .allow), Row(67, ranges, "http://198.51.100.255", .allow),
    Row(68, ranges, "http://198.51.100.101", .deny), Row(69, ranges, "http://[2001:db8:85a3::8a2e:370:7334]", .allow),
    Row(70, ranges, "http://[2001:db8::8a2e:370:7334]", .deny), Row(71, ranges, "http://[2001:db80::]", .deny),
    Row(71, ranges, "http://198.51.101.0", .deny), Row(72, halves, "http://127.0.0.1", .deny),
    Row(72, halves, "http://[::1]", .deny), Row(73, halves, "http://128.0.0.0", .allow),
    Row(73, halves, "http://[fe00::]", .allow), Row(74, halves, "http://localhost", .allow),
    Row(75, listed(["10/8": http], noLocal), "http://10.1.2.3", .allow),
    Row(76, listed(["192.168.100.10/32": http], noLocal), "http://192.168.100.10", .deny),
    Row(77, listed(["8.8.8.0/08": http]), "http://1.2.3.4", .deny),
    Row(77, listed(["8.8.8.0/": http]), "http://8.8.8.8", .deny),
    Row(78, listed(["2001:DB8::1": http]), "http://[2001:db8::1]", .allow),
    Row(79, listed(["example.com": http]), "http://198.51.100.7", .deny),
    Row(81, listed(["203.0.113.0/24": http]), "http://203.0.113.9", .allow, os: "16"),
    Row(81, listed(["203.0.113.0/24": http], noLocal), "http://203.0.113.9", .deny, os: "16"),
    Row(82, listed(["100.64.0.0/10": http]), "http://100.64.0.9", .allow),
  ]

  private static let all = globals + local + domains + addresses

  @Test(arguments: all)
  func decisions(_ row: Row) throws {
    let lane = LanePolicy(
      lane: "default",
      ats: ATSPolicy(dictionary: row.dictionary, os: try #require(OSVersion(row.os)), builtInExceptions: true),
      rules: HostRules(), trust: [:])
    let decision = try lane.decide(row.url) { $0.context = row.context }
    let target = try TargetURL(row.url)
    guard target.scheme.isSecure else {
      #expect(decision.action == (row.outcome == .allow ? .intercept : .deny), "\(decision.refusal?.detail ?? "")")
      #expect(decision.refusal?.error?.code == (row.outcome == .allow ? nil : -1022))
      return
    }
    #expect(decision.action == .intercept)
    let needs = lane.requirements(host: target.host, port: target.port, context: row.context).ats
    #expect(Outcome.tls(needs.minimumTLS, forwardSecrecy: needs.forwardSecrecy) == row.outcome)
  }

  /// Below an address there is no name, so row 80 has no request.
  @Test func namesBelowAnAddressAreNoHosts() throws {
    #expect(throws: NameFault.self) { try TargetURL("http://x.198.51.100.7") }
  }

  @Test func everyRowIsHere() {
    let numbers = Set(Self.all.map(\.number))
    #expect(numbers.union([80]) == Set(1...82))
  }
}
