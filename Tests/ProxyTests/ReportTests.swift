import Foundation
import TLS
import Testing

@testable import Proxy

/// Reports of pin failures, posted beside the traffic.
@Suite struct ReportTests {
  private static let pin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  private static let other = "//////////////////////////////////////////8="

  private func trust(_ uri: String, _ more: String = "") -> String {
    """
    trust: { t: { pins: ['sha256/\(Self.pin)'], reportURIs: ['\(uri)'], \(more) } },
    rules: { hosts: [{ host: '**.a.test', trust: 't' }] }
    """
  }

  /// A request whose origin is refused for its pins; the connection stays open for the next one.
  private func refused(_ client: Peer, _ origin: Origin) async throws {
    await client.get()
    _ = try await origin.secure(try await origin.accept(securing: false))
    #expect(try await client.response().status == 502)
  }

  private func json(_ message: Message) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
  }

  @Test func `a failure is posted once, in TrustKit's form`() async throws {
    let identity = try PKI.server("a.test")
    let origin = try Origin(identity)
    let sink = try Origin.tls("report.test")
    try await TestProxy.run(
      ["a.test:443": origin, "report.test:443": sink],
      more: trust("https://report.test/pins?x=1", "expires: '2099-12-31'")
    ) { proxy in
      let client = try await proxy.secured()
      try await refused(client, origin)
      let collector = try await sink.accept()
      let report = try await collector.request()
      #expect(report.startLine == "POST /pins?x=1 HTTP/1.1" && report["Host"] == "report.test")
      #expect(report["Content-Type"] == "application/json" && report["Via"] == nil)
      let members = try json(report)
      #expect(members["hostname"] as? String == "a.test" && members["port"] as? Int == 443)
      #expect(members["noted-hostname"] as? String == "**.a.test" && members["include-subdomains"] as? Bool == true)
      #expect(members["enforce-pinning"] as? Bool == true && members["validation-result"] as? Int == 1)
      #expect(members["known-pins"] as? [String] == ["pin-sha256=\"\(Self.pin)\""])
      #expect(members["known-pins-expiration-date"] as? String == "2099-12-31")
      let root = try PKI.origins.get().certificate
      #expect(members["validated-certificate-chain"] as? [String] == [identity.leaf.pem, root.pem])
      #expect((members["date-time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
      for key in ["app-bundle-id", "app-version", "app-platform", "app-platform-version", "trustkit-version"] {
        #expect((members[key] as? String)?.isEmpty == false, "\(key)")
      }
      #expect((members["app-vendor-id"] as? String).flatMap { UUID(uuidString: $0) } != nil)
      await collector.answer()
      #expect(await collector.end() != nil)
      // The same again is not news.
      try await refused(client, origin)
      try await refused(client, origin)
      #expect(sink.connectionCount == 1)
    }
  }

  @Test func `nobody waits for a report`() async throws {
    let origin = try Origin.tls()
    let sink = try Origin.tls("report.test")
    try await TestProxy.run(["a.test:443": origin, "report.test:443": sink], more: trust("https://report.test/")) {
      proxy in
      let client = try await proxy.secured()
      try await refused(client, origin)
      // Its handshake has not even begun.
      let collector = try await sink.accept(securing: false)
      try await refused(client, origin)
      #expect(try await proxy.record()["error.code"] == "-1202")
      await collector.reset()
      let warning = try await proxy.record("report-failed")
      #expect(warning["level"] == "warning" && warning["uri"] == "https://report.test/")
    }
  }

  @Test func `a report about the host that takes reports makes no other`() async throws {
    let sink = try Origin.tls("report.test")
    let more = """
      trust: { t: { pins: ['sha256/\(Self.pin)'], reportURIs: ['https://report.test/'] } },
      rules: { hosts: [{ host: 'report.test', trust: 't' }] }
      """
    try await TestProxy.run(["report.test:443": sink], more: more) { proxy in
      let client = try await proxy.secured("report.test")
      await client.get(host: "report.test")
      _ = try await sink.secure(try await sink.accept(securing: false))
      #expect(try await client.response().status == 502)
      // Ordinary trust lets the report through where the pins of the rule do not fit.
      let collector = try await sink.accept()
      #expect(try json(try await collector.request())["hostname"] as? String == "report.test")
      await collector.answer()
      #expect(await collector.end() != nil)
      #expect(sink.connectionCount == 2)
    }
  }

  @Test func `a host for reports that is not trusted gets none`() async throws {
    let origin = try Origin.tls()
    let sink = try Origin(PKI.server("report.test", by: PKI.stranger))
    try await TestProxy.run(["a.test:443": origin, "report.test:443": sink], more: trust("https://report.test/")) {
      proxy in
      try await refused(try await proxy.secured(), origin)
      #expect(try await sink.secure(try await sink.accept(securing: false)) != nil)
      #expect(try await proxy.record("report-failed")["detail"]?.contains("root") == true)
    }
  }

  @Test func `pins of an import that only report`() async throws {
    let origin = try Origin.tls("a.example.com")
    let sink = try Origin.plain()
    let plist = """
      { "TSKPinnedDomains": { "example.com": { "TSKIncludeSubdomains": true, "TSKEnforcePinning": false,
          "TSKPublicKeyHashes": ["\(Self.pin)", "\(Self.other)"], "TSKReportUris": ["http://localhost:8099/r"] } } }
      """
    try await TestProxy.run(
      ["a.example.com:443": origin, "localhost:8099": sink], more: "imports: ['pins.json']", files: ["pins.json": plist]
    ) { proxy in
      let client = try await proxy.secured("a.example.com")
      await client.get(host: "a.example.com")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer()
      #expect(try await client.response().status == 200)
      let mismatch = try await proxy.record("pin-mismatch")
      #expect(mismatch["source"] == "pins.json: trustkit" && mismatch["host"] == "a.example.com")
      #expect(try await proxy.record()["origin.matchedPin"] == nil)
      let collector = try await sink.accept(securing: false)
      let members = try json(try await collector.request())
      #expect(members["noted-hostname"] as? String == "example.com" && members["enforce-pinning"] as? Bool == false)
      #expect((members["known-pins"] as? [String])?.count == 2)
      await collector.answer()
    }
  }

  @Test func `an import that does not fit refuses, and names its file`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], more: "imports: ['pins.txt']", files: ["pins.txt": "**.a.test sha256/\(Self.pin)"]
    ) { proxy in
      try await refused(try await proxy.secured(), origin)
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1202" && record["decision.decidedBy"] == "trust")
      #expect(record["error.detail"]?.contains("pins.txt: okhttp") == true)
    }
  }

  @Test func `anchors of a trust policy are installed roots for Android`() async throws {
    let config = """
      <network-security-config><domain-config><domain>a.test</domain><trust-anchors><certificates src="%"/></trust-anchors>
      </domain-config></network-security-config>
      """
    func status(_ source: String, by issuer: Result<PKI.Issuer, any Error>) async throws -> Int {
      let origin = try Origin(PKI.server("a.test", by: issuer))
      let files = [
        "n.xml": config.replacing("%", with: source), "stranger.pem": try PKI.stranger.get().certificate.pem,
      ]
      let more = """
        imports: ['n.xml'], trust: { t: { anchors: ['stranger.pem'], anchorsOnly: false } },
        rules: { hosts: [{ host: 'a.test', trust: 't' }] }
        """
      return try await TestProxy.run(["a.test:443": origin], more: more, files: files) { proxy in
        let client = try await proxy.secured()
        await client.get()
        let server = try await origin.accept(securing: false)
        if try await origin.secure(server) == nil {
          _ = try await server.request()
          await server.answer()
        }
        return try await client.response().status
      }
    }
    #expect(try await status("system", by: PKI.origins) == 200)
    #expect(try await status("system", by: PKI.stranger) == 502)
    #expect(try await status("user", by: PKI.stranger) == 200)
  }

  @Test func `the same report goes out once a day`() {
    let reports = SentReports()
    let day: Int64 = 86_400_000
    #expect(reports.take([1], now: 0) && !reports.take([1], now: day - 1) && reports.take([2], now: 0))
    #expect(reports.take([1], now: day) && !reports.take([1], now: day + 1))
    reports.failed([2], now: 1_000)
    #expect(!reports.take([2], now: 2_000) && reports.take([2], now: 601_000))
    // The oldest is forgotten first.
    for number in 0..<(SentReports.limit - 1) {
      _ = reports.take([3, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], now: day)
    }
    #expect(reports.take([1], now: day + 1) && !reports.take([3, 1, 0], now: day + 1))
  }
}
