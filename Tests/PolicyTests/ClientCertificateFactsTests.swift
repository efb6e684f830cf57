import Names
import Policy
import Testing

@Suite struct ClientCertificateFactsTests {
  private func facts(
    issuers: [String] = [], count: Int? = nil, sent: String? = nil,
    passedOver: [ClientCertificateFacts.PassedOver] = []
  ) -> ClientCertificateFacts {
    ClientCertificateFacts(
      acceptableIssuers: issuers, acceptableIssuerCount: count ?? issuers.count, keyTypes: ["RSA"], sent: sent,
      passedOver: passedOver, isLate: false)
  }

  @Test func reasons() {
    #expect(facts(sent: "corp").reason == nil)
    #expect(facts().reason == "no rule names an identity for this host")
    let passedOver = [
      ClientCertificateFacts.PassedOver(name: "corp", reason: "it expired on 2026-01-31"),
      ClientCertificateFacts.PassedOver(name: "lab", reason: "its key cannot sign as the origin asks"),
    ]
    #expect(
      facts(passedOver: passedOver).reason
        == "corp: it expired on 2026-01-31; lab: its key cannot sign as the origin asks")
  }

  @Test func refusalsTellWhatWasAskedAndSent() throws {
    let host = try Host("a.test")
    let passedOver = [ClientCertificateFacts.PassedOver(name: "corp", reason: "it expired on 2026-01-31")]
    let required = Refusal.clientCertificateRequired(
      host: host, asked: facts(issuers: ["CN=One", "CN=Tw\u{F6}\n"], count: 7, passedOver: passedOver))
    #expect(
      required.detail.hasPrefix(
        "a.test asks for a client certificate issued by \"CN=One\" or \"CN=Tw??\" or one of 5 more, and the proxy sent none: "
          + "corp: it expired on 2026-01-31."))
    #expect(required.error?.code == -1206)
    let rejected = Refusal.clientCertificateRejected(
      host: host, identity: "corp", alert: "unknown_ca (48)", asked: facts(issuers: ["CN=One"], sent: "corp"))
    #expect(rejected.detail.contains("identities.corp with the TLS alert unknown_ca (48)"))
    #expect(rejected.detail.contains("It asked for one issued by \"CN=One\"."))
    #expect(rejected.error?.code == -1205)
    let plain = Refusal.clientCertificateRejected(host: host, identity: "corp", asked: facts(sent: "corp"))
    #expect(!plain.detail.contains("It asked for one"))
  }
}
