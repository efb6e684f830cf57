/// Collects findings about one trust policy.
struct TrustLinter {
  let policy: TrustPolicy
  let now: Int64
  private(set) var findings: [Finding] = []

  /// How long before its end somebody should hear of it, in seconds.
  private static let notice: Int64 = 30 * 86_400

  init(policy: TrustPolicy, now: Int64) {
    self.policy = policy
    self.now = now
  }

  private mutating func warn(_ keyPath: String, _ message: String) {
    findings.append(Finding(level: .warning, keyPath: keyPath, message: message))
  }

  private mutating func note(_ keyPath: String, _ message: String) {
    findings.append(Finding(level: .note, keyPath: keyPath, message: message))
  }

  mutating func lint() {
    if policy.allowInvalidCertificates { lintPermission() }
    if !policy.validatesDomainName, !policy.allowInvalidCertificates {
      warn(
        "validatesDomainName",
        "`validatesDomainName: false` accepts the certificate of any site for the hosts of this policy; take it away, and let the "
          + "origin have a certificate with its name")
    }
    lintPinning()
    lintBackup()
    lintExpiry()
    if !policy.enforce, policy.pins.isEmpty, policy.pinning == .none {
      note("enforce", "`enforce: false` has no effect, for nothing is pinned; add pins or take it away")
    }
  }

  private mutating func lintPermission() {
    let key = "allowInvalidCertificates"
    let recipe = "`allowInvalidCertificates: true` with `validatesDomainName: false`"
    let instead = "; pin by certificate with the name validated, or add the private root to `anchors`"
    switch (policy.pinning, policy.validatesDomainName) {
    case (.none, true):
      warn(
        key,
        "`allowInvalidCertificates: true` refuses every server while the name is validated and nothing is pinned, as in AFSecurityPolicy"
          + instead)
    case (.none, false):
      warn(
        key,
        policy.pins.isEmpty
          ? "this accepts any server: \(recipe) checks neither chain nor host" + instead
          : "\(recipe) checks neither chain nor host: only `pins` protect the connection" + instead)
    case (.publicKey, false):
      warn(
        key,
        "this accepts any server that shows a pinned key anywhere in its chain: \(recipe) checks neither chain nor host"
          + instead)
    case (.publicKey, true):
      warn(
        key,
        "`allowInvalidCertificates: true` with `pinning: \"publicKey\"` checks neither chain nor host, only that some key of the chain "
          + "is pinned, and anybody can put that certificate into a chain" + instead)
    case (.certificate, true):
      // The usual way to trust a private authority.
      note(
        key,
        "with `allowInvalidCertificates: true` the chain needs to lead to the pinned certificates only; `anchors` say the same"
      )
    case (.certificate, false):
      warn(
        key,
        "\(recipe): the chain needs to lead to the pinned certificates only, and its host name is not checked; take "
          + "`validatesDomainName: false` away")
    }
  }

  private mutating func lintPinning() {
    let mode = policy.pinning
    if mode != .none, policy.certificates.isEmpty {
      warn(
        "certificates",
        "`pinning: \"\(mode.rawValue)\"` without `certificates` refuses every server; add them, or write `pinning: \"none\"`"
      )
    }
    if mode == .none, !policy.certificates.isEmpty {
      warn(
        "pinning",
        "`certificates` have no effect with `pinning: \"none\"`; write \"certificate\" or \"publicKey\", or take them away"
      )
    }
    if policy.validatesCertificateChain, mode == .none {
      warn(
        "validatesCertificateChain",
        "`validatesCertificateChain` has no effect with `pinning: \"none\"`; pin by \"certificate\" or \"publicKey\", or take it away"
      )
    }
    guard mode == .certificate else { return }
    for certificate in policy.certificates where certificate.notAfter < now {
      warn(
        "certificates",
        "the pinned certificate of \"\(OriginRequirements.excerpt(certificate.subject))\" in `certificates` expired on "
          + "\(CalendarDay(secondsSince1970: certificate.notAfter)), so no chain can lead to it; pin its successor")
    }
  }

  private mutating func lintBackup() {
    if policy.pins.count == 1 {
      note(
        "pins",
        "`pins` has only one pin and no backup: when its key is lost no server can be reached; add the pin of a spare key"
      )
    }
    if policy.pinning != .none, policy.certificates.count == 1 {
      note(
        "certificates",
        "`certificates` has only one certificate and no backup: when the origin renews, no server can be reached; add its successor"
      )
    }
  }

  private mutating func lintExpiry() {
    guard let expires = policy.expires else { return }
    let day = CalendarDay(secondsSince1970: expires)
    if expires < now {
      warn(
        "expires",
        "`expires`, \(day), lies in the past, so neither pins nor certificates are looked at and the system's validation decides; renew "
          + "the pins and move it")
    } else if expires < now + Self.notice {
      note("expires", "`expires`, \(day), is near: from then on nothing is pinned; renew the pins and move it")
    }
  }
}
