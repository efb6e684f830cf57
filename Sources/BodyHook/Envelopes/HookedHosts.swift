import Names

/// The hosts of `bodies.hook.hosts`.
public struct HookedHosts: Sendable {
  private let index: HostIndex

  /// Nil: none, so that there is nothing to look for in any request.
  public init?(_ patterns: [HostPattern]) {
    guard !patterns.isEmpty else { return nil }
    index = HostIndex(patterns)
  }

  public func contains(host: Host, port: UInt16) -> Bool {
    index.position(host: host, port: port) != nil
  }
}
