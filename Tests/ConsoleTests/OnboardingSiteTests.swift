import Foundation
import Records
import Testing

@testable import Console

@Suite struct OnboardingSiteTests {
  private let authority = PublicAuthority(
    name: "Lab <1> & Co CA", der: [0x30, 0x03, 0x02, 0x01, 0x01],
    pem: "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n", fingerprint: Array(0..<32))

  private func get(_ path: String, proxy: String = "192.0.2.1:8080") -> InternalAnswer {
    OnboardingSite(authority).answer(path: path, proxy: proxy)
  }

  private func text(_ answer: InternalAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

  @Test func pageShowsNameAndFingerprintAndLinksToEachFile() {
    let page = get("/")
    #expect(page.status == 200 && page.contentType.hasPrefix("text/html"))
    #expect(text(page).contains("00:01:02:03") && text(page).contains("1E:1F"))
    #expect(text(page).contains("Lab &lt;1&gt; &amp; Co CA") && !text(page).contains("<1>"))
    for path in ["/pinwarden-ca.pem", "/pinwarden-ca.crt", "/pinwarden.mobileconfig", "/proxy.pac"] {
      #expect(text(page).contains("href=\"\(path)\""))
      #expect(get(path).status == 200)
    }
  }

  @Test func pageIsSelfContained() {
    let page = text(get("/"))
    #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("<script"))
    #expect(!page.contains("href=\"http") && !page.contains("href=\"//"))
  }

  @Test func pageNamesTheNetwork() {
    let page = OnboardingSite(authority, network: "Lab<net>").answer(path: "/", proxy: "")
    #expect(text(page).contains("Lab&lt;net&gt;"))
  }

  @Test func certificatesComeInBothEncodings() {
    #expect(get("/pinwarden-ca.crt").body == authority.der)
    #expect(get("/pinwarden-ca.crt").contentType == "application/x-x509-ca-cert")
    #expect(text(get("/pinwarden-ca.pem")) == authority.pem)
    #expect(get("/pinwarden-ca.pem?x=1").status == 200)
  }

  @Test func profileIsAPropertyListWithStableIdentifiers() throws {
    let answer = get("/pinwarden.mobileconfig")
    #expect(answer.contentType == "application/x-apple-aspen-config")
    let profile = try #require(
      PropertyListSerialization.propertyList(from: Data(answer.body), format: nil) as? [String: Any])
    #expect(profile["PayloadType"] as? String == "Configuration")
    #expect(profile["PayloadVersion"] as? Int == 1)
    #expect(profile["PayloadUUID"] as? String == "00010203-0405-8607-8809-0A0B0C0D0E0F")
    #expect(profile["PayloadDisplayName"] as? String == authority.name)
    let payload = try #require((profile["PayloadContent"] as? [[String: Any]])?.first)
    #expect(payload["PayloadType"] as? String == "com.apple.security.root")
    #expect(payload["PayloadContent"] as? Data == Data(authority.der))
    #expect(payload["PayloadUUID"] as? String == "10111213-1415-8617-9819-1A1B1C1D1E1F")
    #expect(get("/pinwarden.mobileconfig").body == answer.body)
  }

  @Test func anotherAuthorityHasOtherIdentifiers() {
    let other = PublicAuthority(name: "x", der: [], pem: "", fingerprint: Array(32..<64))
    #expect(ConfigurationProfile(other).text.contains("20212223-2425-8627-A829-2A2B2C2D2E2F"))
  }

  @Test func proxySettingsNameTheListener() {
    let answer = get("/proxy.pac")
    #expect(answer.contentType == "application/x-ns-proxy-autoconfig")
    #expect(text(answer).contains("FindProxyForURL") && text(answer).contains("PROXY 192.0.2.1:8080"))
    #expect(text(get("/proxy.pac", proxy: "[2001:db8::1]:8080")).contains("PROXY [2001:db8::1]:8080"))
    #expect(text(get("/proxy.pac", proxy: "https://proxy.test:8443")).contains("HTTPS proxy.test:8443"))
  }

  @Test(arguments: ["", "a\"; evil()", "unix:/run/p.sock", "a b:1"])
  func proxySettingsAreRefusedForWhatIsNoAddress(proxy: String) {
    #expect(get("/proxy.pac", proxy: proxy).status == 404)
  }

  @Test(arguments: [
    "/nothing", "/api/exchanges", "/metrics", "/healthz", "/../state/authority.key", "/%2e%2e/etc/passwd", "", "*",
    "//pinwarden-ca.pem",
  ])
  func everythingElseIsNotFound(path: String) {
    #expect(get(path).status == 404)
  }
}
