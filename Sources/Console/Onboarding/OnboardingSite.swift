public import Records

/// What devices find at `pinwarden.internal` through the proxy: a page that tells how to trust the local CA, and the files for it.
///
/// Everything is put together once; answers come from memory. It has no function of the console and nothing that is secret.
public struct OnboardingSite: InternalSite {
  private let documents: [String: InternalAnswer]

  /// - Parameter network: the name of the wireless network that devices should join, for the page.
  public init(_ authority: PublicAuthority, network: String? = nil) {
    let page = OnboardingPage(authority: authority, network: network)
    documents = [
      "/": InternalAnswer(status: 200, contentType: "text/html; charset=utf-8", body: Array(page.text.utf8)),
      OnboardingPage.pemPath: InternalAnswer(
        status: 200, contentType: "application/x-pem-file", fileName: "pinwarden-ca.pem",
        body: Array(authority.pem.utf8)),
      OnboardingPage.derPath: InternalAnswer(
        status: 200, contentType: "application/x-x509-ca-cert", fileName: "pinwarden-ca.crt", body: authority.der),
      OnboardingPage.profilePath: InternalAnswer(
        status: 200, contentType: ConfigurationProfile.contentType, fileName: "pinwarden.mobileconfig",
        body: Array(ConfigurationProfile(authority).text.utf8)),
    ]
  }

  public func answer(path: String, proxy: String) -> InternalAnswer {
    let place = path.prefix { $0 != "?" && $0 != "#" }
    if let document = documents[String(place)] { return document }
    if place == OnboardingPage.proxyPath, let text = ProxyAutoConfiguration.text(proxy: proxy) {
      return InternalAnswer(
        status: 200, contentType: ProxyAutoConfiguration.contentType, body: Array(text.utf8))
    }
    return InternalAnswer(
      status: 404, contentType: "text/plain; charset=utf-8",
      body: Array("There is nothing here. The page for devices is http://pinwarden.internal/\n".utf8))
  }
}
