/// What a read or a write did. Would-block is a value, not an error.
public enum IOOutcome: Equatable, Sendable {
  /// So many bytes were moved.
  case bytes(Int)
  /// Nothing to read, or no room to write: the handler is called when that changes.
  case wouldBlock
  /// The peer has sent its end. Only reads answer this.
  case ended
  /// The connection is broken. Close it.
  case failed(SystemError)
}
