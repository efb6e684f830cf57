import Names

/// The compiled `rules` of a lane: host rules, whitelist and default.
public struct HostRules: Sendable {
  public let hosts: [HostRule]
  public let whitelist: [WebOrigin]
  public let emptyWhitelist: EmptyWhitelist
  public let defaultAction: RuleAction

  /// Positions in `hosts`: a decision needs two members of an entry and should not copy the rest.
  private let all: HostTable<Int>
  private let withAction: HostTable<Int>
  private let exempt: Set<WebOrigin>

  public init(
    hosts: [HostRule] = [], whitelist: [WebOrigin] = [], emptyWhitelist: EmptyWhitelist = .intercept,
    default: RuleAction = .intercept
  ) {
    self.hosts = hosts
    self.whitelist = whitelist
    self.emptyWhitelist = emptyWhitelist
    defaultAction = `default`
    let positions = hosts.enumerated().map { (pattern: $0.element.pattern, value: $0.offset) }
    all = HostTable(positions)
    withAction = HostTable(positions.filter { hosts[$0.value].action != nil })
    exempt = Set(whitelist.map(Self.loadingScheme))
  }

  /// The most specific entry with an action.
  public func action(host: Host, port: UInt16) -> HostRule? {
    withAction.value(host: host, port: port).map { hosts[$0] }
  }

  /// The most specific entry of all. What it leaves out has its default: nothing is inherited from entries that are less
  /// specific, so that one entry tells all that holds for a host.
  public func attributes(host: Host, port: UInt16) -> HostRule? {
    all.value(host: host, port: port).map { hosts[$0] }
  }

  /// What the most specific entry with an action wants.
  func disposition(host: Host, port: UInt16) -> Disposition? {
    guard let position = withAction.value(host: host, port: port), let action = hosts[position].action else {
      return nil
    }
    return Disposition(action: action, step: .rule, rule: hosts[position].pattern.text)
  }

  /// Whether the whitelist has this very origin. `ws` counts as `http` and `wss` as `https`: a tunnel does not show which it carries.
  public func exempts(_ origin: WebOrigin) -> Bool {
    !exempt.isEmpty && exempt.contains(Self.loadingScheme(origin))
  }

  private static func loadingScheme(_ origin: WebOrigin) -> WebOrigin {
    WebOrigin(scheme: origin.scheme.isSecure ? .https : .http, host: origin.host, port: origin.port)
  }
}
