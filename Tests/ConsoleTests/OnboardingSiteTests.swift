import EventLoop
import Foundation
import Records
import Testing

@testable import Console

@Suite struct OnboardingSiteTests {
  private let authority = Kit.authority

  private func get(_ path: String, proxy: String = "192.0.2.1:8080") -> InternalAnswer {
    OnboardingSite(authority).answer(InternalRequest(path: path, proxy: proxy))
  }

  private func text(_ answer: InternalAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

  // MARK: the page

  @Test func pageShowsNameAndFingerprintAndLinksToEachFile() {
    let page = get("/")
    #expect(page.status == 200 && page.contentType == "text/html; charset=utf-8")
    #expect(text(page).contains("00:01:02:03") && text(page).contains("1E:1F"))
    #expect(text(page).contains("Lab &lt;1&gt; &amp; Co CA") && !text(page).contains("<1>"))
    for path in ["/pinwarden-ca.pem", "/pinwarden-ca.crt", "/pinwarden.mobileconfig", "/proxy.pac", "/0a1b2c3d.0"] {
      #expect(text(page).contains("href=\"\(path)\""))
      #expect(get(path).status == 200)
    }
  }

  /// A policy without inline code holds only if the page has none; what it names must be there.
  @Test func pageIsSelfContained() throws {
    let page = get("/")
    let policy = try #require(page.allFields.first { $0.name == "Content-Security-Policy" }?.value)
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("*"))
    let html = text(page)
    #expect(!html.contains(" style=\"") && !html.contains("<style") && !html.contains("onclick"))
    for match in html.matches(of: /(?:src|href)="([^"]+)"/) where !match.1.hasPrefix("?") {
      #expect(match.1.hasPrefix("/") && !match.1.hasPrefix("//"))
      #expect(get(String(match.1)).status == 200, "\(match.1)")
    }
    #expect(html.matches(of: /<script/).count == 1)
  }

  @Test(arguments: OnboardingLanguage.allCases, DeviceSystem.allCases)
  func everyPageIsFilledIn(language: OnboardingLanguage, system: DeviceSystem) throws {
    var request = InternalRequest(path: "/?lang=\(language.code)", proxy: "[2001:db8::1]:8080")
    request.userAgent = Self.agents[system] ?? ""
    let html = text(OnboardingSite(authority, network: "Lab<net>").answer(request))
    #expect(html.contains("<html lang=\"\(language.rawValue)\" data-system=\"\(system.rawValue)\""))
    #expect(html.contains("id=\"steps\">\(language.words[system.title] ?? "?")<"))
    #expect(html.contains("Lab&lt;net&gt;") && html.contains("<code>2001:db8::1</code>"))
    for sign in ["{name}", "{network}", "{file}", "`", "*"] { #expect(!html.contains(sign), "\(sign)") }
    // Every element that is opened is closed.
    for element in ["section", "ol", "ul", "li", "details", "p", "div", "span", "code", "pre", "b", "a", "dl"] {
      let opened = html.matches(of: try Regex("<\(element)[ >]")).count
      #expect(opened == html.components(separatedBy: "</\(element)>").count - 1, "\(element)")
    }
    #expect(
      DeviceSystem.allCases.filter { html.contains("<details class=\"system\" id=\"\($0.rawValue)\">") }.count == 6)
  }

  private static let agents: [DeviceSystem: String] = [
    .ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605 Version/18.4 Mobile Safari/604.1",
    .android: "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36",
    .mac: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.4 Safari/605.1.15",
    .windows: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/138.0 Safari/537.36",
    .linux: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/138.0 Safari/537.36",
    .firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", .programs: "curl/7.88.1",
  ]

  @Test func pageSaysWhatTheRequestItselfShows() {
    func page(_ way: InternalRequest.Way) -> String {
      var request = InternalRequest(path: "/", proxy: "")
      request.way = way
      return text(OnboardingSite(authority).answer(request))
    }
    #expect(page(.direct).contains("data-step=\"proxy\" data-state=\"waiting\""))
    #expect(page(.proxy).contains("data-step=\"proxy\" data-state=\"ok\""))
    #expect(page(.proxy).contains("data-step=\"trust\" data-state=\"waiting\""))
    #expect(page(.securedProxy).contains("data-step=\"trust\" data-state=\"ok\""))
  }

  // MARK: files

  @Test func certificatesComeInEveryForm() {
    #expect(get("/pinwarden-ca.crt").body == authority.der)
    #expect(get("/pinwarden-ca.crt").contentType == "application/x-x509-ca-cert")
    #expect(text(get("/pinwarden-ca.pem")) == authority.pem)
    #expect(get("/pinwarden-ca.pem?x=1").status == 200)
    #expect(text(get("/0a1b2c3d.0")) == authority.pem && get("/0a1b2c3d.0").fileName == "0a1b2c3d.0")
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
    "/nothing", "/api/exchanges", "/api/devices", "/metrics", "/healthz", "/../state/authority.key",
    "/%2e%2e/etc/passwd", "", "*", "//pinwarden-ca.pem", "/doctor", "/doctor/", "/00000000.0",
  ])
  func everythingElseIsNotFound(path: String) {
    #expect(get(path).status == 404)
  }

  @Test func nothingCanBeChanged() {
    for path in ["/", "/pinwarden.mobileconfig", "/doctor/status", "/doctor/ping"] {
      var request = InternalRequest(path: path, proxy: "")
      request.method = "POST"
      let answer = OnboardingSite(authority).answer(request)
      #expect(answer.status == 405 && answer.fields.contains { $0.name == "Allow" && $0.value.hasPrefix("GET, HEAD") })
    }
  }

  // MARK: the address

  @Test(arguments: [
    ("0.0.0.0:8082", "192.0.2.1:8080", "http://192.0.2.1:8082/"),
    ("0.0.0.0:8082", "127.0.0.1:8080", "http://198.51.100.4:8082/"), ("0.0.0.0:8082", "", "http://198.51.100.4:8082/"),
    ("[::]:8082", "[2001:db8::1]:8080", "http://[2001:db8::1]:8082/"),
    ("192.0.2.9:8082", "192.0.2.1:8080", "http://192.0.2.9:8082/"),
    ("0.0.0.0:8082", "https://proxy.test:1", "http://198.51.100.4:8082/"),
  ])
  func theCodeCarriesAnAddressThatDevicesReach(listener: String, proxy: String, url: String) throws {
    let machine = ["127.0.0.1:0", "169.254.1.1:0", "[fe80::1]:0", "198.51.100.4:0"].map(Kit.address)
    let entrance = try #require(OnboardingEntrance(Kit.address(listener), machine: machine))
    let site = OnboardingSite(authority, entrance: entrance)
    let picture = site.answer(InternalRequest(path: "/qr.svg", proxy: proxy))
    #expect(picture.contentType == "image/svg+xml" && text(picture) == QRCode(url)?.svg)
    #expect(text(site.answer(InternalRequest(path: "/", proxy: proxy))).contains("<code>\(url)</code>"))
  }

  @Test func withoutAListenerTheCodeCarriesTheName() {
    #expect(text(get("/qr.svg")) == QRCode("http://pinwarden.internal/")?.svg)
    #expect(OnboardingEntrance(Kit.address("unix:/run/x.sock"), machine: []) == nil)
  }
}
