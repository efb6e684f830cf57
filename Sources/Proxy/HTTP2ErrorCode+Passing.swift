import HTTP

extension HTTP2ErrorCode {
  /// What a client is told when an origin has reset a stream in the middle of its answer. A code that would blame the client, or
  /// say that nothing was done for its request, becomes INTERNAL_ERROR.
  var passedOn: HTTP2ErrorCode {
    switch self {
    case .cancel, .connectError, .enhanceYourCalm: self
    default: .internalError
    }
  }
}

extension HTTP2StreamEnd {
  /// The connection went, and the stream with it.
  var isLoss: Bool {
    switch self {
    case .connectionLost, .unprocessed: true
    case .complete, .reset, .malformed: false
    }
  }

  /// How a client left before its answer was complete, as records say it.
  var clientDetail: String {
    switch self {
    case .reset(let code): "The client reset the stream with \(code) before the answer was complete."
    case .malformed(let fault): "The client's stream was reset before the answer was complete: \(fault.reason)"
    case .connectionLost(let fault?): "The connection of the client was ended with \(fault.code): \(fault.reason)"
    case .complete, .unprocessed, .connectionLost(nil):
      "The client ended the connection before the answer was complete."
    }
  }
}
