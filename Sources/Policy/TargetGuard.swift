import Names

/// Keeps clients that are not on loopback away from the daemon's own machine (contract, section 3, step 3).
///
/// Ask it about the address that is really connected to, never about a name: a name may resolve to anything.
public struct TargetGuard: Sendable, Equatable {
  private let ownAddresses: Set<IPAddress>

  /// The addresses of the machine's interfaces and of the listeners.
  public init(ownAddresses: [IPAddress]) {
    self.ownAddresses = Set(ownAddresses.map(\.unmapped))
  }

  /// Whether the guard holds for this client: one on loopback or on a Unix socket (nil) may reach everything.
  public static func watches(_ client: IPAddress?) -> Bool {
    client.map { !$0.isLoopback } ?? false
  }

  /// Whether a client that the guard watches may not be connected to this address.
  public func prohibits(_ address: IPAddress, allowed: [CIDR]) -> Bool {
    let address = address.unmapped
    guard isClosed(address) else { return false }
    return !allowed.contains { $0.contains(address) }
  }

  private func isClosed(_ address: IPAddress) -> Bool {
    // All of 0.0.0.0/8 means "this host on this network" (RFC 1122, section 3.2.1.3).
    if case .v4(let value) = address, value >> 24 == 0 { return true }
    return address.isLoopback || address.isLinkLocal || address.isUnspecified || ownAddresses.contains(address)
  }
}
