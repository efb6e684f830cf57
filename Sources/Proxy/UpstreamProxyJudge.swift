import Names
import TLS

/// Judges the certificate of a proxy that is spoken to in TLS: ordinary trust and its name, and no policy of any origin.
final class UpstreamProxyJudge: TLSPeerJudge {
  /// What is wrong with it; a clause, nil if nothing is.
  private(set) var objection: String?
  private let host: Host
  private let anchors: TrustStore

  init(host: Host, anchors: TrustStore) {
    self.host = host
    self.anchors = anchors
  }

  func judge(_ peer: PresentedPeer) -> Bool {
    guard let leaf = peer.chain.first else { return false }
    let result = ChainVerifier.evaluate(
      leaf: leaf, others: Array(peer.chain.dropFirst()), anchors: anchors, host: host, at: nil)
    objection = result.faults.first.map { $0.clause(about: host) }
    return result.isValid
  }

  func tookTicket(_ ticket: TLSTicket) {}
}

extension ChainFault {
  fileprivate func clause(about host: Host) -> String {
    switch self {
    case .unknownRoot: "its issuer is not known"
    case .selfSigned: "it signed itself"
    case .expired: "it has expired"
    case .notYetValid: "it is not valid yet"
    case .nameMismatch: "it is not for \(host)"
    case .wrongPurpose: "it is not for servers"
    case .invalidAuthority: "one of its issuers is no authority"
    case .badSignature: "a signature in its chain is wrong"
    case .other(let reason): reason
    }
  }
}
