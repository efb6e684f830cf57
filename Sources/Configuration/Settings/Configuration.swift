import Names
import Policy

/// Everything that a configuration says, checked and compiled. Immutable: a reload makes another one.
public final class Configuration: Sendable {
  /// The file it came from; nil: built-in defaults.
  public let file: String?
  public let listeners: [ListenerSettings]
  /// nil: switched off.
  public let console: ConsoleSettings?
  public let access: AccessSettings
  /// An absolute path, or one relative to the working directory. The loader does not create it.
  public let stateDirectory: String
  public let authority: AuthoritySettings
  public let transparency: TransparencySettings
  public let imports: [ImportSettings]
  public let upstream: UpstreamSettings
  public let bodies: BodySettings
  public let pictures: PictureSettings
  public let limits: Limits
  /// nil: switched off.
  public let store: StoreSettings?
  public let onboarding: OnboardingSettings
  public let log: LogSettings
  /// By name; always has `default` and the lane of every listener.
  public let lanes: [String: Lane]
  /// The whitelist of all lanes without rules of their own: `rules.whitelist`, or what the console has set in its place.
  public let whitelist: [WebOrigin]
  public let defaultLane: Lane
  /// The lane of the daemon's own requests; no client is in it.
  public let ownLane = Lane.own()
  private let lanesOfUsers: [String: Lane]
  private let lanesOfClients: LaneNetworks

  init(_ draft: ConfigurationDraft, file: String?, stateDirectory: String, lanes: [String: Lane], defaultLane: Lane) {
    self.file = file
    listeners = draft.listeners
    console = draft.console
    access = draft.access
    self.stateDirectory = stateDirectory
    authority = draft.authority
    transparency = draft.transparency
    imports = draft.imports.map(\.settings)
    upstream = draft.upstream
    bodies = draft.bodies
    pictures = draft.pictures
    limits = draft.limits
    store = draft.store
    onboarding = draft.onboarding
    log = draft.log
    whitelist = draft.rules.whitelist
    self.lanes = lanes
    self.defaultLane = defaultLane
    lanesOfUsers = Self.byUser(lanes)
    lanesOfClients = Self.byClient(lanes)
  }

  /// The same configuration with another whitelist in all lanes without rules of their own.
  public func replacing(whitelist: [WebOrigin]) -> Configuration {
    Configuration(self, whitelist: whitelist)
  }

  private init(_ other: Configuration, whitelist: [WebOrigin]) {
    file = other.file
    listeners = other.listeners
    console = other.console
    access = other.access
    stateDirectory = other.stateDirectory
    authority = other.authority
    transparency = other.transparency
    imports = other.imports
    upstream = other.upstream
    bodies = other.bodies
    pictures = other.pictures
    limits = other.limits
    store = other.store
    onboarding = other.onboarding
    log = other.log
    self.whitelist = whitelist
    lanes = other.lanes.mapValues { $0.replacing(sharedWhitelist: whitelist) }
    defaultLane = lanes[other.defaultLane.name] ?? other.defaultLane
    lanesOfUsers = Self.byUser(lanes)
    lanesOfClients = Self.byClient(lanes)
  }

  private static func byUser(_ lanes: [String: Lane]) -> [String: Lane] {
    let ordered = lanes.values.sorted { $0.name < $1.name }
    return Dictionary(
      ordered.flatMap { lane in lane.users.map { ($0, lane) } }, uniquingKeysWith: { first, _ in first })
  }

  private static func byClient(_ lanes: [String: Lane]) -> LaneNetworks {
    LaneNetworks(lanes.values.sorted { $0.name < $1.name })
  }

  /// The lane of a client: its user beats its address (longest prefix first), that beats the listener.
  ///
  /// - Parameters:
  ///   - client: nil for a client on a socket of the file system.
  ///   - listenerLane: `ListenerSettings.lane`.
  ///   - user: the name in its credentials, verified.
  public func lane(client: IPAddress?, listenerLane: String, user: String?) -> Lane {
    if let user, let lane = lanesOfUsers[user] { return lane }
    if let client = client?.unmapped, let lane = lanesOfClients.lane(of: client) { return lane }
    return lanes[listenerLane] ?? defaultLane
  }
}
