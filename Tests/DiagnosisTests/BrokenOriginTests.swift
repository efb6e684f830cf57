import COpenSSL
import Diagnosis
import Policy
import Testing

@testable import TLS

/// Origins that are broken each in its own way: the first reason is the real one.
@Suite struct BrokenOriginTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: String?
    let verdict: HostDiagnosis.Verdict
    let error: NSURLError?
    var problems: Set<ChainProblem.Kind> = []
    /// How many handshakes it takes.
    let count: Int
    let make: @Sendable () throws -> TestOrigin

    init(
      _ name: String, _ reason: String?, _ verdict: HostDiagnosis.Verdict, _ error: NSURLError?,
      _ problems: Set<ChainProblem.Kind> = [], handshakes: Int = 1, _ make: @escaping @Sendable () throws -> TestOrigin
    ) {
      testDescription = name
      self.reason = reason
      self.verdict = verdict
      self.error = error
      self.problems = problems
      count = handshakes
      self.make = make
    }
  }

  private static func speaking(_ maximum: Int32, _ suites: String = "ALL") -> TestOrigin.Speech {
    TestOrigin.Speech(maximum: maximum, suites: suites)
  }

  static let cases: [Case] = [
    Case("good", nil, .passes, nil) { try .secure() },
    Case("expired", "expired", .fails, .serverCertificateHasBadDate, [.expired]) {
      try .secure(TestPKI.Wish(begin: -60, end: -1))
    },
    Case("not yet valid", "not-yet-valid", .fails, .serverCertificateNotYetValid) {
      try .secure(TestPKI.Wish(begin: 2, end: 60))
    },
    Case("self-signed", "self-signed", .fails, .serverCertificateUntrusted) {
      try .secure(TestPKI.Wish(isSelfSigned: true))
    },
    Case("unknown root", "unknown-root", .fails, .serverCertificateHasUnknownRoot, [.rootSent]) {
      let stranger = try TestPKI.stranger.get()
      return try .secure(TestPKI.Wish(issuer: stranger, chain: [stranger.certificate]))
    },
    Case("wrong name", "name-mismatch", .fails, .serverCertificateUntrusted) {
      try .secure(TestPKI.Wish(names: ["b.test"]))
    },
    Case("SHA-1 leaf", "leaf-signature-hash", .fails, .secureConnectionFailed) {
      try .secure(TestPKI.Wish(isSignedWithSHA1: true))
    },
    Case("RSA 1024", "key-size", .fails, .secureConnectionFailed) {
      try .secure(TestPKI.Wish(key: try TestPKI.weakKey.get()))
    },
    Case("TLS 1.2 at most", nil, .passes, nil, handshakes: 2) { try .secure(TestPKI.Wish(), speaking(TLS1_2_VERSION)) },
    Case("TLS 1.1 at most", "minimum-tls", .needsException, .secureConnectionFailed, handshakes: 2) {
      try .secure(TestPKI.Wish(), speaking(TLS1_1_VERSION))
    },
    Case("TLS 1.0 at most", "minimum-tls", .needsException, .secureConnectionFailed, handshakes: 2) {
      try .secure(TestPKI.Wish(), speaking(TLS1_VERSION))
    },
    Case("no forward secrecy", "forward-secrecy", .needsException, .secureConnectionFailed, handshakes: 3) {
      try .secure(TestPKI.Wish(key: try TestPKI.rsa.get()), speaking(TLS1_2_VERSION, "AES128-GCM-SHA256"))
    },
    Case("DHE alone", "cipher-suite", .fails, .secureConnectionFailed, handshakes: 3) {
      try .secure(TestPKI.Wish(key: try TestPKI.rsa.get()), speaking(TLS1_2_VERSION, "DHE-RSA-AES128-GCM-SHA256"))
    },
    Case("Camellia alone", "cipher-suite", .fails, .secureConnectionFailed, handshakes: 4) {
      try .secure(TestPKI.Wish(key: try TestPKI.rsa.get()), speaking(TLS1_2_VERSION, "CAMELLIA128-SHA"))
    },
    Case("missing intermediate", "unknown-root", .fails, .serverCertificateHasUnknownRoot, [.missingIntermediate]) {
      try .secure(TestPKI.Wish(issuer: try TestPKI.intermediate.get()))
    },
    Case("wrong order", nil, .passes, nil, [.wrongOrder]) {
      let (first, second) = (try TestPKI.intermediate.get(), try TestPKI.secondIntermediate.get())
      return try .secure(TestPKI.Wish(issuer: second, chain: [first.certificate, second.certificate]))
    },
    Case("lives too long", "lifetime", .fails, .serverCertificateUntrusted, [.lifetime]) {
      try .secure(TestPKI.Wish(begin: -1, end: 900))
    },
    Case("expires soon", nil, .passes, nil, [.expiringSoon]) { try .secure(TestPKI.Wish(begin: -80, end: 10)) },
    Case("client certificate in TLS 1.3", "client-certificate", .fails, .clientCertificateRequired) {
      try .secure(TestPKI.Wish(), TestOrigin.Speech(demandsCertificates: true))
    },
    Case("client certificate in TLS 1.2", "client-certificate", .fails, .clientCertificateRequired, handshakes: 2) {
      try .secure(TestPKI.Wish(), TestOrigin.Speech(maximum: TLS1_2_VERSION, demandsCertificates: true))
    },
    Case("plain HTTP alone", "no-tls", .fails, .secureConnectionFailed, handshakes: 2) { try TestOrigin(.plain) },
    Case("immediate close", "handshake", .fails, .secureConnectionFailed, handshakes: 2) { try TestOrigin(.closing) },
  ]

  @Test(arguments: cases) func theFirstReasonIsTheRealOne(broken: Case) async throws {
    let origin = try broken.make()
    let diagnosis = try await Examined.host(origin)
    let first = diagnosis.rows.first?.objections.first
    #expect(diagnosis.rows.count == 16)
    #expect(first?.name == broken.reason, "\(first?.refusal.detail ?? "passed")")
    #expect(first?.refusal.error == broken.error)
    #expect(diagnosis.verdict == broken.verdict)
    #expect(Set(diagnosis.chain.map(\.kind)) == broken.problems)
    #expect(origin.count == broken.count, "\(diagnosis.handshakes)")
    // What the command says in words is what the rows say.
    #expect((diagnosis.smallest == nil) == (broken.verdict == .fails))
  }

  @Test func aSuiteThatNobodySpeaksIsNamed() async throws {
    let origin = try TestOrigin.secure(
      TestPKI.Wish(key: try TestPKI.rsa.get()), Self.speaking(TLS1_2_VERSION, "CAMELLIA128-SHA"))
    let diagnosis = try await Examined.host(origin)
    let detail = diagnosis.rows.first?.objections.first?.refusal.detail ?? ""
    #expect(detail.contains("it took TLS_RSA_WITH_CAMELLIA_128_CBC_SHA with TLSv1.2"), "\(detail)")
  }
}
