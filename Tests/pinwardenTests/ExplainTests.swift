import Bytes
import Configuration
import Foundation
import Policy
import Records
import Testing

@testable import pinwarden

@Suite struct ExplainTests {
  private func explainer(_ text: String, _ defaults: ExplainRequest = ExplainRequest(url: "")) throws -> Explainer {
    let result = ConfigurationLoader.load(text: text, environment: ["HOME": "/nowhere"])
    return Explainer(try #require(result.configuration, "\(result.findings)"), defaults: defaults)
  }

  private func json(_ body: (inout JSONText) -> Void) throws -> [String: Any] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    body(&json)
    return try #require(JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any])
  }

  private func explain(_ text: String, _ request: ExplainRequest) throws -> [String: Any] {
    let explanation = try explainer(text).explain(request).get()
    return try json { explanation.write(to: &$0) }
  }

  @Test func cleartextIsDeniedWithTheCodeOfTheDevice() throws {
    let explanation = try explainer("{}").explain(ExplainRequest(url: "http://a.test/x")).get()
    #expect(explanation.isDenied && explanation.atsVerdict == "fail" && explanation.violations == ["cleartext"])
    for word in ["http://a.test/x", "ats", "rule", "whitelist", "-1022", "403"] {
      #expect(explanation.text(.unwrapped).contains(word))
    }
    let answer = try json { explanation.write(to: &$0) }
    #expect((answer["error"] as? [String: Any])?["code"] as? Int == -1022)
    #expect((answer["ats"] as? [String: Any])?["requirements"] is NSNull)
  }

  @Test func requirementsOfAnInterceptedOrigin() throws {
    let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let answer = try explain(
      """
      { rules: { hosts: [{ host: "a.test", action: "intercept", trust: "own", onTrustFailure: "refuse" }] },
        trust: { own: { pins: ["\(pin)"] } },
        ats: { dictionary: { NSExceptionDomains: { "a.test": { NSExceptionMinimumTLSVersion: "TLSv1.3" } } } } }
      """, ExplainRequest(url: "https://a.test/"))
    let ats = try #require(answer["ats"] as? [String: Any])
    #expect(ats["verdict"] as? String == "pending")
    #expect((ats["requirements"] as? [String: Any])?["minimumTLS"] as? String == "TLSv1.3")
    #expect((ats["requirements"] as? [String: Any])?["forwardSecrecy"] as? Bool == true)
    #expect(answer["trust"] as? String == "own" && answer["onTrustFailure"] as? String == "refuse")
    #expect((answer["pins"] as? [String: Any])?["spki"] as? [String] == [pin])
    #expect((answer["decision"] as? [String: Any])?["rule"] as? String == "a.test")
    #expect(answer["error"] is NSNull)
  }

  @Test(arguments: [
    ("{ ats: { mode: 'off' } }", "https://a.test/", "off"),
    ("{ rules: { default: 'bypass' } }", "https://a.test/", "off"),
    ("{ rules: { default: 'reject' } }", "http://a.test/", "off"),
    ("{ ats: { mode: 'observe' } }", "http://a.test/", "fail"),
    ("{ ats: { mode: 'observe' } }", "https://a.test/", "pending"),
    ("{ ats: { dictionary: { NSAllowsArbitraryLoads: true } } }", "http://a.test/", "pass"),
  ])
  func verdicts(configuration: String, url: String, verdict: String) throws {
    #expect(try explainer(configuration).explain(ExplainRequest(url: url)).get().atsVerdict == verdict)
  }

  @Test func requestsBeatOptionsAndOptionsBeatTheLane() throws {
    let text = "{ lanes: { web: { context: 'web', rules: { default: 'reject' } } } }"
    let plain = try explainer(text)
    #expect(try plain.explain(ExplainRequest(url: "https://a.test")).get().context == .app)
    let inLane = try plain.explain(ExplainRequest(url: "https://a.test", lane: "web")).get()
    #expect(inLane.context == .web && inLane.isDenied && inLane.method == "GET")
    let given = try explainer(text, ExplainRequest(url: "", context: "media", method: "PUT", lane: "web"))
    #expect(try given.explain(ExplainRequest(url: "https://a.test")).get().context == .media)
    let own = try given.explain(
      ExplainRequest(url: "https://a.test", context: "app", method: "HEAD", lane: "default")
    ).get()
    #expect(own.method == "HEAD" && own.context == .app && !own.isDenied)
  }

  @Test func theWayToTheOriginIsTold() throws {
    let text = """
      { upstream: { proxy: 'http://u:p@corp:3128', noProxy: ['b.test'], resolve: { 'c.test:443': '127.0.0.1:9' } },
        rules: { hosts: [{ host: 'no.test', action: 'reject' }] } }
      """
    let answer = try explain(text, ExplainRequest(url: "https://a.test/"))
    #expect(answer["proxy"] as? String == "http://corp:3128" && answer["connectsTo"] is NSNull)
    #expect(
      try explainer(text).explain(ExplainRequest(url: "https://a.test/")).get().text(.unwrapped).contains(
        "http://corp:3128"))
    #expect(try explain(text, ExplainRequest(url: "https://b.test/"))["proxy"] is NSNull)
    #expect(try explain(text, ExplainRequest(url: "https://c.test/"))["connectsTo"] as? String == "127.0.0.1:9")
    #expect(try explain(text, ExplainRequest(url: "https://no.test/"))["proxy"] is NSNull)
  }

  @Test func ownListenersAreALoop() throws {
    let explanation = try explainer("{}").explain(ExplainRequest(url: "http://127.0.0.1:8080/")).get()
    #expect(explanation.decision.decidedBy == .loop)
  }

  @Test(arguments: [
    ExplainRequest(url: "a.test"), ExplainRequest(url: ""), ExplainRequest(url: "ftp://a.test/"),
    ExplainRequest(url: "https://u:p@a.test/"), ExplainRequest(url: "https://a.test/", context: "page"),
    ExplainRequest(url: "https://a.test/", lane: "nobody"),
  ])
  func whatCannotBeDecidedIsAFault(request: ExplainRequest) throws {
    let answer = try explainer("{}").explain(request)
    guard case .failure(let fault) = answer else {
      Issue.record("explained")
      return
    }
    let document = try json { fault.write(to: &$0) }
    #expect(document["url"] as? String == request.url && (document["error"] as? [String: Any])?["detail"] is String)
  }

  @Test(arguments: ["", "[]", "{}", "{\"url\": 1}", "nonsense", "{\"url\": \"https://a.test\", \"lane\": 3}", "\u{0}"])
  func linesThatAreNoRequest(line: String) {
    #expect(throws: ExplainFault.self) { try ExplainRequest.read(Array(line.utf8)).get() }
  }
}
