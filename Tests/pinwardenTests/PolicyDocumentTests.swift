import Configuration
import Foundation
import Testing

@testable import pinwarden

@Suite struct PolicyDocumentTests {
  private func document(_ text: String) throws -> (object: [String: Any], text: String) {
    let result = ConfigurationLoader.load(text: text, environment: ["HOME": "/nowhere", "SECRET": "hidden-secret"])
    let bytes = PolicyDocument(try #require(result.configuration, "\(result.findings)")).bytes
    let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    return (object, String(decoding: bytes, as: UTF8.self))
  }

  @Test func itSaysWhatHoldsInEachLane() throws {
    let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let (object, text) = try document(
      """
      { ats: { mode: 'observe', dictionary: { NSExceptionDomains: { 'marker.test': { NSIncludesSubdomains: true } } } },
        rules: { whitelist: ['https://passed.test'],
          hosts: [{ host: '**.a.test', action: 'intercept', trust: 'own', onTrustFailure: 'refuse' }] },
        trust: { own: { pins: ['\(pin)'], expires: '2030-01-31' } },
        console: { token: { env: 'SECRET' } },
        lanes: { second: { clients: ['10.0.0.0/8'], rules: { default: 'reject' } } } }
      """)
    let lanes = try #require(object["lanes"] as? [[String: Any]])
    #expect(lanes.map { $0["name"] as? String } == ["default", "second"])
    let rules = try lanes.map { try #require($0["rules"] as? [String: Any]) }
    #expect(rules[0]["whitelist"] as? [String] == ["https://passed.test"] && rules[1]["default"] as? String == "reject")
    let host = try #require((rules[0]["hosts"] as? [[String: Any]])?.first)
    #expect(host["host"] as? String == "**.a.test" && host["onTrustFailure"] as? String == "refuse")
    let trust = try #require((lanes[0]["trust"] as? [String: [String: Any]])?["own"])
    #expect(trust["pins"] as? [String] == [pin] && (trust["expires"] as? String)?.hasPrefix("2030-0") == true)
    let ats = try #require(lanes[0]["ats"] as? [String: Any])
    #expect(ats["mode"] as? String == "observe" && "\(ats["findings"] ?? "")".contains("marker.test"))
    #expect(text.contains("marker.test") && !text.contains("hidden-secret"))
  }
}
