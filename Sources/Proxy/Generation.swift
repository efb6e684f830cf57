import Authority
import BodyHook
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import TLS

/// Everything that a reload replaces at once: the configuration and what was made from it. Immutable; every loop holds a
/// reference and an exchange keeps the generation that it began with.
public final class Generation: Sendable {
  let configuration: Configuration
  let authority: CertificateAuthority
  let leaves: LeafCache
  let serverContext: TLSServerContext
  let gatekeeper: Gatekeeper
  /// `bodies.stripHeaders`: never sent on.
  let strippedFields: FieldNameSet
  /// `bodies.hook.hosts`; nil: no bodies are restored.
  let hookedHosts: HookedHosts?
  let targetGuard: TargetGuard
  /// The addresses of this machine.
  let ownAddresses: [IPAddress]
  /// Which clients refuse our certificate for which hosts.
  let pinning = PinningMemory()
  /// Anchors for origins without a trust policy of their own.
  let anchors: TrustStore
  /// By the name of the policy; all lanes have the same ones.
  private let materials: [String: AnchorStores]

  /// The anchors of one trust policy.
  struct AnchorStores: Sendable {
    let anchors: TrustStore
    /// The pinned certificates alone, for AFSecurityPolicy's certificate mode.
    let pinned: TrustStore?
    /// Whether some anchors are there for this trust policy alone.
    var hasOwnAnchors = false
  }

  /// - Parameters:
  ///   - leaves: mints for the authority in use; kept over a reload that does not change it.
  ///   - ownAddresses: the addresses of this machine, which remote clients must not reach.
  public init(
    configuration: Configuration, authority: CertificateAuthority, leaves: LeafCache, serverContext: TLSServerContext,
    ownAddresses: [IPAddress]
  ) {
    self.configuration = configuration
    self.authority = authority
    strippedFields = FieldNameSet(configuration.bodies.stripHeaders)
    hookedHosts = HookedHosts(configuration.bodies.hook.hosts)
    self.leaves = leaves
    self.serverContext = serverContext
    gatekeeper = Gatekeeper(credentials: configuration.access.credentials)
    self.ownAddresses = ownAddresses
    targetGuard = TargetGuard(ownAddresses: ownAddresses)
    let base = configuration.upstream.anchors
    anchors = base.map { TrustStore(certificates: $0, partialChain: true, includingSystem: false) } ?? .system()
    materials = configuration.defaultLane.materials.mapValues { material in
      AnchorStores(
        anchors: Self.store(for: material, base: base),
        pinned: material.pinned.isEmpty
          ? nil : TrustStore(certificates: material.pinned, partialChain: true, includingSystem: false),
        hasOwnAnchors: !material.anchors.isEmpty)
    }
  }

  /// The anchors that count for a trust policy; the general ones without a policy.
  func stores(trust: String?) -> AnchorStores {
    guard let trust, let found = materials[trust] else {
      return AnchorStores(anchors: anchors, pinned: nil)
    }
    return found
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
