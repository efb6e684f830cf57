import Policy
import TLS

extension PeerFacts {
  /// What an origin showed in a handshake, as the requirements judge it.
  ///
  /// - Parameters:
  ///   - result: the path from its certificate, built with `others` to the anchors that count for the requirements.
  ///   - logs: the keys of the logs of Certificate Transparency, by their ids.
  ///   - now: seconds since 1970.
  /// - Returns: nil: it showed no certificate.
  public init?(
    _ peer: PresentedPeer, path result: ChainResult, others: [Certificate], for requirements: OriginRequirements,
    anchors: TrustAnchors, logs: [[UInt8]: TransparencyLogKey], now: Int64
  ) {
    guard let leaf = peer.chain.first else { return nil }
    let stores = anchors.stores(trust: requirements.trust?.name)
    let pinned =
      requirements.wantsPinnedEvaluation
      ? stores.pinned.map { ChainVerifier.evaluate(leaf: leaf, others: others, anchors: $0, host: nil, at: nil) } : nil
    self.init(
      version: peer.version, cipherSuite: peer.cipher,
      presented: peer.chain.map(CertificateFacts.init), evaluation: ChainEvaluation(result),
      hostMatches: result.hostMatches, pinnedEvaluation: pinned.map(ChainEvaluation.init),
      now: now, usesExtendedMasterSecret: peer.hasExtendedMasterSecret)
    if requirements.wantsAnchorOrigin {
      anchorOrigin = anchors.origin(leaf: leaf, others: others, hasOwn: stores.hasOwnAnchors)
    }
    add(peer, leaf, result, asksForTimestamps: requirements.trust?.transparency != nil, logs)
  }

  /// Adds what came beside the certificates: the stapled status, and the timestamps where a policy asks for them.
  private mutating func add(
    _ peer: PresentedPeer, _ leaf: Certificate, _ result: ChainResult, asksForTimestamps: Bool,
    _ logs: [[UInt8]: TransparencyLogKey]
  ) {
    let issuer = result.chain.count > 1 ? result.chain[1] : nil
    if let staple = peer.staple {
      self.staple =
        issuer.map { StapledStatus(OCSPStaple.read(staple, leaf: leaf, issuer: $0, at: now)) }
        ?? .unusable("the issuer of the certificate is not known")
    }
    guard asksForTimestamps, result.anchorIsSystem else { return }
    timestamps = TLS.SignedTimestamp.collect(
      leaf: leaf, issuer: issuer, handshake: peer.timestamps, staple: peer.staple, logs: logs
    ).map { SignedTimestamp($0) }
  }
}
