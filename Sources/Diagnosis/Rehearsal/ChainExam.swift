import Configuration
import Names
import Policy
import TLS

/// Facts about a chain at a moment, as the proxy would find them, without a connection: TLS is taken to be as good as it can be.
struct ChainExam {
  let chain: [Certificate]
  let anchors: AnchorSet

  /// The anchors of a lane's trust policy.
  struct AnchorSet {
    let anchors: TrustStore
    /// Those that count without a trust policy.
    let general: TrustStore
    /// The pinned certificates alone.
    let pinned: TrustStore?
    let generalOrigin: AnchorOrigin
  }

  func facts(for requirements: OriginRequirements, at moment: Int64) -> PeerFacts? {
    guard let leaf = chain.first else { return nil }
    let others = Array(chain.dropFirst())
    func evaluate(_ store: TrustStore, _ host: Host?) -> ChainResult {
      ChainVerifier.evaluate(leaf: leaf, others: others, anchors: store, host: host, at: moment)
    }
    let result = evaluate(anchors.anchors, requirements.host)
    let pinned = requirements.wantsPinnedEvaluation ? anchors.pinned.map { evaluate($0, nil) } : nil
    var facts = PeerFacts(
      version: .v13, cipherSuite: "TLS_AES_128_GCM_SHA256", presented: chain.map { CertificateFacts($0) },
      evaluation: ChainEvaluation(result), hostMatches: result.hostMatches,
      pinnedEvaluation: pinned.map { ChainEvaluation($0) }, now: moment, usesExtendedMasterSecret: true)
    if requirements.wantsAnchorOrigin {
      facts.anchorOrigin = evaluate(anchors.general, nil).isValid ? anchors.generalOrigin : .added
    }
    return facts
  }

  func matches(_ host: Host) -> Bool {
    guard let leaf = chain.first else { return false }
    let nobody = TrustStore(certificates: [], partialChain: false, includingSystem: false)
    return ChainVerifier.evaluate(leaf: leaf, others: [], anchors: nobody, host: host, at: nil).hostMatches
  }
}

extension ChainExam.AnchorSet {
  init(_ configuration: Configuration, _ lane: Lane, trust: String?) {
    let base = configuration.upstream.anchors
    let material = trust.flatMap { lane.materials[$0] }
    let own = material?.anchors ?? []
    let keepsGeneral = own.isEmpty || material?.anchorsOnly != true
    general = base.map { TrustStore(certificates: $0, partialChain: true, includingSystem: false) } ?? .system()
    anchors =
      own.isEmpty
      ? general
      : TrustStore(
        certificates: own + (keepsGeneral ? base ?? [] : []), partialChain: true,
        includingSystem: keepsGeneral && base == nil)
    pinned = (material?.pinned).flatMap {
      $0.isEmpty ? nil : TrustStore(certificates: $0, partialChain: true, includingSystem: false)
    }
    generalOrigin = base == nil ? .system : .configured
  }
}
