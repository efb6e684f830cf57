/// Values by host pattern; the most specific pattern wins, whatever the order of the entries (see ``HostIndex``).
public struct HostTable<Value: Sendable>: Sendable {
  private let entries: [(pattern: HostPattern, value: Value)]
  private let index: HostIndex

  public init(_ entries: [(pattern: HostPattern, value: Value)]) {
    self.entries = entries
    index = HostIndex(entries.map(\.pattern))
  }

  public var isEmpty: Bool { entries.isEmpty }

  /// The most specific entry that matches.
  public func match(host: Host, port: UInt16) -> (pattern: HostPattern, value: Value)? {
    index.position(host: host, port: port).map { entries[$0] }
  }

  /// The value of the most specific entry that matches; does not copy the pattern.
  public func value(host: Host, port: UInt16) -> Value? {
    index.position(host: host, port: port).map { entries[$0].value }
  }
}
