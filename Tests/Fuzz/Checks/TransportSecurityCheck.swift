import Names
import Policy

/// ATS dictionaries of any shape, built from the input.
enum TransportSecurityCheck {
  private static let keys = [
    "NSAllowsArbitraryLoads", "NSAllowsArbitraryLoadsForMedia", "NSAllowsArbitraryLoadsInMedia",
    "NSAllowsArbitraryLoadsInWebContent", "NSAllowsLocalNetworking", "NSExceptionDomains", "NSPinnedDomains",
    "NSRequiresNIAPTLSPackageVersion", "NSIncludesSubdomains", "NSExceptionAllowsInsecureHTTPLoads",
    "NSExceptionMinimumTLSVersion", "NSExceptionRequiresForwardSecrecy", "NSRequiresCertificateTransparency",
    "NSExceptionRequiresNIAPTLSPackageVersion", "NSThirdPartyExceptionMinimumTLSVersion", "NSPinnedLeafIdentities",
    "NSPinnedCAIdentities", "SPKI-SHA256-BASE64", "a.test", "*.a.test", "b.a.test", "test", "*", "com", "10.0.0.0/8",
    "10.0.0.1", "[::1]", "::/0", "localhost", "a.test.", "", "ü.test",
  ]
  private static let texts = [
    "TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3", "SSLv3", "none", "FCP_v2.1", "recommended", "", "1", "true",
    "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "====",
  ]
  private static let versions = [(8, 4), (9, 0), (10, 0), (13, 0), (14, 0), (17, 0), (18, 4), (26, 4), (999, 999)]
  private static let hosts = ["a.test", "b.a.test", "c.b.a.test", "10.0.0.1", "::1", "localhost", "x", "a.test."]
    .compactMap { try? Host($0) }

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    var dice = Dice(bytes)
    let (major, minor) = dice.element(of: versions)
    let os = OSVersion(major: major, minor: minor)
    let usesBuiltIns = dice.byte() & 1 == 1
    let dictionary = value(&dice, depth: 0)
    let policy = ATSPolicy(dictionary: dictionary, os: os, builtInExceptions: usesBuiltIns)
    for finding in policy.lint() {
      try claim(finding.level != .error && !finding.message.isEmpty, "the finding \(finding)")
    }
    for host in hosts {
      for context in Context.allCases {
        let needs = policy.requirements(host: host, context: context)
        try claim(needs.offeredMinimum <= needs.offeredMaximum, "\(host): nothing can be offered: \(needs)")
        try claim((needs.minimumTLS ?? .v10) <= needs.offeredMaximum, "\(host): the minimum cannot be met: \(needs)")
        try claim(!needs.cipherSuites.isEmpty, "\(host): no cipher suites")
        let verdict = policy.cleartext(host: host, context: context)
        try claim(!verdict.reason.isEmpty, "\(host): no reason")
      }
      _ = policy.pinnedDomains.identities(for: host)
    }
  }

  private static func value(_ dice: inout Dice, depth: Int) -> PropertyValue {
    // Nothing to choose from: a dictionary at the top, so that small inputs already say something.
    let kind = depth == 0 && dice.byte() & 0x0F != 0 ? 8 : Int(dice.byte() % 10)
    switch kind {
    case 0: return .null
    case 1: return .boolean(dice.byte() & 1 == 1)
    case 2: return .integer(dice.byte() & 1 == 1 ? Int64(dice.byte()) - 1 : .min)
    case 3: return .real(dice.element(of: [0, 1, 1.2, -.infinity, .nan, .greatestFiniteMagnitude]))
    case 4: return .string(text(&dice))
    case 5: return .data(dice.bytes(Int(dice.byte() & 0x3F)))
    case 6: return .date(dice.element(of: [0, .nan, 1e300]))
    case 7 where depth < 6: return .array((0..<dice.byte() & 3).map { _ in value(&dice, depth: depth + 1) })
    default:
      guard depth < 6 else { return .string(text(&dice)) }
      let members = (0..<dice.byte() & 7).map { _ in
        (dice.byte() & 0x1F == 0 ? text(&dice) : dice.element(of: keys), value(&dice, depth: depth + 1))
      }
      return .dictionary(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }
  }

  private static func text(_ dice: inout Dice) -> String {
    if dice.byte() & 3 != 0 { return dice.element(of: texts) }
    return String(decoding: dice.bytes(Int(dice.byte() & 0x1F)), as: UTF8.self)
  }
}
