import Names

/// Why a decision denies, as facts: the words are put together only for somebody who reads them.
enum Denial: Sendable {
  case loop(LoopEvidence, host: Host)
  case destinationProhibited(host: Host, address: IPAddress)
  case rule(String, host: Host)
  case `default`(host: Host)
  case cleartext(CleartextVerdict, scheme: Scheme, port: UInt16)
  case cleartextNotBypassed(scheme: Scheme, host: Host, port: UInt16)
  case cleartextForbidden(scheme: Scheme, host: Host, port: UInt16, objection: String)

  var step: DecisionStep {
    switch self {
    case .loop: .loop
    case .destinationProhibited: .target
    case .rule: .rule
    case .default: .default
    case .cleartext, .cleartextNotBypassed, .cleartextForbidden: .ats
    }
  }

  var refusal: Refusal {
    switch self {
    case .loop(let evidence, let host): .loop(evidence, host: host)
    case .destinationProhibited(let host, let address): .destinationProhibited(host: host, address: address)
    case .rule(let rule, let host): .ruleRejects(rule: rule, host: host)
    case .default(let host): .defaultRejects(host: host)
    case .cleartext(let verdict, let scheme, let port):
      .cleartext(scheme: scheme, host: verdict.host, port: port, reason: verdict.reason)
    case .cleartextNotBypassed(let scheme, let host, let port):
      .cleartextNotBypassed(scheme: scheme, host: host, port: port)
    case .cleartextForbidden(let scheme, let host, let port, let objection):
      .cleartextForbidden(scheme: scheme, host: host, port: port, objection: objection)
    }
  }
}
