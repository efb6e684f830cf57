import Foundation
import Policy
import TLS
import Testing

@testable import Configuration

@Suite struct TrustAndIdentityTests {
  private static let home = ["HOME": "/home/tester", "P12": "secret", "WRONG": "marker-4711"]

  private func identity(_ members: String, environment: [String: String] = home) -> LoadResult {
    load("{ identities: { corp: { \(members) } } }", environment: environment)
  }

  @Test(arguments: [
    "certificate: 'client.pem', key: 'client.key'",
    "certificate: 'client.pem', key: 'encrypted.key', passphrase: { env: 'P12' }",
    "pkcs12: 'modern.p12', passphrase: { env: 'P12' }",
    "pkcs12: 'rc2.p12', passphrase: { env: 'P12' }",
    "pkcs12: 'nomac.p12', passphrase: { env: 'P12' }, allowUnauthenticated: true",
    "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { friendlyName: 'Corp' }",
    "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { subject: 'Alice', issuer: 'Test Root' }",
    "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { localKeyID: '01' }",
  ])
  func `identities of every kind are loaded`(_ members: String) throws {
    let result = identity(members)
    let identity = try #require(result.configuration?.defaultLane.identities["corp"], "\(result.said(.error))")
    #expect(identity.name == "corp" && identity.leaf.commonName == "Alice")
    #expect(identity.key.matches(identity.leaf))
  }

  /// What is wrong with the identity, the key path and words of the error.
  @Test(arguments: [
    ("pkcs12: 'missing.p12'", "identities.corp.pkcs12", ["missing.p12", "No such file"]),
    ("pkcs12: 'x.p12', passphrase: 'inline-secret'", "identities.corp.passphrase", ["env", "credential"]),
    ("pkcs12: 'modern.p12', passphrase: { env: 'NONE' }", "identities.corp.passphrase.env", ["NONE"]),
    ("pkcs12: 'modern.p12', passphrase: { file: 'none' }", "identities.corp.passphrase.file", ["none"]),
    (
      "pkcs12: 'modern.p12', passphrase: { credential: 'c' }", "identities.corp.passphrase.credential",
      ["CREDENTIALS_DIRECTORY"]
    ),
    ("pkcs12: 'modern.p12', passphrase: { credential: '../c' }", "identities.corp.passphrase.credential", ["../c"]),
    ("pkcs12: 'modern.p12', passphrase: { env: 'WRONG' }", "identities.corp.pkcs12", ["passphrase"]),
    ("pkcs12: 'nomac.p12', passphrase: { env: 'P12' }", "identities.corp.pkcs12", ["MAC"]),
    (
      "pkcs12: 'two.p12', passphrase: { env: 'P12' }", "identities.corp.pkcs12",
      ["Corp", "Other", "select", "subject CN=Alice", "issuer CN=Test Root", "localKeyID", "sha256"]
    ),
    (
      "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { issuer: 'Test Root' }", "identities.corp.pkcs12",
      ["fits several", "Corp", "Other"]
    ),
    ("pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: {}", "identities.corp.select", ["names nothing"]),
    (
      "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { localKeyID: '0x1' }",
      "identities.corp.select.localKeyID", ["hexadecimal"]
    ),
    (
      "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { friendlyName: 'X' }", "identities.corp.pkcs12",
      ["Corp", "Other"]
    ),
    (
      "pkcs12: 'two.p12', passphrase: { env: 'P12' }, select: { sha256: 'ab' }", "identities.corp.select.sha256", ["64"]
    ),
    ("pkcs12: 'client.pem'", "identities.corp.pkcs12", ["client.pem"]),
    ("certificate: 'client.pem', key: 'other.key'", "identities.corp.key", ["does not belong"]),
    ("certificate: 'client.pem'", "identities.corp", ["key"]),
    ("certificate: 'none.pem', key: 'client.key'", "identities.corp.certificate", ["none.pem"]),
    ("certificate: 'client.pem', key: 'encrypted.key'", "identities.corp.key", ["passphrase"]),
    ("certificate: 'weak.pem', key: 'weak.key'", "identities.corp", ["1024", "allowWeakKey"]),
    ("certificate: 'client.pem', key: 'client.key', select: {}", "identities.corp", ["select"]),
  ])
  func `an identity that cannot be used is an error`(_ members: String, _ path: String, _ words: [String]) {
    let result = identity(members)
    let said = result.said(.error)
    #expect(result.configuration == nil)
    #expect(result.findings(.error).map(\.keyPath).contains(path), "\(said)")
    for word in words { #expect(said.contains(word), "\(said)") }
    #expect(!said.contains("marker-4711") && !said.contains("inline-secret"), "secrets are not shown")
  }

  /// The certificate, made for now, and words of the warning.
  @Test(arguments: [
    ([CertificateDraft.Purpose.serverAuthentication], 60, ["clientAuth", "never sent"]), ([], 20, ["expires on"]),
    ([.clientAuthentication], 60, []), ([.any], 60, []), ([], -2, ["expired on", "never sent"]),
  ])
  func `what keeps an identity from being sent is warned of`(
    _ purposes: [CertificateDraft.Purpose], _ days: Int, _ words: [String]
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: "Alice", role: .leaf, keyUsage: .digitalSignature, purposes: purposes,
      notBefore: Fixtures.now - 90 * 86_400, notAfter: Fixtures.now + Int64(days) * 86_400)
    try draft.selfSigned(with: key).pem.write(toFile: "\(folder)/a.pem", atomically: true, encoding: .utf8)
    try key.pem().write(toFile: "\(folder)/a.key", atomically: true, encoding: .utf8)
    let result = identity("certificate: '\(folder)/a.pem', key: '\(folder)/a.key'")
    #expect(result.configuration != nil)
    let warnings = result.findings(.warning).filter { $0.keyPath == "identities.corp" }.map(\.message)
    #expect(warnings.count == (words.isEmpty ? 0 : 1), "\(warnings)")
    for word in words { #expect(warnings.joined().contains(word), "\(warnings)") }
  }

  @Test func `an identity that no rule names is noted, and one that a list names twice warned of`() {
    let corp = "identities: { corp: { certificate: 'client.pem', key: 'client.key' } }"
    #expect(load("{ \(corp) }").findings(.note).contains { $0.keyPath == "identities.corp" })
    let named = load("{ \(corp), rules: { hosts: [{ host: 'a.test', identity: ['corp', 'corp'] }] } }")
    #expect(!named.findings(.note).contains { $0.keyPath == "identities.corp" })
    #expect(named.findings(.warning).contains { $0.keyPath == "rules.hosts[0].identity" })
  }

  @Test func `weak and expired identities are warned of`() {
    let expired = identity("certificate: 'expired.pem', key: 'client.key'")
    #expect(expired.configuration != nil)
    #expect(expired.said(.warning).contains("identities.corp") && expired.said(.warning).contains("expired"))
    let weak = identity("certificate: 'weak.pem', key: 'weak.key', allowWeakKey: true")
    #expect(weak.configuration != nil && weak.said(.warning).contains("1024"))
    #expect(identity("pkcs12: 'rc2.p12', passphrase: { env: 'P12' }").said(.warning).contains("rewrap"))
  }

  @Test func `credentials come from the folder of systemd`() {
    let environment = ["HOME": "/h", "CREDENTIALS_DIRECTORY": Fixtures.folder]
    let result = load(
      "{ upstream: { anchors: { credential: 'root.pem' } }, authority: { certificate: { credential: 'root.pem' }, key: { credential: 'root.key' } } }",
      environment: environment)
    #expect(result.configuration?.upstream.anchors?.count == 1, "\(result.said(.error))")
    #expect(result.configuration?.authority.certificate?.commonName == "Test Root")
  }

  @Test func `a secret in a file loses its line end`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)").path
    try "secret\r\n".write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(identity("pkcs12: 'modern.p12', passphrase: { file: '\(file)' }").configuration != nil)
  }

  @Test(arguments: [
    ("certificate: 'client.pem', key: 'client.key'", "CA certificate"),
    ("certificate: 'root.pem', key: 'client.key'", "does not belong"),
  ])
  func `an authority must be able to sign`(_ members: String, _ word: String) {
    #expect(load("{ authority: { \(members) } }").said(.error).contains(word))
  }

  @Test func `trust policies are read`() throws {
    let pin = "sha256/" + String(repeating: "A", count: 43) + "="
    let result = load(
      """
      { trust: { t: { pinning: 'certificate', certificates: ['client.cer', '.'], pins: ['\(pin)'], anchors: ['root.pem'],
          anchorsOnly: false, allowInvalidCertificates: true, validatesDomainName: false, validatesCertificateChain: true,
          expires: '2030-01-31', enforce: false } },
        rules: { hosts: [{ host: 'a.test', trust: 't' }] } }
      """)
    let lane = try #require(result.configuration?.defaultLane, "\(result.said(.error))")
    let policy = try #require(lane.policy.trust["t"])
    #expect(policy.pinning == .certificate && policy.pins.map(\.text) == [pin])
    #expect(policy.allowInvalidCertificates && !policy.validatesDomainName && policy.validatesCertificateChain)
    #expect(policy.expires == 1_896_048_000 && !policy.enforce)
    let material = try #require(lane.materials["t"])
    #expect(material.anchors.count == 1 && !material.anchorsOnly)
    // The file and the certificates of the folder: the client twice, expired, other, root, weak.
    #expect(material.pinned.count == 7)
  }

  @Test func `a moment can be written with its time`() throws {
    let result = load("{ trust: { t: { expires: '2030-01-31T12:00:00Z' } } }")
    #expect(result.configuration?.defaultLane.policy.trust["t"]?.expires == 1_896_091_200)
  }

  @Test func `the recipe that accepts anything is warned of`() {
    let result = load(
      "{ trust: { t: { pinning: 'publicKey', certificates: ['client.pem'], allowInvalidCertificates: true, validatesDomainName: false } } }"
    )
    #expect(result.configuration != nil)
    #expect(
      result.findings(.warning).contains {
        $0.keyPath == "trust.t.allowInvalidCertificates" && $0.message.contains("any server")
      })
  }

  @Test func `loosening that ATS does not let take effect is warned of`() {
    func warnings(_ ats: String, host: String = "**.a.test") -> String {
      load(
        "{ ats: \(ats), trust: { t: { validatesDomainName: false } }, rules: { hosts: [{ host: '\(host)', action: 'intercept', trust: 't' }] } }"
      ).said(.warning)
    }
    let exception = "{ dictionary: { NSExceptionDomains: { 'a.test': { NSExceptionAllowsInsecureHTTPLoads: true } } } }"
    #expect(warnings("{}").contains("rules.hosts[0].trust"))
    #expect(warnings("{}", host: "[2001:db8::1]:8443").contains("has no effect"))
    #expect(warnings("{}", host: "*").contains("only where"))
    #expect(!warnings(exception).contains("rules.hosts[0].trust"))
    #expect(!warnings("{ mode: 'off' }").contains("rules.hosts[0].trust"))
  }

  @Test func `weak settings are warned of`() {
    #expect(load("{ access: { clients: ['0.0.0.0/0'] } }").said(.warning).contains("admits everybody"))
    #expect(load("{ trust: { t: { pinning: 'certificate' } } }").said(.warning).contains("refuses every server"))
    #expect(load("{ trust: { t: { expires: '2020-01-01' } } }").said(.warning).contains("past"))
    #expect(
      load("{ upstream: { proxy: 'http://u:geheim@corp:3128' } }").said(.warning).contains("password"))
    #expect(
      !load("{ upstream: { proxy: 'http://u:geheim@corp:3128' } }").findings.map(\.text).joined().contains("geheim"))
  }

  @Test func `password files are read`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try "# users\nu:$6$salt$hash\r\n\nv:$2y$05$x\n".write(toFile: file, atomically: true, encoding: .utf8)
    let text = "{ access: { credentials: { htpasswd: '\(file)' } } }"
    #expect(load(text).configuration?.access.credentials == ["u": "$6$salt$hash", "v": "$2y$05$x"])
    try "u:$6$a\nu:$6$b\nw:$apr1$x\njunk\n".write(toFile: file, atomically: true, encoding: .utf8)
    let findings = load(text).findings(.error)
    #expect(findings.map(\.line) == [2, 3, 4] && findings.allSatisfy { $0.file == file })
  }
}
