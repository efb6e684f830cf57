/// What tells that a request comes from this instance itself.
public enum LoopEvidence: Sendable, Hashable {
  case none
  /// A `Via` field names this instance.
  case via
  /// The target is one of the daemon's own listeners.
  case ownListener
}
