/// One `certificates` element of Android's `trust-anchors`.
public struct TrustAnchorSource: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// The proxy's general anchors: the system's, or `upstream.anchors` in their place.
    case system
    /// What people have installed: `upstream.anchors`, and the `anchors` of the rule's trust policy.
    case user
    /// Certificates that the application brings, by SHA-256 of their DER.
    case certificates(Set<[UInt8]>)
  }

  public var kind: Kind
  /// Pins are not looked at for a chain that ends here.
  public var overridesPins: Bool

  public init(_ kind: Kind, overridesPins: Bool = false) {
    self.kind = kind
    self.overridesPins = overridesPins
  }

  /// Whether the validated chain ends here. A certificate of the application may also stand in the middle of the chain: the path to it is there.
  func admits(_ facts: PeerFacts) -> Bool {
    switch kind {
    case .system: facts.anchorOrigin != .added
    case .user: facts.anchorOrigin != .system
    case .certificates(let known): facts.evaluation.chain.contains { known.contains($0.fingerprint) }
    }
  }
}
