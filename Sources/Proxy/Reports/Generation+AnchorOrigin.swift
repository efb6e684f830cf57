import Configuration
import Policy
import TLS

extension Generation {
  /// Where the anchor of a chain comes from, for imports that tell anchors apart. A chain that the general anchors vouch for as well
  /// counts as theirs.
  /// - Parameter hasOwn: whether the rule's trust policy has anchors of its own.
  func anchorOrigin(leaf: Certificate, others: [Certificate], hasOwn: Bool) -> AnchorOrigin {
    let general: AnchorOrigin = configuration.upstream.anchors == nil ? .system : .configured
    guard hasOwn else { return general }
    let result = ChainVerifier.evaluate(leaf: leaf, others: others, anchors: anchors, host: nil, at: nil)
    return result.isValid ? general : .added
  }
}
