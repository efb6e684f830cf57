import Policy
import TLS

extension Field {
  /// Lifetimes of leaves: Apple accepts 825 days at most, also below a root that the user installed.
  private static let leafLifetimes = Duration.seconds(3600)...Duration.seconds(825 * 86_400)

  func authority() -> AuthoritySettings? {
    section { section in
      var settings = AuthoritySettings()
      section.read("leafLifetime", into: &settings.leafLifetime) { $0.duration(in: Self.leafLifetimes) }
      section.read("leafKey", into: &settings.leafKey) {
        $0.choice(of: [("P-256", PrivateKey.Kind.p256), ("RSA-2048", PrivateKey.Kind.rsa2048)])
      }
      let certificate = section.field("certificate")
      let key = section.field("key")
      if let certificate, let key {
        Self.readPair(certificate, key, into: &settings)
      } else if certificate != nil || key != nil {
        section.field.report(
          .error, "`certificate` and `key` belong together; without both an authority is made at the first start")
      }
      return settings
    }
  }

  private static func readPair(_ certificate: Field, _ key: Field, into settings: inout AuthoritySettings) {
    let certificates = certificate.certificates()
    let loaded = key.privateKey(passphrase: nil)
    guard let first = certificates?.first, let loaded else { return }
    guard loaded.matches(first) else {
      key.report(.error, "this key does not belong to the certificate of the authority, \(first.subject)")
      return
    }
    guard first.isCA else {
      certificate.report(.error, "\(first.subject) is no CA certificate, so no device accepts what it signs")
      return
    }
    certificate.warnOfDates(first, what: "the authority's certificate")
    settings.certificate = first
    settings.chain = Array(certificates?.dropFirst() ?? [])
    settings.key = loaded
  }
}
