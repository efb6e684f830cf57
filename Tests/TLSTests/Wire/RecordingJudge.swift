@testable import TLS

/// A judge with a fixed answer that keeps what it was shown.
final class RecordingJudge: TLSPeerJudge {
  var accepts: Bool
  private(set) var peers: [PresentedPeer] = []
  private(set) var tickets: [TLSTicket] = []

  init(accepts: Bool = true) {
    self.accepts = accepts
  }

  func judge(_ peer: PresentedPeer) -> Bool {
    peers.append(peer)
    return accepts
  }

  func tookTicket(_ ticket: TLSTicket) {
    ticket.memo = "ticket \(tickets.count)"
    tickets.append(ticket)
  }
}
