/// One row of the demo: a request and what must come of it.
struct DemoCase: Sendable {
  /// How the origin is.
  enum Origin: Sendable {
    case plain
    case secure(name: String, isExpired: Bool)
    /// Signed by nobody whom the proxy trusts.
    case foreign
    case demandingCertificate
  }

  /// What a device must get.
  struct Expectation: Sendable {
    let status: Int
    /// Of NSURLErrorDomain; nil: no error.
    let code: Int?
  }

  /// What happens on the way.
  enum Rule: Sendable {
    case none, bypass, rightPin, wrongPin, identity
  }

  let title: String
  let url: String
  let host: String
  let origin: Origin
  let rule: Rule
  let expectation: Expectation

  private init(
    _ title: String, _ label: String, scheme: String = "https", _ origin: Origin, rule: Rule = .none, status: Int,
    code: Int? = nil
  ) {
    self.title = title
    host = "\(label).demo.test"
    url = "\(scheme)://\(host)/"
    self.origin = origin
    self.rule = rule
    expectation = Expectation(status: status, code: code)
  }

  private static func secure(_ label: String, isExpired: Bool = false) -> Origin {
    .secure(name: "\(label).demo.test", isExpired: isExpired)
  }

  static let all: [DemoCase] = [
    DemoCase("good", "good", secure("good"), status: 200),
    DemoCase("expired", "expired", secure("expired", isExpired: true), status: 502, code: -1201),
    DemoCase("wrong host", "wrong-host", secure("other"), status: 502, code: -1202),
    DemoCase("unknown root", "unknown", .foreign, status: 502, code: -1203),
    DemoCase("pinned, right pin", "pinned", secure("pinned"), rule: .rightPin, status: 200),
    DemoCase("pinned, wrong pin", "mispinned", secure("mispinned"), rule: .wrongPin, status: 502, code: -1202),
    DemoCase("plain HTTP", "plain", scheme: "http", .plain, status: 403, code: -1022),
    DemoCase("mutual TLS, identity", "mutual", .demandingCertificate, rule: .identity, status: 200),
    DemoCase("mutual TLS, none", "anonymous", .demandingCertificate, status: 502, code: -1206),
    DemoCase("bypassed, unseen", "bypassed", secure("bypassed"), rule: .bypass, status: 200),
  ]
}
