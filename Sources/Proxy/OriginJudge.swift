import Configuration
import EventLoop
import Names
import Policy
import Records
import TLS

/// Judges what an origin shows of itself, and keeps the verdict. It lives as long as the TLS session that it judges: tickets come,
/// and renegotiations are judged, long after the handshake. Confined to its loop.
final class OriginJudge: TLSPeerJudge {
  private(set) var verdict: TrustVerdict?
  /// Where the issuer can be had whose certificate kept the path from an anchor; nil: that was not the reason.
  private(set) var missingIssuer: TargetURL?
  /// Kept while an issuer is missing.
  private var presented: PresentedPeer?
  private let purpose: Purpose
  private let plan: OriginPlan
  private let worker: Worker

  /// What is kept beside a ticket: a resumed session shows no certificate again.
  private struct Memo: Sendable {
    let verdict: TrustVerdict
  }

  /// What is judged: a connection that is to carry requests, or one that only explains why there is none.
  enum Purpose { case connection, probe }

  init(plan: OriginPlan, worker: Worker, for purpose: Purpose = .connection) {
    self.purpose = purpose
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
    guard let verdict = consider(peer) else { return false }
    if purpose == .connection { for mismatch in verdict.reported { worker.report(mismatch, plan: plan) } }
    return verdict.isAccepted
  }

  /// Judges anew after an issuer was fetched.
  func reconsider() {
    if let presented { _ = consider(presented) }
  }

  private func consider(_ peer: PresentedPeer) -> TrustVerdict? {
    guard let requirements = plan.requirements, let leaf = peer.chain.first else { return nil }
    let anchors = plan.generation.trustAnchors
    let path = OriginPath.build(
      leaf, Array(peer.chain.dropFirst()), to: anchors.stores(trust: requirements.trust?.name).anchors, plan: plan,
      issuers: worker.issuers)
    let result = path.result
    guard
      let facts = PeerFacts(
        peer, path: result, others: path.others, for: requirements, anchors: anchors,
        logs: plan.generation.configuration.transparency.keys, now: worker.loop.wallClock / 1_000)
    else { return nil }
    var verdict = requirements.judge(facts)
    verdict.refusal = verdict.refusal?.noting(path.fault)
    self.verdict = verdict
    missingIssuer = verdict.isAccepted ? nil : path.missing
    presented = missingIssuer == nil ? nil : peer
    // What an issuer may still change is neither counted nor reported.
    if missingIssuer == nil, purpose == .connection {
      count(verdict)
      worker.reports.add(verdict.failures, of: plan, chain: result.chain)
    }
    return verdict
  }

  private func count(_ verdict: TrustVerdict) {
    if verdict.isPinMismatch {
      worker.counters.pinsChecked(.mismatched)
    } else if !verdict.reported.isEmpty {
      worker.counters.pinsChecked(.reported)
    } else if verdict.matchedPin != nil {
      worker.counters.pinsChecked(.matched)
    }
  }

  func tookTicket(_ ticket: TLSTicket) {
    guard let verdict, verdict.isAccepted, plan.identities.isEmpty, plan.generation === worker.generation else {
      return
    }
    ticket.memo = Memo(verdict: verdict)
    plan.putTicket(ticket)
  }
}
