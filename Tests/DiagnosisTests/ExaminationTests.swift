import COpenSSL
import Configuration
import Diagnosis
import Foundation
import Policy
import Testing

@testable import TLS

/// Whole diagnoses of origins on loopback.
@Suite struct ExaminationTests {
  private static let oldSuite = TestOrigin.Speech(maximum: TLS1_2_VERSION, suites: "AES128-GCM-SHA256")

  private func withoutForwardSecrecy() throws -> TestOrigin {
    try .secure(TestPKI.Wish(key: try TestPKI.rsa.get()), Self.oldSuite)
  }

  @Test func severalSystemsShareTheirHandshakes() async throws {
    let origin = try TestOrigin.secure()
    let configurations = try ["12.2", "18.4", "26"].map { os in
      try Examined.configuration(["a.test:443": origin.address], os: os)
    }
    let all = try await Examined.hosts(["a.test"], configurations)
    #expect(all.first?.map(\.verdict) == [.passes, .passes, .passes])
    #expect(all.first?.map { "\($0.os)" } == ["12.2", "18.4", "26"])
    #expect(origin.count == 1)
  }

  @Test func anOSThatAcceptsNoOldVersionHasNoException() async throws {
    let origin = try TestOrigin.secure(TestPKI.Wish(), TestOrigin.Speech(maximum: TLS1_1_VERSION))
    let old = try await Examined.host(origin, os: "18.4")
    #expect(
      old.smallest
        == .dictionary([
          "NSExceptionDomains": .dictionary([
            "a.test": .dictionary(["NSExceptionMinimumTLSVersion": .string("TLSv1.1")])
          ])
        ]))
    let new = try await Examined.host(origin, os: "26")
    #expect(new.verdict == .fails && new.smallest == nil)
  }

  @Test func theOrderOfTargetsIsKept() async throws {
    let (good, bad) = (try TestOrigin.secure(), try TestOrigin.secure(TestPKI.Wish(names: ["c.test"])))
    let configuration = try Examined.configuration(["a.test:8443": good.address, "b.test:443": bad.address])
    let all = try await Examined.hosts(["https://b.test/x", "a.test:8443", "nothing.invalid"], [configuration])
      .compactMap(\.first)
    #expect(all.map(\.target.name) == ["b.test", "a.test:8443", "nothing.invalid"])
    #expect(all.map(\.verdict) == [.fails, .passes, .unreachable])
    #expect(all.last?.obstacle?.error == .cannotFindHost)
  }

  @Test func anAddressIsDiagnosed() async throws {
    let origin = try TestOrigin.secure()
    let all = try await Examined.hosts([origin.address], [Examined.configuration([:])])
    let diagnosis = try #require(all.first?.first)
    #expect(diagnosis.rows.first?.objections.map(\.name) == ["name-mismatch"])
    #expect(diagnosis.target.exceptionKey == "127.0.0.1")
  }

  @Test func anIdentityIsShownToWhoAsks() async throws {
    let origin = try TestOrigin.secure(TestPKI.Wish(), TestOrigin.Speech(demandsCertificates: true))
    let diagnosis = try await Examined.host(
      origin,
      more: """
        identities: { own: { certificate: 'client.pem', key: 'client.key' } },
        rules: { hosts: [{ host: 'a.test', identity: 'own' }] }
        """)
    #expect(diagnosis.verdict == .passes, "\(diagnosis.rows.first?.objections.first?.refusal.detail ?? "")")
    #expect(diagnosis.peer?.clientCertificate?.sent == "own")
  }

  @Test func aPinOfTheConfigurationIsReportedBesideTheRows() async throws {
    let origin = try TestOrigin.secure()
    let pin = "sha256/" + Data([UInt8](repeating: 7, count: 32)).base64EncodedString()
    let diagnosis = try await Examined.host(
      origin, more: "trust: { p: { pins: ['\(pin)'] } }, rules: { hosts: [{ host: 'a.test', trust: 'p' }] }")
    #expect(diagnosis.verdict == .passes)
    #expect(diagnosis.configured?.objections.map(\.name) == ["pin"])
    // A server that is not the pinned one gets no request.
    #expect(diagnosis.peer?.status == nil)
  }

  // MARK: the way there

  @Test func theWayLeadsThroughAProxy() async throws {
    let proxy = try TestOrigin(.proxy(try TestPKI.identity(), TestOrigin.Speech()))
    // `upstream.resolve` comes before the proxy, and the kit leads all of .test somewhere.
    let configuration = try Examined.configuration([:], upstream: "proxy: 'http://\(proxy.address)'")
    let all = try await Examined.hosts(["a.example"], [configuration])
    let diagnosis = try #require(all.first?.first)
    #expect(diagnosis.rows.first?.objections.map(\.name) == ["name-mismatch"])
    #expect(diagnosis.peer?.proxy == "http://\(proxy.address)")
  }

  @Test func aProxyThatSaysNoIsTheReason() async throws {
    let proxy = try TestOrigin(.refusingProxy, answer: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0")
    let configuration = try Examined.configuration([:], upstream: "proxy: 'http://\(proxy.address)'")
    let all = try await Examined.hosts(["a.example"], [configuration])
    #expect(all.first?.first?.verdict == .unreachable)
    #expect(all.first?.first?.obstacle?.title == "The upstream proxy refuses")
  }

  // MARK: plain HTTP and redirects

  @Test func plainHTTPIsAskedBeside() async throws {
    let (secure, plain) = (
      try TestOrigin.secure(),
      try TestOrigin(.plain, answer: "HTTP/1.1 301 Moved\r\nLocation: https://a.test/\r\nContent-Length: 0")
    )
    let configuration = try Examined.configuration(["a.test:443": secure.address, "a.test:80": plain.address])
    let http = try #require(try await Examined.hosts(["a.test"], [configuration]).first?.first?.plainHTTP)
    #expect(http.status == 301 && http.location == "https://a.test/")
    #expect(http.objection?.refusal.error == .appTransportSecurityRequiresSecureConnection)
    #expect(http.result == .fail)
  }

  private func redirecting(_ location: String) throws -> TestOrigin {
    try TestOrigin(
      .secure(TestPKI.identity(TestPKI.Wish(names: ["*.test", "a.test"])), TestOrigin.Speech()),
      answer: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0")
  }

  private func trail(_ first: TestOrigin, _ others: [String: String] = [:]) async throws -> RedirectTrail {
    let origins = others.merging(["a.test:443": first.address]) { own, _ in own }
    return try #require(try await Examined.hosts(["a.test"], [Examined.configuration(origins)]).first?.first).redirects
  }

  @Test func redirectsAreFollowedToTheirEnd() async throws {
    let (last, first) = (try TestOrigin.secure(TestPKI.Wish(names: ["b.test"])), try redirecting("https://b.test/x"))
    let trail = try await trail(first, ["b.test:443": last.address])
    #expect(trail.steps.map(\.url) == ["https://b.test/x"])
    #expect(trail.steps.map(\.status) == [200])
    #expect(trail.end == .reached)
  }

  @Test(arguments: [
    ("/", RedirectTrail.End.loop, 0), ("http://b.test/", .blocked, 1), ("mailto:x@a.test", .failed, 0),
    ("https://b.test/", .failed, 1),
  ])
  func redirectsEnd(location: String, end: RedirectTrail.End, count: Int) async throws {
    let trail = try await trail(try redirecting(location))
    #expect(trail.end == end)
    #expect(trail.steps.count == count)
  }

  // MARK: the app's policy

  private func policy(_ dictionary: String) throws -> AppPolicy {
    let file = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString).plist").path()
    defer { try? FileManager.default.removeItem(atPath: file) }
    try
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key>\(dictionary)</dict></plist>"
      .write(toFile: file, atomically: true, encoding: .utf8)
    return try #require(AppPolicy.load(file, os: OSVersion(major: 18, minor: 4)).policy)
  }

  @Test func aPolicyThatCoversTheHostPasses() async throws {
    let origin = try withoutForwardSecrecy()
    let app = try policy(
      "<dict><key>NSExceptionDomains</key><dict><key>a.test</key><dict><key>NSExceptionRequiresForwardSecrecy</key><false/></dict></dict></dict>"
    )
    let all = try await Examined.hosts(
      ["a.test"], [Examined.configuration(["a.test:443": origin.address])], policies: [app])
    #expect(all.first?.first?.policy?.passes == true)
    #expect(all.first?.first?.policy?.change == [])
  }

  @Test func aPolicyThatDoesNotIsToldWhatToChange() async throws {
    let origin = try withoutForwardSecrecy()
    let app = try policy(
      "<dict><key>NSExceptionDomains</key><dict><key>a.test</key><dict><key>NSIncludesSubdomains</key><true/></dict></dict></dict>"
    )
    let all = try await Examined.hosts(
      ["a.test"], [Examined.configuration(["a.test:443": origin.address])], policies: [app])
    let verdict = try #require(all.first?.first?.policy)
    #expect(verdict.objections.map(\.name) == ["forward-secrecy"])
    #expect(
      verdict.change.filter { !$0.hasPrefix(" ") } == [
        "+\t\t\t<key>NSExceptionRequiresForwardSecrecy</key>", "+\t\t\t<false/>",
      ])
    #expect(verdict.change.contains(" \t\t\t<key>NSIncludesSubdomains</key>"))
  }

  @Test func aFileThatIsNoInfoPlistIsRefused() {
    let (policy, findings) = AppPolicy.load("/nonexistent/\"x\\.plist", os: OSVersion(major: 18, minor: 4))
    #expect(policy == nil)
    #expect(findings.contains { $0.level == .error })
  }
}
