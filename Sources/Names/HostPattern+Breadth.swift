/// What a pattern is about, for those who explain patterns rather than match with them.
extension HostPattern {
  /// How much a pattern matches.
  public enum Breadth: Sendable, Hashable {
    /// `a.test`
    case host
    /// `*.a.test`
    case oneLabelMore
    /// `**.a.test`
    case anyDepth
    /// `*`
    case everything
  }

  public var breadth: Breadth {
    switch shape {
    case .exactly: .host
    case .oneLabelMore: .oneLabelMore
    case .anyDepth: .anyDepth
    case .everything: .everything
    }
  }

  /// The name without its wildcard; nil for `*`.
  public var base: Host? {
    switch shape {
    case .exactly(let host), .oneLabelMore(than: let host), .anyDepth(below: let host): host
    case .everything: nil
    }
  }

  /// A host that the pattern matches; nil for `*`.
  public var example: Host? {
    guard case .oneLabelMore(let host) = shape else { return base }
    return try? Host("any.\(host.text)")
  }
}
