/// Why the daemon did not do what the console asked for.
public struct ControlFault: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// The question itself is wrong.
    case invalid
    /// It cannot be done as things stand.
    case rejected
    /// It cannot be done now.
    case unavailable
  }

  public let kind: Kind
  /// For people: what is wrong and what is allowed.
  public let reason: String

  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}
