extension TrustPolicy {
  /// What in the policy does not protect, or refuses everything. Key paths are relative to the policy; warnings and notes only.
  ///
  /// That loosening switches are effective only where ATS permits it depends on the hosts of the rules and is not judged here.
  public func lint() -> [Finding] {
    var findings: [Finding] = []
    func warn(_ keyPath: String, _ message: String) {
      findings.append(Finding(level: .warning, keyPath: keyPath, message: message))
    }
    if allowInvalidCertificates {
      // With certificate mode and the name validated it is the usual way to trust a private authority.
      let isSound = pinning == .certificate && validatesDomainName
      findings.append(
        Finding(
          level: isSound ? .note : .warning, keyPath: "allowInvalidCertificates", message: allowInvalidConsequence))
    }
    if !validatesDomainName, !allowInvalidCertificates {
      warn("validatesDomainName", "the certificate of any site is accepted for the hosts of this policy")
    }
    if pinning != .none, certificates.isEmpty {
      warn("certificates", "pinning by \(pinning.rawValue) without certificates refuses every origin")
    }
    if pinning == .none, !certificates.isEmpty {
      warn("pinning", "the certificates are not looked at while pinning is none")
    }
    if validatesCertificateChain, pinning == .none {
      warn("validatesCertificateChain", "it has no effect while pinning is none")
    }
    if enforce, pins.count == 1, pinning == .none {
      findings.append(
        Finding(
          level: .note, keyPath: "pins",
          message: "there is one pin and no backup: a new key at the origin locks clients out")
      )
    }
    return findings
  }

  private var allowInvalidConsequence: String {
    let scope = "; it takes effect only where ATS is off for the host or an exception has \(ATSKey.insecureHTTP)"
    switch (pinning, validatesDomainName) {
    case (.none, true):
      return "with the name validated and nothing pinned AFSecurityPolicy refuses every origin" + scope
    case (.none, false):
      return (pins.isEmpty ? "any certificate of anyone is accepted" : "only the pins protect the connection") + scope
    case (.publicKey, _): return "neither the chain nor the name is checked, only that some key is pinned" + scope
    case (.certificate, true): return "the chain needs to lead to the pinned certificates only" + scope
    case (.certificate, false):
      return "the chain needs to lead to the pinned certificates only, and the name is not checked" + scope
    }
  }
}
