import Names

/// The compiled `rules` of a lane: host rules, whitelist and default.
public struct HostRules: Sendable {
  public let hosts: [HostRule]
  public let whitelist: [WebOrigin]
  public let emptyWhitelist: EmptyWhitelist
  public let defaultAction: RuleAction

  /// Positions in `hosts`.
  private let all: HostIndex
  /// Positions in the two lists below.
  private let withAction: HostIndex
  private let deciding: [HostRule]
  /// What each entry with an action wants: a decision should not copy the rest of it.
  private let dispositions: [Disposition]
  private let exempt: Set<WebOrigin>

  public init(
    hosts: [HostRule] = [], whitelist: [WebOrigin] = [], emptyWhitelist: EmptyWhitelist = .intercept,
    default: RuleAction = .intercept
  ) {
    self.hosts = hosts
    self.whitelist = whitelist
    self.emptyWhitelist = emptyWhitelist
    defaultAction = `default`
    all = HostIndex(hosts.map(\.pattern))
    deciding = hosts.filter { $0.action != nil }
    withAction = HostIndex(deciding.map(\.pattern))
    dispositions = deciding.map {
      Disposition(action: $0.action ?? `default`, step: .rule, rule: $0.pattern.text)
    }
    exempt = Set(whitelist.map(Self.loadingScheme))
  }

  /// The most specific entry with an action.
  public func action(host: Host, port: UInt16) -> HostRule? {
    withAction.position(host: host, port: port).map { deciding[$0] }
  }

  /// The most specific entry of all. What it leaves out has its default: nothing is inherited from entries that are less
  /// specific, so that one entry tells all that holds for a host.
  public func attributes(host: Host, port: UInt16) -> HostRule? {
    all.position(host: host, port: port).map { hosts[$0] }
  }

  /// What the most specific entry with an action wants.
  func disposition(host: Host, port: UInt16) -> Disposition? {
    withAction.position(host: host, port: port).map { dispositions[$0] }
  }

  /// Whether the whitelist has this very origin. `ws` counts as `http` and `wss` as `https`: a tunnel does not show which it carries.
  public func exempts(_ origin: WebOrigin) -> Bool {
    !exempt.isEmpty && exempt.contains(Self.loadingScheme(origin))
  }

  private static func loadingScheme(_ origin: WebOrigin) -> WebOrigin {
    WebOrigin(scheme: origin.scheme.isSecure ? .https : .http, host: origin.host, port: origin.port)
  }
}
