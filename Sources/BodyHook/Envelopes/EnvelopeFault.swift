/// Why a body, or a part of one, that the script sent is not taken.
public enum EnvelopeFault: Error, Equatable, Sendable {
  /// A clause.
  case malformed(String)
  /// The parts do not make up the body that was announced.
  case damaged
  /// The body is larger than `bodies.hook.limit`.
  case tooLarge
  /// The client, or all of them, have too much waiting.
  case full

  /// What the script is told.
  public var status: Int {
    switch self {
    case .malformed, .damaged: 400
    case .tooLarge: 413
    case .full: 503
    }
  }

  public var reason: String {
    switch self {
    case .malformed(let clause): clause
    case .damaged: "the parts do not make up the body that was announced"
    case .tooLarge: "the body is larger than bodies.hook.limit"
    case .full: "too many bodies wait for their requests"
    }
  }
}
