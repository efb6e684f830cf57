public import Policy

/// What is counted of an exchange when it ends.
public struct ExchangeOutcome: Sendable {
  public var clientProtocol: HTTPProtocol
  public var action: Action
  /// nil: nothing decided (contract, section 5).
  public var decidedBy: DecisionStep?
  /// The status that the client got; nil: none.
  public var status: Int?
  public var error: NSURLError?
  public var proxyError: ProxyErrorType?
  /// Names of what ATS objects to.
  public var violations: [String] = []
  public var requestByteCount = 0
  public var responseByteCount = 0
  /// Nanoseconds; nil: no byte of an answer came from an origin.
  public var firstByte: UInt64?
  public var total: UInt64 = 0

  public init(clientProtocol: HTTPProtocol, action: Action, decidedBy: DecisionStep?, status: Int?) {
    self.clientProtocol = clientProtocol
    self.action = action
    self.decidedBy = decidedBy
    self.status = status
  }
}
