import Names
import Testing

@testable import TLS

@Suite struct ChainVerifierTests {
  private let root: TestAuthority
  private let intermediate: TestAuthority

  init() throws {
    root = try TestAuthority()
    intermediate = try TestAuthority("Test Intermediate", issuer: root)
  }

  private func store(_ certificates: [Certificate], partialChain: Bool = false) -> TrustStore {
    TrustStore(certificates: certificates, partialChain: partialChain, includingSystem: false)
  }

  private func evaluate(
    _ leaf: Certificate, _ others: [Certificate] = [], anchors: [Certificate]? = nil, partialChain: Bool = false,
    host: String? = "a.test", at time: Int64 = TestAuthority.now
  ) throws -> ChainResult {
    ChainVerifier.evaluate(
      leaf: leaf, others: others, anchors: store(anchors ?? [root.certificate], partialChain: partialChain),
      host: try host.map { try Host($0) }, at: time)
  }

  @Test func goodPath() throws {
    let leaf = try intermediate.leaf(.dns("a.test"))
    let result = try evaluate(leaf, [intermediate.certificate])
    #expect(result.isValid && result.faults.isEmpty && result.hostMatches && !result.anchorIsSystem)
    #expect(result.chain == [leaf, intermediate.certificate, root.certificate])
  }

  @Test func whatWasSentButNotUsedIsNotInThePath() throws {
    let stranger = try TestAuthority("Stranger")
    let leaf = try intermediate.leaf(.dns("a.test"))
    let others = [stranger.certificate, root.certificate, intermediate.certificate, leaf]
    #expect(try evaluate(leaf, others).chain == [leaf, intermediate.certificate, root.certificate])
  }

  @Test func unknownIssuers() throws {
    let leaf = try intermediate.leaf(.dns("a.test"))
    let alone = try evaluate(leaf)
    #expect(alone.faults == [.unknownRoot] && alone.chain == [leaf])
    let stranger = try TestAuthority("Stranger")
    #expect(try evaluate(leaf, [intermediate.certificate], anchors: [stranger.certificate]).faults == [.unknownRoot])
    let whole = try evaluate(leaf, [intermediate.certificate, root.certificate], anchors: [])
    #expect(whole.faults == [.unknownRoot] && whole.chain.count == 3)
  }

  @Test func selfSignedLeaf() throws {
    let key = try PrivateKey.generate(.p256)
    let leaf = try CertificateDraft(
      commonName: "a.test", alternativeNames: [.dns("a.test")], role: .leaf, notBefore: 0, notAfter: 4_000_000_000
    ).selfSigned(with: key)
    #expect(try evaluate(leaf).faults == [.selfSigned])
    #expect(
      try evaluate(leaf, host: "b.test", at: 4_000_000_001).faults == [.selfSigned, .expired(depth: 0), .nameMismatch])
    #expect(try evaluate(leaf, anchors: [leaf], partialChain: true).isValid)
  }

  @Test func dates() throws {
    let now = TestAuthority.now
    #expect(try evaluate(root.leaf(.dns("a.test"), notAfter: now - 1)).faults == [.expired(depth: 0)])
    #expect(try evaluate(root.leaf(.dns("a.test"), notBefore: now + 60)).faults == [.notYetValid(depth: 0)])
    let old = try TestAuthority("Old", issuer: root, notAfter: now - 1)
    #expect(try evaluate(old.leaf(.dns("a.test")), [old.certificate]).faults == [.expired(depth: 1)])
    // Without a time the clock counts, which is past the year that these were made for or not; only that it runs.
    _ = ChainVerifier.evaluate(leaf: old.certificate, others: [], anchors: .none, host: nil, at: nil)
  }

  @Test func purposes() throws {
    for (purposes, passes): ([CertificateDraft.Purpose], Bool) in [
      ([], true), ([.any], true), ([.serverAuthentication, .clientAuthentication], true),
      ([.clientAuthentication], false),
      ([.emailProtection], false),
    ] {
      let result = try evaluate(root.leaf(.dns("a.test"), purposes: purposes))
      #expect(result.faults == (passes ? [] : [.wrongPurpose(depth: 0)]), "\(purposes)")
    }
    let usage = try evaluate(root.leaf(.dns("a.test"), keyUsage: [.revocationListSigning]))
    #expect(usage.faults == [.wrongPurpose(depth: 0)])
  }

  @Test func authorities() throws {
    let fake = try TestAuthority("No Authority", issuer: root, isAuthority: false)
    let result = try evaluate(fake.leaf(.dns("a.test")), [fake.certificate])
    #expect(result.faults.contains(.invalidAuthority(depth: 1)))
    let short = try TestAuthority("Short", pathLength: 0)
    let below = try TestAuthority("Below", issuer: short)
    let long = try evaluate(below.leaf(.dns("a.test")), [below.certificate], anchors: [short.certificate])
    #expect(long.faults == [.invalidAuthority(depth: 2)])
  }

  @Test func nameConstraints() throws {
    let result = ChainVerifier.evaluate(
      leaf: try Fixtures.certificate("constrained-leaf.pem"), others: [],
      anchors: store([try Fixtures.certificate("constrained-root.pem")]), host: try Host("outside.test"),
      at: Fixtures.time)
    #expect(result.faults == [.invalidAuthority(depth: 0)])
  }

  @Test func signatures() throws {
    let leaf = try root.leaf(.dns("a.test"), signer: intermediate.key)
    #expect(try evaluate(leaf).faults == [.badSignature(depth: 0)])
  }

  @Test func severalFaultsAtOnce() throws {
    let now = TestAuthority.now
    let leaf = try intermediate.leaf(.dns("a.test"), notAfter: now - 1, purposes: [.clientAuthentication])
    let faults = try evaluate(leaf, host: "b.test").faults
    #expect(Set(faults) == [.unknownRoot, .expired(depth: 0), .wrongPurpose(depth: 0), .nameMismatch])
    #expect(faults.count == 4)
  }

  @Test func weakKeysAndHashesAreNotJudgedHere() throws {
    let weak = try Fixtures.certificate("weak.pem")
    let result = ChainVerifier.evaluate(
      leaf: weak, others: [], anchors: store([weak], partialChain: true), host: try Host("weak.test"),
      at: Fixtures.time)
    #expect(result.isValid)
  }

  @Test func intermediatesAndLeavesAsAnchors() throws {
    let leaf = try intermediate.leaf(.dns("a.test"))
    #expect(try evaluate(leaf, anchors: [intermediate.certificate]).faults == [.unknownRoot])
    let partial = try evaluate(leaf, anchors: [intermediate.certificate], partialChain: true)
    #expect(partial.isValid && partial.chain == [leaf, intermediate.certificate])
    let pinned = try evaluate(leaf, [intermediate.certificate], anchors: [leaf], partialChain: true)
    #expect(pinned.isValid && pinned.chain == [leaf])
  }

  @Test func hosts() throws {
    let leaf = try root.leaf(
      .dns("a.test"), .dns("*.b.test"), .dns("*.github.io"), .dns("*.co.uk"), .dns("127.0.0.2"),
      .address([127, 0, 0, 1]), .address([UInt8](repeating: 0, count: 15) + [1]))
    for (host, matches) in [
      ("a.test", true), ("A.TEST.", true), ("x.a.test", false), ("x.b.test", true), ("b.test", false),
      ("x.y.b.test", false), ("127.0.0.1", true), ("127.0.0.2", false), ("::1", true), ("::2", false),
      ("foo.github.io", true), ("example.co.uk", false), ("leaf", false),
    ] {
      let result = try evaluate(leaf, host: host)
      #expect(result.hostMatches == matches, "\(host)")
      #expect(result.faults == (matches ? [] : [.nameMismatch]), "\(host)")
    }
    #expect(try evaluate(leaf, host: nil).hostMatches)
    for name in ["", ".", ".a.test", "x..b.test", "a.test.."] {
      #expect(!NameCheck.isLeaf(leaf, named: name), "\(name)")
    }
  }

  @Test func systemAnchors() throws {
    let system = TrustStore.system()
    #expect(system === TrustStore.system() && system.includesSystem)
    let both = TrustStore(certificates: [root.certificate], partialChain: false, includingSystem: true)
    let result = ChainVerifier.evaluate(
      leaf: try root.leaf(.dns("a.test")), others: [], anchors: both, host: nil, at: TestAuthority.now)
    #expect(result.isValid && !result.anchorIsSystem)
    guard let anchor = TestSystem.anchor else { return }
    for store in [system, both] {
      let own = ChainVerifier.evaluate(leaf: anchor, others: [], anchors: store, host: nil, at: anchor.notBefore + 60)
      #expect(!own.faults.contains(.selfSigned) && own.anchorIsSystem)
    }
    let given = TrustStore(certificates: [anchor], partialChain: false, includingSystem: true)
    #expect(
      !ChainVerifier.evaluate(leaf: anchor, others: [], anchors: given, host: nil, at: anchor.notBefore + 60)
        .anchorIsSystem)
  }

  @Test func fromManyThreads() async throws {
    let leaf = try intermediate.leaf(.dns("a.test"))
    let anchors = store([root.certificate])
    let others = [intermediate.certificate]
    let host = try Host("a.test")
    let valid = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask {
          ChainVerifier.evaluate(leaf: leaf, others: others, anchors: anchors, host: host, at: TestAuthority.now)
            .isValid
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(valid)
  }
}
