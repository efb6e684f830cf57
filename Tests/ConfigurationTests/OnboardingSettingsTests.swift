import Policy
import Testing

@testable import Configuration

@Suite struct OnboardingSettingsTests {
  private static let open = "listeners: [{ address: '0.0.0.0:8080' }], access: { clients: ['192.168.0.0/16'] }"

  @Test(arguments: [
    "onboarding: { address: '127.0.0.1:8082', ssid: 'Lab' }", "onboarding: { address: 'unix:/run/x.sock' }",
    "\(open), onboarding: { address: '0.0.0.0:8082' }", "onboarding: { address: null, ssid: null }",
    "\(open), onboarding: { address: '0.0.0.0:0' }",
  ])
  func `what works is passed without a word`(_ text: String) {
    let result = load("{ \(text) }")
    #expect(result.configuration != nil && result.findings.isEmpty, "\(result.findings)")
  }

  @Test func `it is read`() throws {
    let onboarding = try #require(load("{ onboarding: { address: '[::1]:8082', ssid: 'Lab & Co' } }").configuration)
      .onboarding
    #expect("\(onboarding.address as ListenAddress?)".contains("8082") && onboarding.ssid == "Lab & Co")
  }

  @Test(arguments: ["127.0.0.1:8080", "127.0.0.1:8081"]) func `an address that is taken is an error`(_ address: String)
  {
    let result = load("{ onboarding: { address: '\(address)' } }")
    #expect(result.findings(.error).map(\.keyPath) == ["onboarding.address"])
  }

  @Test func `what devices could not go on with is a warning`() {
    let closed = load("{ onboarding: { address: '0.0.0.0:8082' } }")
    #expect(closed.configuration != nil && closed.findings(.warning).count == 2)
    #expect(closed.findings(.warning).allSatisfy { $0.keyPath == "onboarding.address" && $0.line == 1 })
    let loopback = load("{ access: { clients: ['192.168.0.0/16'] }, onboarding: { address: '0.0.0.0:8082' } }")
    #expect(loopback.said(.warning).contains("not the proxy"))
  }
}
