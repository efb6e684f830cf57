/// The paths of the site for devices. There are no others.
enum OnboardingPath {
  static let page = "/"
  static let style = "/onboarding.css"
  static let script = "/onboarding.js"
  static let icon = "/icon.svg"
  static let picture = "/qr.svg"
  static let pem = "/pinwarden-ca.pem"
  static let der = "/pinwarden-ca.crt"
  static let profile = "/pinwarden.mobileconfig"
  static let proxy = "/proxy.pac"
  static let ping = "/doctor/ping"
  static let status = "/doctor/status"

  /// The certificate under the name that it has in Android's store of system certificates.
  static func android(_ authority: PublicAuthority) -> String { "/\(authority.hash).0" }

  /// Whether a document is what a device installs.
  static func isTrusted(_ place: String) -> Bool { place == pem || place == der }
}
