import Authority
import Configuration
import Dispatch
import EventLoop
import Names
import TLS

extension Generation {
  /// Minting is CPU work: a queue of its own, of another QoS than blocking work.
  static let minting = WorkQueue(label: "pinwarden.mint", width: 2, qos: .userInitiated)

  /// Makes what a configuration needs. Leaves and ticket keys stay if the authority does.
  static func make(
    _ configuration: Configuration, _ authority: CertificateAuthority, keeping current: Generation?,
    machine: [IPAddress], counting counts: LeafCounts
  ) throws -> Generation {
    let settings = configuration.authority
    if let current, current.authority.certificate == authority.certificate,
      current.configuration.authority.leafLifetime == settings.leafLifetime,
      current.configuration.authority.leafKey == settings.leafKey
    {
      return Generation(
        configuration: configuration, authority: authority, leaves: current.leaves,
        serverContext: current.serverContext, ownAddresses: machine)
    }
    let mint = try LeafMint(authority: authority, lifetime: settings.leafLifetime, keyKind: settings.leafKey)
    let leaves = LeafCache(mint: mint, capacity: 4_096, counts: counts) { job in minting.submit(job) }
    return Generation(
      configuration: configuration, authority: authority, leaves: leaves, serverContext: try TLSServerContext(),
      ownAddresses: machine)
  }
}
