import Names

/// `upstream.noProxy`: destinations that are reached without `upstream.proxy`.
public struct ProxyExemptions: Sendable {
  private let patterns: HostTable<Bool>
  private let networks: [CIDR]

  init(patterns: [HostPattern] = [], networks: [CIDR] = []) {
    self.patterns = HostTable(patterns.map { ($0, true) })
    self.networks = networks
  }

  public var isEmpty: Bool { patterns.isEmpty && networks.isEmpty }

  /// Whether a destination is exempt. Names are not looked up for it: a network exempts only what is known by its address.
  ///
  /// - Parameter address: where a redirected client wanted to go, when its name came from SNI.
  public func contains(_ target: HostPort, address: IPAddress? = nil) -> Bool {
    if patterns.value(host: target.host, port: target.port) == true { return true }
    guard let address = target.host.address ?? address else { return false }
    return networks.contains { $0.contains(address) }
  }
}
