import Foundation
import Records
import Testing

@testable import Console

@Suite struct ConfigurationProfileTests {
  private let authority = Kit.authority

  private func profile(network: String? = nil, proxy: String = "192.0.2.1:8080") throws -> [String: Any] {
    let answer = OnboardingSite(authority, network: network).answer(
      InternalRequest(path: "/pinwarden.mobileconfig", proxy: proxy))
    #expect(answer.contentType == "application/x-apple-aspen-config" && answer.fileName == "pinwarden.mobileconfig")
    let list = try PropertyListSerialization.propertyList(from: Data(answer.body), format: nil)
    return try #require(list as? [String: Any])
  }

  private func payloads(_ profile: [String: Any]) -> [[String: Any]] {
    profile["PayloadContent"] as? [[String: Any]] ?? []
  }

  @Test func itIsAPropertyListWithStableIdentifiers() throws {
    let profile = try profile()
    #expect(profile["PayloadType"] as? String == "Configuration")
    #expect(profile["PayloadVersion"] as? Int == 1)
    #expect(profile["PayloadUUID"] as? String == "00010203-0405-8607-8809-0A0B0C0D0E0F")
    #expect(profile["PayloadDisplayName"] as? String == authority.name)
    let payload = try #require(payloads(profile).first)
    #expect(payloads(profile).count == 1)
    #expect(payload["PayloadType"] as? String == "com.apple.security.root")
    #expect(payload["PayloadContent"] as? Data == Data(authority.der))
    #expect(payload["PayloadUUID"] as? String == "10111213-1415-8617-9819-1A1B1C1D1E1F")
  }

  @Test func anotherAuthorityHasOtherIdentifiers() {
    let other = PublicAuthority(name: "x", der: [], pem: "", fingerprint: Array(32..<64))
    #expect(ConfigurationProfile(other).text.contains("20212223-2425-8627-A829-2A2B2C2D2E2F"))
  }

  @Test func aNetworkBringsTheProxy() throws {
    let profile = try profile(network: "Lab & <Co>", proxy: "[2001:db8::1]:8080")
    let wireless = try #require(payloads(profile).last)
    #expect(payloads(profile).count == 2 && wireless["PayloadType"] as? String == "com.apple.wifi.managed")
    #expect(wireless["SSID_STR"] as? String == "Lab & <Co>")
    #expect(wireless["ProxyType"] as? String == "Manual" && wireless["ProxyServer"] as? String == "2001:db8::1")
    #expect(wireless["ProxyServerPort"] as? Int == 8080)
    #expect(wireless["EncryptionType"] as? String == "Any" && wireless["AutoJoin"] as? Bool == true)
    #expect(wireless["HIDDEN_NETWORK"] as? Bool == false && wireless["Password"] == nil)
    let identifiers = payloads(profile).compactMap { $0["PayloadUUID"] as? String }
    #expect(Set(identifiers + [profile["PayloadUUID"] as? String ?? ""]).count == 3)
    #expect(identifiers.allSatisfy { UUID(uuidString: $0) != nil })
  }

  @Test func theNetworkHasAnIdentifierOfItsOwnThatStays() throws {
    func identifier(_ network: String, proxy: String) throws -> String? {
      payloads(try profile(network: network, proxy: proxy)).last?["PayloadUUID"] as? String
    }
    let one = try identifier("Lab", proxy: "192.0.2.1:8080")
    #expect(try one == identifier("Lab", proxy: "192.0.2.2:8081"))
    #expect(try one != identifier("lab", proxy: "192.0.2.1:8080"))
  }

  @Test(arguments: ["https://proxy.test:8443", "socks5://192.0.2.1:1080", "", "192.0.2.1", ":8080", "a:0", "a:99999"])
  func aProxyThatAProfileCannotNameIsLeftOut(proxy: String) throws {
    #expect(payloads(try profile(network: "Lab", proxy: proxy)).count == 1)
  }
}
