/// Where the anchor that ends a chain comes from.
public enum AnchorOrigin: Sendable, Hashable {
  /// The operating system's store.
  case system
  /// `upstream.anchors`, which stand in place of that store.
  case configured
  /// The `anchors` of the rule's trust policy alone lead to it.
  case added
}
