import Names
import Policy
import Testing

private typealias I = ImportSamples
private typealias S = Samples

/// How TrustKit's pins are judged: rows 134 to 137 of H.4.
struct TrustKitJudgementTests {
  private func judge(
    _ entry: [String: PropertyValue], host: String = "example.com", faults: [ChainFault] = [], mode: ATSMode = .enforce
  ) throws -> TrustVerdict {
    let pins = try #require(TrustKitReader.read(["example.com": .dictionary(entry)]).pins)
    var requirements = try I.requirements([I.policy(.trustKit, .trustKit(pins))], host: host, mode: mode)
    if mode == .off { requirements.trust = Self.loose }
    return requirements.judge(S.facts(S.evaluation(S.chain, faults)))
  }

  /// Accepts anything, so that only the import has a say.
  private static let loose = TrustPolicy(name: "t", allowInvalidCertificates: true, validatesDomainName: false)
  private static let wrong: PropertyValue = .hashes(I.other, I.another)
  private static let report: PropertyValue = ["https://r.test/"]

  @Test func row134AnyCertificateOfTheChainMayMatch() throws {
    let entry: [String: PropertyValue] = [
      "TSKIncludeSubdomains": true, "TSKPublicKeyHashes": .hashes(I.root, I.other),
    ]
    let verdict = try judge(entry, host: "x.y.example.com")
    #expect(verdict.isAccepted && verdict.matchedPin == I.root.text && verdict.failures.isEmpty)
  }

  @Test func aMissingPinIsRefusedAndReported() throws {
    let verdict = try judge(["TSKPublicKeyHashes": Self.wrong, "TSKReportUris": Self.report])
    let refusal = try #require(verdict.refusal)
    #expect(refusal.error == .serverCertificateUntrusted && refusal.decidedBy == .trust && refusal.status == 502)
    #expect(refusal.detail.contains("file: trustkit") && refusal.detail.contains("example.com:443"))
    #expect(verdict.matchedPin == nil && verdict.reported.isEmpty)
    let pins = [I.other, I.another].sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    #expect(
      verdict.failures == [
        PinFailure(
          source: "file: trustkit", cause: .noMatchingPin, entry: "example.com", includesSubdomains: false,
          isEnforced: true, pins: pins, reportURIs: ["https://r.test/"])
      ])
  }

  @Test func row135ExpiredPinsLeaveTheDomainToTheSystem() throws {
    let entry: [String: PropertyValue] = ["TSKPublicKeyHashes": Self.wrong, "TSKExpirationDate": "2020-01-01"]
    #expect(try judge(entry).isAccepted)
    #expect(try judge(entry, faults: [.unknownRoot], mode: .off).isAccepted, "not even the chain is TrustKit's then")
    #expect(try judge(entry, faults: [.unknownRoot]).refusal?.error == .serverCertificateHasUnknownRoot)
    let today: [String: PropertyValue] = ["TSKPublicKeyHashes": Self.wrong, "TSKExpirationDate": "2026-01-01"]
    #expect(try !judge(today).isAccepted, "the pins end when the day has begun, and it begins now")
  }

  @Test func row136WithoutEnforcementAMissingPinIsOnlyReported() throws {
    let verdict = try judge(
      ["TSKEnforcePinning": false, "TSKPublicKeyHashes": Self.wrong, "TSKReportUris": Self.report])
    #expect(verdict.isAccepted && verdict.matchedPin == nil)
    #expect(verdict.reported == [PinMismatch(source: "file: trustkit", seen: verdict.pins)])
    #expect(verdict.failures.map(\.cause.rawValue) == [1] && verdict.failures.first?.isEnforced == false)
  }

  @Test func row137AnInvalidChainIsRefusedAllTheSame() throws {
    let entry: [String: PropertyValue] = [
      "TSKEnforcePinning": false, "TSKPublicKeyHashes": .hashes(I.leaf, I.other), "TSKReportUris": Self.report,
    ]
    let strict = try judge(entry, faults: [.unknownRoot])
    #expect(strict.refusal?.error == .serverCertificateHasUnknownRoot)
    #expect(strict.failures.map(\.cause.rawValue) == [2])
    let loose = try judge(entry, faults: [.nameMismatch], mode: .off)
    #expect(loose.refusal?.detail.contains("wants a valid chain") == true)
    #expect(loose.failures.map(\.cause.rawValue) == [2] && loose.reported.isEmpty)
  }
}
