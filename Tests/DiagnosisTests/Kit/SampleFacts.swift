import Names
import Policy

@testable import Diagnosis

/// Facts that are always the same, for tests of what is printed.
enum SampleFacts {
  /// 2026-11-30, noon.
  static let now: Int64 = 1_796_040_000
  private static let day: Int64 = 86_400

  static func certificate(
    _ subject: String, issuer: String, _ byte: UInt8, isRoot: Bool = false
  ) -> CertificateFacts {
    CertificateFacts(
      subject: subject, issuer: issuer, fingerprint: [UInt8](repeating: byte, count: 32),
      spkiDigest: [UInt8](repeating: byte &+ 1, count: 32), keyKind: .ec, keyBits: 256, signatureHash: .sha256,
      notBefore: now - 10 * day, notAfter: now + 60 * day, isSelfIssued: isRoot)
  }

  static func good(_ version: TLSVersion, _ suite: String) -> PeerFacts {
    let leaf = certificate("CN=a.test", issuer: "CN=root", 1)
    let root = certificate("CN=root", issuer: "CN=root", 2, isRoot: true)
    return PeerFacts(
      version: version, cipherSuite: suite, presented: [leaf],
      evaluation: ChainEvaluation(chain: [leaf, root], faults: [], anchorIsSystem: false), hostMatches: true,
      pinnedEvaluation: nil, now: now)
  }

  /// An origin without forward secrecy, as the rules of OS 18.4 see it.
  static func diagnosis() throws -> HostDiagnosis {
    let target = try DiagnosisTarget("a.test")
    let os = OSVersion(major: 18, minor: 4)
    let judge = RowJudge(host: target.host, port: target.port, os: os)
    var book = OfferBook()
    var refused = Sighting()
    refused.failure = .handshake(.alert(40))
    book.note(refused, for: judge.offer(under: .dictionary([:])))
    var seen = Sighting()
    seen.address = "192.0.2.1:443"
    seen.facts = good(.v12, "AES128-GCM-SHA256")
    book.note(seen, for: judge.offer(under: .dictionary([ExceptionKey.arbitraryLoads: .boolean(true)])))
    book.note(refused, for: judge.offer(under: ATSException(minimumTLS: "TLSv1.0").dictionary(for: "a.test")))
    var diagnosis = HostDiagnosis(target: target, os: os)
    diagnosis.rows = try DiagnosticRow.all(for: "a.test").map { row in
      RowResult(row: row, objections: try unwrapped(judge.objections(to: book, under: row.dictionary)))
    }
    diagnosis.smallest = ATSException(withoutForwardSecrecy: true).dictionary(for: "a.test")
    diagnosis.peer = PeerSummary(
      address: "192.0.2.1:443", proxy: nil, facts: good(.v12, "AES128-GCM-SHA256"), certificates: [],
      clientCertificate: nil, status: 200, silence: nil)
    diagnosis.handshakes = [
      HandshakeNote(
        offer: HandshakeOffer(minimum: .v12, maximum: .v13, suites: ["ECDHE-RSA-AES128-GCM-SHA256"]), version: nil,
        suite: nil, failure: "the origin sent the alert handshake_failure (40)")
    ]
    diagnosis.chain = [
      ChainProblem(kind: .expiringSoon, level: .warning, detail: "\"CN=a.test\" expires on 2026-12-10, in 10 days.")
    ]
    return diagnosis
  }

  struct Unknown: Error {}

  private static func unwrapped<T>(_ value: T?) throws -> T {
    guard let value else { throw Unknown() }
    return value
  }
}
