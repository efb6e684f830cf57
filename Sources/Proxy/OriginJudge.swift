import Configuration
import EventLoop
import Names
import Policy
import TLS

/// Judges what an origin shows of itself, and keeps the verdict. It lives as long as the TLS session that it judges: tickets come,
/// and renegotiations are judged, long after the handshake. Confined to its loop.
final class OriginJudge: TLSPeerJudge {
  private(set) var verdict: TrustVerdict?
  private let plan: OriginPlan
  private let worker: Worker

  /// What is kept beside a ticket: a resumed session shows no certificate again.
  private struct Memo: Sendable {
    let verdict: TrustVerdict
  }

  init(plan: OriginPlan, worker: Worker) {
    self.plan = plan
    self.worker = worker
  }

  /// A ticket for the next handshake, whose verdict holds if the session is resumed.
  func takeTicket() -> TLSTicket? {
    while let ticket = plan.takeTicket() {
      guard let memo = ticket.memo as? Memo, ticket.expires > worker.loop.wallClock / 1_000 else { continue }
      verdict = memo.verdict
      return ticket
    }
    return nil
  }

  func judge(_ peer: PresentedPeer) -> Bool {
    guard let requirements = plan.requirements, let leaf = peer.chain.first else { return false }
    let stores = plan.generation.stores(trust: requirements.trust?.name)
    let others = Array(peer.chain.dropFirst())
    let result = ChainVerifier.evaluate(
      leaf: leaf, others: others, anchors: stores.anchors, host: plan.key.host, at: nil)
    let pinned =
      requirements.wantsPinnedEvaluation
      ? stores.pinned.map { ChainVerifier.evaluate(leaf: leaf, others: others, anchors: $0, host: nil, at: nil) } : nil
    let facts = PeerFacts(
      version: TLSVersion(rawValue: peer.version.rawValue) ?? .v10, cipherSuite: peer.cipher,
      presented: peer.chain.map(CertificateFacts.init), evaluation: ChainEvaluation(result),
      hostMatches: result.hostMatches, pinnedEvaluation: pinned.map(ChainEvaluation.init),
      now: worker.loop.wallClock / 1_000)
    let verdict = requirements.judge(facts)
    self.verdict = verdict
    for mismatch in verdict.reported { worker.report(mismatch, plan: plan) }
    return verdict.isAccepted
  }

  func tookTicket(_ ticket: TLSTicket) {
    guard let verdict, verdict.isAccepted, plan.identities.isEmpty, plan.generation === worker.generation else {
      return
    }
    ticket.memo = Memo(verdict: verdict)
    plan.putTicket(ticket)
  }
}
