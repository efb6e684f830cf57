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
  /// What their pages and workers get; nil: there are no such hosts.
  let injectedScripts: InjectedScripts?
  let targetGuard: TargetGuard
  /// The addresses of this machine.
  let ownAddresses: [IPAddress]
  /// Which clients refuse our certificate for which hosts.
  let pinning = PinningMemory()
  /// What origins' certificates must lead to.
  let trustAnchors: TrustAnchors

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
    injectedScripts = InjectedScripts(configuration)
    self.leaves = leaves
    self.serverContext = serverContext
    gatekeeper = Gatekeeper(credentials: configuration.access.credentials)
    self.ownAddresses = ownAddresses
    targetGuard = TargetGuard(ownAddresses: ownAddresses)
    trustAnchors = TrustAnchors(configuration)
  }
}
