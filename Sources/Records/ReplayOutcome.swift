/// What became of a repeated request.
public struct ReplayOutcome: Sendable, Hashable {
  /// The identifier of the new exchange, whose record goes to the log and the history as any other.
  public let identifier: UInt64
  /// nil: the answer was cut before it began.
  public let status: Int?

  public init(identifier: UInt64, status: Int?) {
    self.identifier = identifier
    self.status = status
  }
}
