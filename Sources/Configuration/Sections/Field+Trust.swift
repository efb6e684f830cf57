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

  /// Reports what the linter has to say about the policy.
  func lint() {
    for finding in policy.lint(now: field.reading.now) { field.add(finding) }
  }
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
}
