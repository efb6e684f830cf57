import Names

/// `upstream.resolve`: where to connect in place of what a client asks for.
public struct Redirections: Sendable {
  /// Where one entry leads.
  struct Place: Sendable, Hashable {
    let host: Host
    /// nil: the port that was asked for.
    let port: UInt16?
  }

  private let table: HostTable<Place>

  init(_ entries: [(pattern: HostPattern, value: Place)] = []) {
    table = HostTable(entries)
    hosts = entries.compactMap(\.pattern.base)
    count = entries.count
  }

  public let count: Int
  /// The hosts that entries name, whole or as the end of a name.
  let hosts: [Host]

  /// The place that the most specific entry names; nil: none, so DNS is asked.
  public subscript(target: HostPort) -> HostPort? {
    table.value(host: target.host, port: target.port).map { place in
      HostPort(host: place.host, port: place.port ?? target.port)
    }
  }
}
