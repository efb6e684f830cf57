public import Records

/// What devices find at `pinwarden.internal` through the proxy, and at the listener of its own: a page that tells how to trust the local
/// CA, the files for it, and the trust doctor.
///
/// Answers come from memory. It has no function of the console and nothing that is secret, and asks nobody who they are.
public struct OnboardingSite: InternalSite {
  static let host = "pinwarden.internal"

  let authority: PublicAuthority
  let network: String?
  let entrance: OnboardingEntrance?
  let devices: DeviceRegistry
  private let documents: [String: InternalAnswer]

  /// - Parameters:
  ///   - network: the name of the wireless network that devices should join.
  ///   - entrance: the listener of its own; nil: there is none.
  ///   - devices: where what the trust doctor sees is kept.
  public init(
    _ authority: PublicAuthority, network: String? = nil, entrance: OnboardingEntrance? = nil,
    devices: DeviceRegistry = DeviceRegistry()
  ) {
    self.authority = authority
    self.network = network
    self.entrance = entrance
    self.devices = devices
    documents = Self.documents(authority)
  }

  public func answer(_ request: InternalRequest) -> InternalAnswer {
    let place = String(request.path.prefix { $0 != "?" && $0 != "#" })
    if place == OnboardingPath.ping { return ping(request) }
    guard let answer = found(place, request) else { return Self.notFound }
    guard request.method == "GET" || request.method == "HEAD" else { return Self.notAllowed("GET, HEAD") }
    return answer
  }

  public func certificateRefused(client: String, lane: String, detail: String) {
    devices.note(.refusal(detail), of: Device.Key(client: client, lane: lane))
  }

  /// nil: there is nothing.
  private func found(_ place: String, _ request: InternalRequest) -> InternalAnswer? {
    if let document = documents[place] {
      if OnboardingPath.isTrusted(place) { devices.note(.download, of: request.device, userAgent: request.userAgent) }
      return document
    }
    switch place {
    case OnboardingPath.page: return page(request)
    case OnboardingPath.status: return status(request)
    case OnboardingPath.profile: return profile(request)
    case OnboardingPath.picture: return picture(request)
    case OnboardingPath.proxy: return automaticProxy(request)
    case OnboardingPath.android(authority): return Self.file(authority.pem, "application/x-pem-file", place)
    default: return nil
    }
  }

  // MARK: documents

  private static func documents(_ authority: PublicAuthority) -> [String: InternalAnswer] {
    [
      OnboardingPath.pem: file(authority.pem, "application/x-pem-file", OnboardingPath.pem),
      OnboardingPath.der: InternalAnswer(
        status: 200, contentType: "application/x-x509-ca-cert", fileName: "pinwarden-ca.crt", fields: protection,
        body: authority.der),
      OnboardingPath.style: shown(OnboardingStyle.text, "text/css; charset=utf-8"),
      OnboardingPath.script: shown(OnboardingScript.text, "text/javascript; charset=utf-8"),
      OnboardingPath.icon: shown(OnboardingStyle.icon, "image/svg+xml"),
    ]
  }

  private func page(_ request: InternalRequest) -> InternalAnswer {
    devices.note(.visit(request.way), of: request.device, userAgent: request.userAgent)
    var answer = Self.shown(OnboardingPage(self, request).text, "text/html; charset=utf-8")
    answer.fields += [
      InternalAnswer.Field("Content-Security-Policy", Self.policy), InternalAnswer.Field("Vary", "Accept-Language"),
    ]
    return answer
  }

  private func profile(_ request: InternalRequest) -> InternalAnswer {
    devices.note(.download, of: request.device, userAgent: request.userAgent)
    let wireless = network.flatMap { WirelessNetwork(name: $0, proxy: request.proxy) }
    return Self.file(
      ConfigurationProfile(authority, network: wireless).text, ConfigurationProfile.contentType, OnboardingPath.profile)
  }

  private func picture(_ request: InternalRequest) -> InternalAnswer? {
    QRCode(address(for: request)).map { Self.shown($0.svg, "image/svg+xml") }
  }

  private func automaticProxy(_ request: InternalRequest) -> InternalAnswer? {
    ProxyAutoConfiguration.text(proxy: request.proxy).map { Self.shown($0, ProxyAutoConfiguration.contentType) }
  }

  /// What another device opens to get here.
  func address(for request: InternalRequest) -> String {
    entrance?.url(local: request.proxy) ?? "http://\(Self.host)/"
  }

  // MARK: answers

  static func shown(_ text: String, _ type: String) -> InternalAnswer {
    InternalAnswer(status: 200, contentType: type, fields: protection, body: Array(text.utf8))
  }

  private static func file(_ text: String, _ type: String, _ place: String) -> InternalAnswer {
    InternalAnswer(
      status: 200, contentType: type, fileName: String(place.dropFirst()), fields: protection, body: Array(text.utf8))
  }

  private static var notFound: InternalAnswer {
    InternalAnswer(
      status: 404, contentType: "text/plain; charset=utf-8", fields: protection,
      body: Array("There is nothing here. The page for devices is http://\(host)/\n".utf8))
  }

  static func notAllowed(_ methods: String) -> InternalAnswer {
    InternalAnswer(
      status: 405, contentType: "text/plain; charset=utf-8", fields: protection + [.init("Allow", methods)],
      body: Array("Served are: \(methods)\n".utf8))
  }

  private static let protection: [InternalAnswer.Field] = [
    .init("X-Content-Type-Options", "nosniff"), .init("X-Frame-Options", "DENY"),
    .init("Referrer-Policy", "no-referrer"),
  ]

  /// The page asks the site itself, and pings it under its name in both schemes, wherever it came from.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    + "connect-src 'self' http://\(host) https://\(host); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

extension InternalRequest {
  var device: Device.Key { Device.Key(client: client, lane: lane) }
}
