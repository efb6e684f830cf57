import TLS

/// Sees what an origin shows in a handshake, and has it judged. Confined to a loop.
final class PeerWitness: TLSPeerJudge {
  private(set) var certificates: [Certificate] = []
  private(set) var judgement: Errand.Judgement?
  private let decide: (PresentedPeer) -> Errand.Judgement

  init(_ decide: @escaping (PresentedPeer) -> Errand.Judgement) {
    self.decide = decide
  }

  func judge(_ peer: PresentedPeer) -> Bool {
    let judgement = decide(peer)
    certificates = peer.chain
    self.judgement = judgement
    return judgement.isWelcome
  }

  func tookTicket(_ ticket: TLSTicket) {}
}
