import TLS

/// The anchors that count for an origin.
public struct AnchorStores: Sendable {
  public let anchors: TrustStore
  /// The pinned certificates alone, for AFSecurityPolicy's certificate mode.
  public let pinned: TrustStore?
  /// Whether some anchors are there for this trust policy alone.
  public let hasOwnAnchors: Bool
}
