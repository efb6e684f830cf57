import Bytes
import Configuration
import Foundation
import Names
import Policy
import Records
import Testing

@testable import pinwarden

@Suite struct ExplainMatrixTests {
  private static let dictionary =
    "{ NSAllowsArbitraryLoads: true, NSAllowsArbitraryLoadsInWebContent: true, NSExceptionDomains: { 'a.test': { NSExceptionMinimumTLSVersion: 'TLSv1.1' } } }"

  private func explainer(_ text: String, os: String? = nil, _ defaults: ExplainRequest = ExplainRequest(url: "")) throws
    -> Explainer
  {
    let result = ConfigurationLoader.load(
      text: text, overrides: CommandLineOverrides(os: os), environment: ["HOME": "/nowhere"])
    return Explainer(try #require(result.configuration, "\(result.findings)"), defaults: defaults)
  }

  private func matrix(_ systems: [String], _ contexts: [Context]) throws -> ExplainMatrix {
    ExplainMatrix(
      try systems.map { try explainer("{ ats: { dictionary: \(Self.dictionary) } }", os: $0) }, contexts: contexts)
  }

  private func json(_ explanation: Explanation) throws -> [String: Any] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    explanation.write(to: &json)
    return try #require(JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any])
  }

  @Test func everyCombinationHasItsRow() throws {
    let all = try matrix(["9", "18.4"], Context.allCases).explain(ExplainRequest(url: "http://b.test/")).get()
    #expect(
      all.map { "\($0.os) \($0.context) \($0.verdict)" } == [
        "9 app intercept", "9 web intercept", "9 media intercept", "18.4 app deny -1022", "18.4 web intercept",
        "18.4 media deny -1022",
      ])
    let objects = try all.map { try json($0) }
    #expect(objects.map { $0["os"] as? String } == ["9", "9", "9", "18.4", "18.4", "18.4"])
    #expect(objects.map { $0["context"] as? String } == ["app", "web", "media", "app", "web", "media"])
    let lines = ExplainMatrix.text(of: all, .unwrapped).split(separator: "\n")
    #expect(lines.count == 9 && lines[0] == "http://b.test/")
    for word in ["OS", "context", "verdict", "TLS from", "secrecy", "reason"] {
      #expect(lines[2].contains(word))
    }
    #expect(lines[6].contains("18.4") && lines[6].contains("deny -1022") && lines[6].contains("does not count"))
  }

  @Test func requirementsAreInTheTable() throws {
    let all = try matrix(["17", "26"], [.app]).explain(ExplainRequest(url: "https://a.test/")).get()
    #expect(all.map(\.minimumTLSText) == ["TLSv1.1", "TLSv1.2"] && all.map(\.forwardSecrecyText) == ["yes", "yes"])
    let off = try matrix(["17", "26"], [.web]).explain(ExplainRequest(url: "https://b.test/")).get()
    #expect(off.map(\.minimumTLSText) == ["(TLSv1.0)", "(TLSv1.2)"] && off.map(\.forwardSecrecyText) == ["no", "no"])
  }

  @Test func oneCombinationIsTheWholeDecision() throws {
    let one = try matrix(["18.4"], []).explain(ExplainRequest(url: "https://a.test/")).get()
    #expect(
      one.count == 1 && ExplainMatrix.text(of: one, .unwrapped) == one[0].text(.unwrapped)
        && one[0].text(.unwrapped).contains("whitelist"))
    let own = try matrix(["18.4"], Context.allCases).explain(ExplainRequest(url: "https://a.test/", context: "web"))
      .get()
    #expect(own.map(\.context) == [.web])
  }

  @Test func scopesAreRead() throws {
    let scope = try ExplainScope(os: "9,16, 18.4,9", context: "web,app")
    #expect(scope.systems == ["9", "16", "18.4"] && scope.contexts == [.web, .app])
    #expect(try ExplainScope(os: nil, context: "all").contexts == Context.allCases)
    #expect(try ExplainScope(os: nil, context: "media,all").contexts == [.media, .app, .web])
    #expect(try ExplainScope(os: nil, context: nil).systems.isEmpty)
  }

  @Test(
    arguments: [
      ("", nil), ("9,", nil), ("x", nil), (nil, ""), (nil, "page"), (nil, "app,,web"),
      ((1...50).map { "\($0)" }.joined(separator: ","), nil),
    ] as [(String?, String?)])
  func nonsenseIsRefused(_ os: String?, _ context: String?) {
    #expect(throws: UsageFault.self) { try ExplainScope(os: os, context: context) }
  }

  /// The explanation is what the policy of the lane decides, with nothing added or left out.
  @Test(arguments: [
    "http://a.test/", "https://a.test/", "http://b.test/", "https://b.test/", "ws://box/", "wss://c.test:8443/x",
    "http://10.0.0.5/",
    "https://no.test/",
  ])
  func explanationsAreDecisions(_ url: String) throws {
    let text = "{ ats: { dictionary: \(Self.dictionary) }, rules: { hosts: [{ host: 'no.test', action: 'reject' }] } }"
    let configuration = try #require(
      ConfigurationLoader.load(text: text, environment: ["HOME": "/nowhere"]).configuration)
    let target = try TargetURL(url)
    for context in Context.allCases {
      let explained = try Explainer(configuration, defaults: ExplainRequest(url: "")).explain(
        ExplainRequest(url: url, context: context.rawValue)
      ).get()
      let policy = configuration.defaultLane.policy
      let decided = policy.decide(
        RequestFacts(scheme: target.scheme, host: target.host, port: target.port, context: context), tracing: .on)
      #expect(explained.decision.action == decided.action && explained.decision.decidedBy == decided.decidedBy)
      #expect(explained.decision.steps == decided.steps && explained.decision.refusal == decided.refusal)
      let needed = policy.requirements(host: target.host, port: target.port, context: context)
      #expect(explained.requirements == (target.scheme.isSecure && decided.action == .intercept ? needed : nil))
    }
  }

  @Test func requirementsAreListed() throws {
    let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let text = """
      { ats: { os: '26.4', dictionary: { NSRequiresNIAPTLSPackageVersion: 'recommended',
          NSPinnedDomains: { 'b.test': { NSPinnedLeafIdentities: [{ 'SPKI-SHA256-BASE64': '\(pin.dropFirst(7))' }] } } } },
        rules: { hosts: [{ host: 'a.test', trust: 'own' }] }, trust: { own: { pins: ['\(pin)'] } } }
      """
    let explanation = try explainer(text).explain(ExplainRequest(url: "https://a.test/")).get()
    let ats = try #require(try json(explanation)["ats"] as? [String: Any])
    let needs = try #require(ats["requirements"] as? [String: Any])
    #expect(
      (needs["keySizes"] as? [String: Int]) == ["rsa": 2048, "ec": 256]
        && needs["signatureHash"] as? String == "SHA-256")
    #expect(needs["niap"] as? String == "recommended")
    let offered = try #require(needs["offered"] as? [String: Any])
    #expect(offered["minimum"] as? String == "TLSv1.2" && offered["maximum"] as? String == "TLSv1.3")
    #expect(
      (offered["cipherSuites"] as? [String])?.allSatisfy { $0.hasSuffix("GCM-SHA384") || $0.hasSuffix("GCM-SHA256") }
        == true)
    #expect((offered["signatureAlgorithms"] as? [String])?.contains("ecdsa_secp256r1_sha256") == true)
    for word in ["RSA 2048 or EC 256", "SHA-256", "ECDHE-RSA-AES128-GCM-SHA256", "pin: \(pin)"] {
      #expect(explanation.text(.unwrapped).contains(word), "\(explanation.text(.unwrapped))")
    }
    let other = try explainer(text).explain(ExplainRequest(url: "https://b.test/")).get()
    let pins = try #require(try json(other)["pins"] as? [String: Any])
    #expect(pins["leaf"] as? [String] == [pin] && pins["ca"] is NSNull && pins["nsPinnedDomains"] as? Bool == true)
    #expect(other.text(.unwrapped).contains("NSPinnedDomains (1 for the leaf)"))
  }

  @Test func exceptionsTakeDemandsAway() throws {
    func needs(_ dictionary: String) throws -> [String: Any] {
      let explanation = try explainer("{ ats: { dictionary: \(dictionary) } }").explain(
        ExplainRequest(url: "https://a.test/")
      ).get()
      let ats = try #require(try json(explanation)["ats"] as? [String: Any])
      return try #require(ats["requirements"] as? [String: Any])
    }
    let off = try needs("{ NSAllowsArbitraryLoads: true }")
    #expect(off["minimumTLS"] is NSNull && off["keySizes"] is NSNull && off["signatureHash"] is NSNull)
    let noSecrecy = try needs("{ NSExceptionDomains: { 'a.test': { NSExceptionRequiresForwardSecrecy: false } } }")
    #expect(noSecrecy["keySizes"] is NSNull && noSecrecy["signatureHash"] as? String == "SHA-256")
  }
}
