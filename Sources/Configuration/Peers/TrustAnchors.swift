import Policy
import TLS

/// The anchors of a configuration, made once: the general ones, and those of each trust policy.
public struct TrustAnchors: Sendable {
  /// For origins without a trust policy of their own.
  public let general: TrustStore
  /// By the name of the policy; all lanes have the same ones.
  private let stores: [String: AnchorStores]
  private let generalOrigin: AnchorOrigin

  public init(_ configuration: Configuration) {
    let base = configuration.upstream.anchors
    general = base.map { TrustStore(certificates: $0, partialChain: true, includingSystem: false) } ?? .system()
    generalOrigin = base == nil ? .system : .configured
    stores = configuration.defaultLane.materials.mapValues { material in
      AnchorStores(
        anchors: Self.store(for: material, base: base),
        pinned: material.pinned.isEmpty
          ? nil : TrustStore(certificates: material.pinned, partialChain: true, includingSystem: false),
        hasOwnAnchors: !material.anchors.isEmpty)
    }
  }

  /// The anchors that count for a trust policy; the general ones without a policy.
  public func stores(trust: String?) -> AnchorStores {
    guard let trust, let found = stores[trust] else {
      return AnchorStores(anchors: general, pinned: nil, hasOwnAnchors: false)
    }
    return found
  }

  /// Where the anchor of a chain comes from, for imports that tell anchors apart. A chain that the general anchors vouch for as well
  /// counts as theirs.
  /// - Parameter hasOwn: whether the rule's trust policy has anchors of its own.
  func origin(leaf: Certificate, others: [Certificate], hasOwn: Bool) -> AnchorOrigin {
    guard hasOwn else { return generalOrigin }
    let result = ChainVerifier.evaluate(leaf: leaf, others: others, anchors: general, host: nil, at: nil)
    return result.isValid ? generalOrigin : .added
  }

  /// `anchorsOnly` replaces the general anchors only when there are own ones (SecTrustSetAnchorCertificates with an empty list
  /// would trust nobody).
  private static func store(for material: TrustMaterial, base: [Certificate]?) -> TrustStore {
    if material.anchors.isEmpty {
      guard let base else { return .system() }
      return TrustStore(certificates: base, partialChain: true, includingSystem: false)
    }
    if material.anchorsOnly {
      return TrustStore(certificates: material.anchors, partialChain: true, includingSystem: false)
    }
    return TrustStore(
      certificates: material.anchors + (base ?? []), partialChain: true, includingSystem: base == nil)
  }
}
