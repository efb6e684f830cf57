import Names
import Policy
import TLS

/// A named trust policy with its certificates and its place in the file.
struct TrustDraft {
  var policy: TrustPolicy
  let material: TrustMaterial
  let requiresTransparency: Bool
  let field: Field

  /// Whether it would accept what the system's validation refuses.
  var loosens: Bool { policy.allowInvalidCertificates || !policy.validatesDomainName }
}

extension Field {
  func trustPolicies() -> [String: TrustDraft]? {
    guard let members = members("an object with a trust policy for each name is expected") else { return nil }
    var policies: [String: TrustDraft] = [:]
    for (name, field) in members { policies[name] = field.trustPolicy(name: name) }
    return policies
  }

  private func trustPolicy(name: String) -> TrustDraft? {
    section { section in
      var policy = TrustPolicy(name: name)
      var pinned: [Certificate] = []
      var anchors: [Certificate] = []
      var anchorsOnly = true
      var requiresTransparency = false
      section.read("pinning", into: &policy.pinning) { $0.choice(PinningMode.self) }
      section.read("certificates", into: &pinned) { $0.certificateList() }
      section.read("pins", into: &policy.pins) { $0.list { $0.pin() } }
      section.read("anchors", into: &anchors) { $0.certificateList() }
      section.read("anchorsOnly", into: &anchorsOnly) { $0.boolean() }
      section.read("allowInvalidCertificates", into: &policy.allowInvalidCertificates) { $0.boolean() }
      section.read("validatesDomainName", into: &policy.validatesDomainName) { $0.boolean() }
      section.read("validatesCertificateChain", into: &policy.validatesCertificateChain) { $0.boolean() }
      section.read("requiresCertificateTransparency", into: &requiresTransparency) { $0.boolean() }
      section.read("fetchIntermediates", into: &policy.fetchIntermediates) { $0.boolean() }
      section.read("expires", into: &policy.expires) { $0.moment() }
      section.read("enforce", into: &policy.enforce) { $0.boolean() }
      section.read("reportURIs", into: &policy.reportURIs) { $0.list { $0.reportURI() } }
      policy.certificates = pinned.map { CertificateFacts($0) }
      // With no anchors of its own there is nothing that could take the place of the general ones.
      let material = TrustMaterial(anchors: anchors, anchorsOnly: anchorsOnly && !anchors.isEmpty, pinned: pinned)
      section.field.warnOfWeaknesses(policy)
      return TrustDraft(
        policy: policy, material: material, requiresTransparency: requiresTransparency, field: section.field)
    }
  }

  private func certificateList() -> [Certificate]? {
    list("a list of files or folders is expected") { $0.certificatesOfFileOrFolder() }.map { $0.flatMap { $0 } }
  }

  private func pin() -> Pin? {
    let expected = "`sha256/` and the base64 of 32 bytes is expected"
    guard let text = string(expected) else { return nil }
    return Pin(text) ?? reject("\(shown) is no pin; \(expected)")
  }

  private func warnOfWeaknesses(_ policy: TrustPolicy) {
    if policy.allowInvalidCertificates, !policy.validatesDomainName, policy.pinning != .certificate {
      let what =
        policy.pinning == .none
        ? "this accepts any server" : "this accepts any server that shows a pinned key anywhere in its chain"
      report(
        .warning,
        "\(what): `allowInvalidCertificates: true` with `validatesDomainName: false` checks neither chain nor host")
    }
    if policy.pinning != .none, policy.certificates.isEmpty {
      report(.warning, "`pinning: \"\(policy.pinning.rawValue)\"` without `certificates` refuses every server")
    }
    if policy.pinning == .none, !policy.certificates.isEmpty {
      report(.warning, "`certificates` have no effect with `pinning: \"none\"`")
    }
    if let expires = policy.expires, expires < reading.now {
      report(.warning, "`expires` lies in the past, so neither pins nor certificates are looked at")
    }
    if policy.pins.count == 1 {
      report(
        .note, "there is only one pin; when its key is lost no server can be reached until a second one is configured")
    }
  }
}
