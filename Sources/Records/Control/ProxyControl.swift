public import Names

/// How the console sees the daemon: what it can ask and what it can have done. Any thread may use it; all members but those that say
/// otherwise may block, so they are not for loops.
public protocol ProxyControl: Sendable {
  /// Whether clients are served: listeners are open and the end has not begun. Answers at once, on loops too.
  var isReady: Bool { get }
  /// The recorded exchanges; nil: no history is kept. Answers at once; its own members may block.
  var history: (any ExchangeSurvey)? { get }
  /// The exchanges as they end, whether they are kept or not. Answers at once.
  var feed: ExchangeFeed { get }
  /// The measurements in the text format of Prometheus.
  func metrics() -> [UInt8]
  /// The policy in force, as one JSON document without any secret.
  func policy() -> [UInt8]
  /// The devices that have been at the site for devices: `{devices: […]}`, the last seen first. Answers at once.
  func devices() -> [UInt8]
  /// The origins that are passed on unseen.
  func whitelist() -> [WebOrigin]
  /// Puts other origins in force at once, and keeps them over a restart.
  func replaceWhitelist(_ origins: [WebOrigin]) async throws(ControlFault)
  /// Loads the configuration again. On a fault nothing has changed.
  func reload() async throws(ControlFault)
  /// Answers a JSON object `{url, context?, method?, lane?}`, or an array of such, with a decision for each.
  func explain(_ question: [UInt8]) throws(ControlFault) -> [UInt8]
  /// Sends a request once more, decided, judged and recorded as a device's would be, and waits for its end.
  func replay(_ request: ReplayRequest) async throws(ReplayFault) -> ReplayOutcome
}
