import Names
import Policy

/// A policy as large as anybody writes one: every kind of pattern and of exception is in it.
enum LargePolicy {
  static let size = 1_000

  static func make() throws -> LanePolicy {
    let trust = TrustPolicy(
      name: "pinned", pins: [Pin("sha256/\(String(repeating: "A", count: 43))=")].compactMap { $0 })
    return LanePolicy(
      lane: "default",
      ats: ATSPolicy(dictionary: exceptions, os: OSVersion(major: 18, minor: 4), builtInExceptions: true),
      rules: HostRules(hosts: try (0..<size).map(rule), whitelist: try (0..<size).map(exempt)),
      trust: [trust.name: trust])
  }

  private static func rule(_ number: Int) throws -> HostRule {
    let pattern =
      switch number % 4 {
      case 0: "host\(number).rules.test"
      case 1: "*.one\(number).rules.test"
      case 2: "**.deep\(number).rules.test"
      default: "port\(number).rules.test:8443"
      }
    return HostRule(
      pattern: try HostPattern(pattern), action: number % 3 == 0 ? .bypass : .intercept,
      trust: number % 3 == 1 ? "pinned" : nil)
  }

  private static func exempt(_ number: Int) throws -> WebOrigin {
    try WebOrigin("https://white\(number).test")
  }

  private static var exceptions: PropertyValue {
    var domains: [String: PropertyValue] = [:]
    for number in 0..<size {
      var members: [String: PropertyValue] = ["NSExceptionAllowsInsecureHTTPLoads": .boolean(number % 2 == 0)]
      if number % 3 == 0 { members["NSIncludesSubdomains"] = .boolean(true) }
      if number % 5 == 0 { members["NSExceptionMinimumTLSVersion"] = .string("TLSv1.1") }
      let key = number % 10 == 9 ? "198.51.\(number / 10).0/24" : "except\(number).test"
      domains[key] = .dictionary(members)
    }
    return .dictionary(["NSExceptionDomains": .dictionary(domains)])
  }
}
