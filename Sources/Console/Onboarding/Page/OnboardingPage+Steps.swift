import Records

/// What is to be done on each system, step by step. A step that the doctor has seen done gets its mark.
extension OnboardingPage {
  /// The card of the reader's own system.
  func steps(_ system: DeviceSystem) -> String {
    """
    <section class="card own" aria-labelledby="steps">
    <h2 id="steps">\(words(system.title))</h2>
    \(list(system))</section>

    """
  }

  func list(_ system: DeviceSystem) -> String {
    switch system {
    case .ios: ordered([iosProxy, iosDownload, step("profile", .iosInstall), iosTrust])
    case .android: ordered([proxyStep(.androidProxy), androidDownload, step("trust", .androidInstall)]) + androidNotes
    case .mac: ordered([proxyStep(.macProxy), pemStep(.macDownload), macInstall]) + macNotes
    case .windows:
      ordered([
        proxyStep(.windowsProxy), step("download", .macDownload, link(OnboardingPath.der, .getDER)),
        step("trust", .windowsInstall, Self.commands("certutil -user -addstore Root pinwarden-ca.crt")),
      ])
    case .linux: ordered([linuxProxy, pemStep(.macDownload), linuxInstall]) + linuxNotes
    case .firefox:
      ordered([proxyStep(.firefoxProxy), pemStep(.macDownload), step("trust", .firefoxInstall)])
    case .programs: "<div class=\"notes\">\n<p>\(words(.programsText))</p>\n\(programs)</div>\n"
    }
  }

  // MARK: steps

  private var iosProxy: String {
    let hasProfile = site.network.flatMap { WirelessNetwork(name: $0, proxy: request.proxy) } != nil
    let note = hasProfile ? "<p>\(words(.iosProxyProfile, ["network": site.network ?? ""]))</p>\n" : ""
    return step("proxy", .iosProxy, place + note)
  }

  private var iosDownload: String { step("download", .iosDownload, link(OnboardingPath.profile, .getProfile)) }

  private var iosTrust: String {
    step("trust", .iosTrust, values: ["name": site.authority.name])
  }

  private var androidDownload: String { step("download", .androidDownload, link(OnboardingPath.der, .getDER)) }

  private var macInstall: String {
    step(
      "trust", .macInstall,
      Self.commands(
        "sudo security add-trusted-cert -d -r trustRoot \\\n  -k /Library/Keychains/System.keychain ~/Downloads/pinwarden-ca.pem"
      ))
  }

  private var linuxProxy: String { step("proxy", .linuxProxy, place + Self.commands(environment)) }

  private var linuxInstall: String {
    step(
      "trust", .linuxInstall,
      Self.commands(
        "sudo cp pinwarden-ca.pem /usr/local/share/ca-certificates/pinwarden-ca.crt\nsudo update-ca-certificates"))
  }

  private func proxyStep(_ text: OnboardingText) -> String { step("proxy", text, place) }

  private func pemStep(_ text: OnboardingText) -> String {
    step("download", text, link(OnboardingPath.pem, .getPEM))
  }

  private func ordered(_ steps: [String]) -> String { "<ol class=\"steps\">\n\(steps.joined())</ol>\n" }

  private func step(
    _ name: String, _ text: OnboardingText, _ more: String = "", values: [String: String] = [:]
  ) -> String {
    "<li data-step=\"\(name)\">\n<p>\(words(text, values))</p>\n\(more)</li>\n"
  }

  // MARK: notes

  private var androidNotes: String {
    let file = String(OnboardingPath.android(site.authority).dropFirst())
    return """
      <div class="notes">
      <p>\(words(.androidApps))</p>
      \(Self.commands("<debug-overrides>\n  <trust-anchors>\n    <certificates src=\"user\" />\n  </trust-anchors>\n</debug-overrides>"))\
      <p>\(words(.androidEmulator))</p>
      \(link(OnboardingPath.android(site.authority), .getAndroid, ["file": file]))\
      \(Self.commands("adb root && adb remount\nadb push \(file) /system/etc/security/cacerts/\nadb reboot"))</div>

      """
  }

  private var macNotes: String {
    "<div class=\"notes\">\n<p>\(words(.macSimulator))</p>\n"
      + Self.commands("xcrun simctl keychain booted add-root-cert ~/Downloads/pinwarden-ca.pem") + "</div>\n"
  }

  private var linuxNotes: String {
    "<div class=\"notes\">\n<p>\(words(.linuxChromium))</p>\n"
      + Self.commands("certutil -d sql:$HOME/.pki/nssdb -A -t C,, \\\n  -n pinwarden -i pinwarden-ca.pem") + "</div>\n"
  }

  private var programs: String {
    let file = "pinwarden-ca.pem"
    return link(OnboardingPath.pem, .getPEM)
      + Self.commands(
        environment + """

          export SSL_CERT_FILE=$PWD/\(file) CURL_CA_BUNDLE=$PWD/\(file)
          export REQUESTS_CA_BUNDLE=$PWD/\(file) NODE_EXTRA_CA_CERTS=$PWD/\(file)
          """)
  }

  // MARK: parts

  /// Where the proxy is, to be typed into settings.
  private var place: String {
    guard let proxy = WirelessNetwork(name: "", proxy: request.proxy) else {
      return request.proxy.isEmpty
        ? "<p>\(words(.noProxy))</p>\n" : "<p class=\"address\"><code>\(PageText.escaped(request.proxy))</code></p>\n"
    }
    return """
      <dl class="place">
      <div><dt>\(words(.server))</dt><dd><code>\(PageText.escaped(proxy.server))</code></dd></div>
      <div><dt>\(words(.port))</dt><dd><code>\(proxy.port)</code></dd></div>
      </dl>

      """
  }

  private var environment: String {
    let url = request.proxy.contains("://") ? request.proxy : "http://\(request.proxy)"
    return "export http_proxy=\(url) https_proxy=\(url)"
  }

  private func link(_ path: String, _ text: OnboardingText, _ values: [String: String] = [:]) -> String {
    "<p><a class=\"button\" href=\"\(path)\">\(words(text, values))</a></p>\n"
  }

  private static func commands(_ text: String) -> String {
    "<pre tabindex=\"0\"><code>\(PageText.lines(text))</code></pre>\n"
  }
}
