import HTTP

/// What becomes of a request whose body may have been lost.
public enum Restoration: Sendable, Equatable {
  /// The body that arrives is the body: the envelope is none of this request's.
  case none
  /// Nothing arrived: the envelope's bytes are the body.
  case substitute
  /// A body arrives and is used; that it is the envelope's is looked at on the way.
  case compare
  /// Whether a body arrives shows only later.
  case wait

  /// - Parameters:
  ///   - framing: of the request as it arrived.
  ///   - isComplete: its end has been read.
  ///   - receivedByteCount: what has been read of its body.
  public init(
    _ meta: EnvelopeMeta, method: HTTPMethod, framing: BodyFraming, isComplete: Bool, receivedByteCount: Int
  ) {
    // Redirects from POST to GET keep the fields; a body on GET or HEAD is never right.
    guard method == meta.method, method != .get, method != .head, !meta.isOverLimit else {
      self = .none
      return
    }
    switch framing {
    case .none, .length(0): self = .substitute
    case .length: self = .compare
    case .chunked, .untilClose: self = receivedByteCount > 0 ? .compare : isComplete ? .substitute : .wait
    }
  }
}
