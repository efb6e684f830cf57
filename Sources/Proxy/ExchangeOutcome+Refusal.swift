import Policy
import Records

extension ExchangeOutcome {
  /// Something that was refused and never became an exchange.
  init(clientProtocol: HTTPProtocol, status: Int?, refusal: Refusal, violations: [String]? = nil) {
    self.init(clientProtocol: clientProtocol, action: .deny, decidedBy: refusal.decidedBy, status: status)
    error = refusal.error
    proxyError = refusal.proxyError
    self.violations = violations ?? []
  }
}
