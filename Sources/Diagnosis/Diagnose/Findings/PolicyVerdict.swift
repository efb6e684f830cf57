import Policy

/// What the app's own dictionary, or the configuration of pinwarden, says of an origin.
public struct PolicyVerdict: Sendable {
  /// The file or the lane that it comes from.
  public let source: String
  public let objections: [Objection]
  /// The lines by which the file would have to change for the origin to pass; empty: none would help, or none is needed.
  public let change: [String]

  public var passes: Bool { objections.isEmpty }
}
