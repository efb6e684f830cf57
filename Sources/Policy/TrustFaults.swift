/// Everything that keeps a chain from being trusted.
struct TrustFaults: Sendable, Hashable {
  var chain: [ChainFault]
  var policy: [SSLPolicyFault]

  var isEmpty: Bool { chain.isEmpty && policy.isEmpty }

  /// The fault to speak of: what makes the rest meaningless comes first (the dates of a chain without an anchor say nothing).
  var worst: ChainFault? {
    chain.min { Self.rank($0) < Self.rank($1) }
  }

  /// Those of the chain, the one to speak of first.
  var ranked: [ChainFault] {
    chain.sorted { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ fault: ChainFault) -> Int {
    switch fault {
    case .badSignature: 0
    case .invalidAuthority: 1
    case .selfSigned: 2
    case .unknownRoot: 3
    case .revoked: 4
    case .notYetValid: 5
    case .expired: 6
    case .wrongPurpose: 7
    case .nameMismatch: 8
    case .stapleMissing: 9
    case .other: 10
    }
  }
}

extension ChainEvaluation {
  /// Against the policy that `SecPolicyCreateSSL` makes; `hostMatches` nil: without a host.
  func faultsForServer(hostMatches: Bool?) -> TrustFaults {
    var faults = faults.filter { $0 != .nameMismatch }
    if hostMatches == false { faults.append(.nameMismatch) }
    if chain.isEmpty { faults.append(.unknownRoot) }
    return TrustFaults(chain: faults, policy: policyFaults)
  }

  /// Against the policy that `SecPolicyCreateBasicX509` makes: path, dates and constraints alone.
  var faultsForBasicX509: TrustFaults {
    let faults = faults.filter {
      switch $0 {
      case .nameMismatch, .wrongPurpose: false
      default: true
      }
    }
    return TrustFaults(chain: chain.isEmpty ? faults + [.unknownRoot] : faults, policy: [])
  }
}
