import Policy
import TLS

extension ChainEvaluation {
  /// The outcome of checking a path, as policies see it.
  public init(_ result: ChainResult) {
    self.init(
      chain: result.chain.map { CertificateFacts($0) }, faults: result.faults.map { Policy.ChainFault($0) },
      anchorIsSystem: result.anchorIsSystem)
  }
}

extension Policy.ChainFault {
  public init(_ fault: TLS.ChainFault) {
    switch fault {
    case .unknownRoot: self = .unknownRoot
    case .selfSigned: self = .selfSigned
    case .expired(let depth): self = .expired(depth: depth)
    case .notYetValid(let depth): self = .notYetValid(depth: depth)
    case .nameMismatch: self = .nameMismatch
    case .wrongPurpose(let depth): self = .wrongPurpose(depth: depth)
    case .invalidAuthority(let depth): self = .invalidAuthority(depth: depth)
    case .badSignature(let depth): self = .badSignature(depth: depth)
    case .other(let text): self = .other(text)
    }
  }
}
