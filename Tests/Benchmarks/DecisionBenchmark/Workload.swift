import Names
import Policy

/// Requests of one kind.
struct Workload {
  let name: String
  let requests: [RequestFacts]

  private static let count = 256

  /// Numbers are taken from all over the policy.
  static func all() throws -> [Workload] {
    let deep = "a.b.c.d.e.f.g.h"
    return [
      try Workload("https, a rule names the host") { "https://host\($0 * 4 % 1_000).rules.test/" },
      try Workload("https, a rule's subdomain") { "https://x.one\(($0 * 4 + 1) % 1_000).rules.test/" },
      try Workload("https, eight labels below a rule") { "https://\(deep).deep\(($0 * 4 + 2) % 1_000).rules.test/" },
      try Workload("https, the whitelist has it") { "https://white\($0 * 3).test/" },
      try Workload("https, nothing names it") { "https://other\($0).example.com/" },
      try Workload("https, nothing names it, ten labels") { "https://\(deep).other\($0).example.com/" },
      try Workload("http, an exception permits it") { "http://except\($0 * 20 % 1_000).test/" },
      try Workload("http, eight labels below an exception") { "http://\(deep).except\($0 * 30 % 990).test/" },
      try Workload("http, an address in one of 100 ranges") { "http://198.51.\($0 % 100 ).7/" },
      try Workload("http, nothing permits it") { "http://other\($0).example.com/" },
      try Workload("http, nothing permits it, ten labels") { "http://\(deep).other\($0).example.com/" },
    ]
  }

  private init(_ name: String, url: (Int) -> String) throws {
    self.name = name
    requests = try (0..<Self.count).map { number in
      let target = try TargetURL(url(number))
      return RequestFacts(scheme: target.scheme, host: target.host, port: target.port, context: .app)
    }
  }
}

/// What is asked about a request.
enum Question: String, CaseIterable {
  case decision, requirements

  @inline(never)
  func ask(_ policy: LanePolicy, _ facts: RequestFacts) -> Int {
    switch self {
    case .decision: policy.decide(facts, tracing: .off).action == .deny ? 1 : 0
    case .requirements:
      policy.requirements(host: facts.host, port: facts.port, context: facts.context).ats.cipherSuites.count
    }
  }
}
