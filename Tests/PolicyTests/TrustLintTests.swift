import Policy
import Testing

struct TrustLintTests {
  private static func policy(_ change: (inout TrustPolicy) -> Void) -> TrustPolicy {
    var policy = TrustPolicy(name: "t")
    change(&policy)
    return policy
  }

  private static let pin = Pin(of: .sample(1))
  private static let spare = Pin(of: .sample(2))

  /// A policy, the level and key of a finding, and words that its message has.
  @Test(
    arguments: [
      (
        policy {
          ($0.pinning, $0.certificates, $0.allowInvalidCertificates) = (.publicKey, [.sample(1), .sample(2)], true)
          $0.validatesDomainName = false
        }, .warning, "allowInvalidCertificates", ["any server", "anywhere in its chain"]
      ),
      (
        policy {
          ($0.pinning, $0.certificates, $0.allowInvalidCertificates) = (.publicKey, [.sample(1), .sample(2)], true)
        },
        .warning, "allowInvalidCertificates", ["checks neither chain nor host", "publicKey", "anchors"]
      ),
      (
        policy { ($0.allowInvalidCertificates, $0.validatesDomainName) = (true, false) }, .warning,
        "allowInvalidCertificates", ["any server"]
      ),
      (
        policy { ($0.allowInvalidCertificates, $0.validatesDomainName, $0.pins) = (true, false, [pin, spare]) },
        .warning,
        "allowInvalidCertificates", ["only `pins` protect"]
      ),
      (
        policy { $0.allowInvalidCertificates = true }, .warning, "allowInvalidCertificates", ["refuses every server"]
      ),
      (
        policy {
          ($0.pinning, $0.certificates, $0.allowInvalidCertificates) = (.certificate, [.sample(1), .sample(2)], true)
        },
        .note, "allowInvalidCertificates", ["anchors"]
      ),
      (
        policy {
          ($0.pinning, $0.certificates, $0.allowInvalidCertificates) = (.certificate, [.sample(1), .sample(2)], true)
          $0.validatesDomainName = false
        }, .warning, "allowInvalidCertificates", ["host name is not checked"]
      ),
      (policy { $0.validatesDomainName = false }, .warning, "validatesDomainName", ["any site"]),
      (policy { $0.pinning = .certificate }, .warning, "certificates", ["refuses every server", "certificate"]),
      (policy { $0.pinning = .publicKey }, .warning, "certificates", ["refuses every server", "publicKey"]),
      (policy { $0.certificates = [.sample(1)] }, .warning, "pinning", ["no effect"]),
      (policy { $0.validatesCertificateChain = true }, .warning, "validatesCertificateChain", ["no effect"]),
      (
        policy {
          $0.pinning = .certificate
          $0.certificates = [.sample(1), .sample(2, days: 29)]
        }, .warning, "certificates", ["CN=a.test", "expired on 2025-12-31"]
      ),
      (policy { $0.pins = [pin] }, .note, "pins", ["no backup"]),
      (
        policy { ($0.pinning, $0.certificates) = (.publicKey, [.sample(1)]) }, .note, "certificates", ["no backup"]
      ),
      (policy { $0.expires = Samples.now - 1 }, .warning, "expires", ["in the past", "2025-12-31"]),
      (policy { $0.expires = Samples.now + Samples.day }, .note, "expires", ["is near", "2026-01-02"]),
      (policy { $0.enforce = false }, .note, "enforce", ["nothing is pinned"]),
    ] as [(TrustPolicy, Finding.Level, String, [String])])
  func findings(_ policy: TrustPolicy, _ level: Finding.Level, _ key: String, _ words: [String]) throws {
    let findings = policy.lint(now: Samples.now)
    let finding = try #require(findings.first { $0.level == level && $0.keyPath == key }, "\(findings)")
    for word in words { #expect(finding.message.contains(word), "\(finding.message)") }
    #expect(finding.message.contains(key) || finding.message.contains("`certificates`"), "\(finding.message)")
  }

  @Test(arguments: [
    policy { _ in }, policy { $0.pins = [pin, spare] },
    policy { ($0.pinning, $0.certificates) = (.certificate, [.sample(1), .sample(2)]) },
    policy { $0.expires = Samples.now + 365 * Samples.day },
  ])
  func nothingToSay(_ policy: TrustPolicy) {
    #expect(policy.lint(now: Samples.now).isEmpty)
  }
}
