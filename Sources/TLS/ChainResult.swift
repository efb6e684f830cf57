/// The outcome of building and checking a path from a leaf to a set of anchors.
public struct ChainResult: Sendable, Hashable {
  /// The path that was built, leaf first, the anchor last if one was found. Never empty. What the peer sent besides is not
  /// in it.
  public let chain: [Certificate]
  /// Every fault once, those of the path in OpenSSL's order, then purposes, then the name. Empty: valid.
  public let faults: [ChainFault]
  /// Whether the anchor comes from the operating system's store; false where no anchor was found.
  public let anchorIsSystem: Bool
  /// Whether the leaf is for the host that was asked for; true where none was.
  public let hostMatches: Bool

  public var isValid: Bool { faults.isEmpty }
}
