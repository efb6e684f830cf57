import Names
import TLS

/// The certificates that a server showed, and whether they are worth anything.
public struct PresentedChain: Sendable {
  public let target: HostPort
  /// `ip:port` that was connected to.
  public let address: String
  public let version: TLSVersion
  /// As sent, leaf first; never empty.
  public let certificates: [Certificate]
  /// What is wrong with them, one clause each; empty: they are valid for the host.
  public let faults: [String]
}

extension PresentedChain {
  /// - Parameter anchors: what a chain must lead to.
  init(target: HostPort, address: String, peer: PresentedPeer, anchors: TrustStore) {
    self.target = target
    self.address = address
    version = peer.version
    certificates = peer.chain
    guard let leaf = peer.chain.first else {
      faults = ["no certificate was sent"]
      return
    }
    let result = ChainVerifier.evaluate(
      leaf: leaf, others: Array(peer.chain.dropFirst()), anchors: anchors, host: target.host, at: nil)
    faults = result.faults.map { $0.clause(about: target.host) }
  }
}

extension ChainFault {
  /// What is wrong, about the certificates of a host.
  func clause(about host: Host) -> String {
    switch self {
    case .unknownRoot: "no path leads to a trusted root"
    case .selfSigned: "the leaf signed itself"
    case .expired(let depth): "\(Self.certificate(depth)) has expired"
    case .notYetValid(let depth): "\(Self.certificate(depth)) is not valid yet"
    case .nameMismatch: "the leaf is not for \(host)"
    case .wrongPurpose(let depth): "\(Self.certificate(depth)) is not for servers"
    case .invalidAuthority(let depth): "\(Self.certificate(depth)) may not issue the one below it"
    case .badSignature(let depth): "the signature of \(Self.certificate(depth)) is wrong"
    case .other(let reason): reason
    }
  }

  private static func certificate(_ depth: Int) -> String { depth == 0 ? "the leaf" : "certificate \(depth + 1)" }
}
