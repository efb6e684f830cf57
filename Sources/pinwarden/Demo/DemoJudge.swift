import Names
import TLS

/// Trusts what the demo's device trusts, and remembers who vouched.
final class DemoJudge: TLSPeerJudge {
  private let host: Host
  private let anchors: TrustStore
  private(set) var issuer: String?

  init(host: Host, anchors: TrustStore) {
    self.host = host
    self.anchors = anchors
  }

  func judge(_ peer: PresentedPeer) -> Bool {
    guard let leaf = peer.chain.first else { return false }
    issuer = leaf.issuer
    return ChainVerifier.evaluate(
      leaf: leaf, others: Array(peer.chain.dropFirst()), anchors: anchors, host: host, at: nil
    ).isValid
  }

  func tookTicket(_ ticket: TLSTicket) {}
}
