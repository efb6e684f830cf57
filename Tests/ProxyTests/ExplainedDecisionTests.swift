import Configuration
import Names
import Policy
import Records
import Testing

@testable import Proxy

/// What `explain` is told and what traffic gets come of the same functions: both are asked the same questions here.
@Suite struct ExplainedDecisionTests {
  private static let configuration = """
    rules: { whitelist: ['http://white.test'],
      hosts: [{ host: 'no.test', action: 'reject' }, { host: '**.own.test', action: 'intercept' },
              { host: 'pass.test', action: 'bypass' }] },
    ats: { dictionary: { NSAllowsArbitraryLoadsInWebContent: true, NSExceptionDomains: {
      'free.test': { NSExceptionAllowsInsecureHTTPLoads: true, NSIncludesSubdomains: true },
      'shut.free.test': { }, 'white.test': { NSExceptionAllowsInsecureHTTPLoads: true } } } }
    """

  private static let agents: [(context: Context, field: String)] = [
    (.app, "User-Agent: Shop/1 CFNetwork/1 Darwin/24\r\n"), (.web, "User-Agent: Mozilla/5.0 AppleWebKit/605\r\n"),
    (.media, "User-Agent: AppleCoreMedia/1.0.0.22E240\r\n"),
  ]

  private static let hosts = [
    "a.test", "no.test", "x.own.test", "pass.test", "white.test", "free.test", "a.b.free.test", "shut.free.test", "box",
    "10.0.0.5", "203.0.113.9",
  ]

  @Test(arguments: hosts) func `plain HTTP is decided as it is explained`(_ host: String) async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["\(host):80": origin], more: Self.configuration) { proxy in
      let policy = try proxy.configuration(["\(host):80": origin], more: Self.configuration).defaultLane.policy
      for agent in Self.agents {
        let explained = policy.decide(
          RequestFacts(scheme: .http, host: try Host(host), port: 80, context: agent.context), tracing: .on)
        let client = try await proxy.connect()
        await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(agent.field)\r\n")
        if explained.action != .deny {
          let server = try await origin.accept()
          _ = try await server.request()
          await server.answer(fields: "Connection: close\r\n")
        }
        let response = try await client.response()
        let record = try await proxy.record()
        #expect(record["decision.action"] == explained.action.rawValue, "\(agent.context) \(record)")
        #expect(record["decision.decidedBy"] == explained.decidedBy?.rawValue)
        #expect(record["decision.rule"] == explained.rule && record["context"] == agent.context.rawValue)
        #expect(record["error.code"] == explained.refusal?.error.map { "\($0.code)" })
        #expect(record["error.detail"] == explained.refusal?.detail)
        #expect(response.status == explained.refusal?.status ?? 200)
      }
    }
  }
}
