import Policy

/// What one loop counts. Only that loop adds; any thread reads.
public final class LoopCounters: Sendable {
  /// How a client's connection came in.
  public enum ListenerKind: Int, Sendable, CaseIterable {
    case explicit, transparent, reverse, socks5
    /// A request that the console repeats.
    case replay
  }

  public enum Handshake: Int, Sendable, CaseIterable { case full, resumed, failed }

  /// What a connection to an origin is used for.
  public enum OriginUse: Int, Sendable, CaseIterable { case http1, http2, tunnel }

  public enum PinCheck: Int, Sendable, CaseIterable { case matched, mismatched, reported }

  let connections = Tally<5>()
  let openConnections = Tally<5>()
  /// By action, step and protocol: see `place(of:)`.
  let exchanges = Tally<81>()
  /// 1xx to 5xx, and none.
  let statuses = Tally<6>()
  /// In the order of `NSURLError.allCases`, `ProxyErrorType.allCases` and `violationNames`, with room for more of them.
  let errors = Tally<32>()
  let proxyErrors = Tally<32>()
  let violations = Tally<16>()
  let firstByte = LatencyHistogram()
  let total = LatencyHistogram()
  /// Of requests, then of responses.
  let bodyBytes = Tally<2>()
  let clientHandshakes = Tally<3>()
  let originHandshakes = Tally<3>()
  let originsOpened = Tally<3>()
  let originsReused = Tally<3>()
  let originsIdle = Tally<3>()
  let pins = Tally<3>()
  let tunnels = Tally<1>()
  let openTunnels = Tally<1>()
  /// From clients, then from origins.
  let tunnelBytes = Tally<2>()
  let captureSkipped = Tally<1>()
  let lanes = LaneTable()

  init() {}

  /// The counters of the lane of that name. Takes a lock: to be kept by whoever is in the lane.
  public func lane(_ name: String) -> LaneCounters { lanes.lane(name) }

  // MARK: connections

  public func connectionOpened(_ kind: ListenerKind) {
    connections.add(1, at: kind.rawValue)
    openConnections.add(1, at: kind.rawValue)
  }

  public func connectionClosed(_ kind: ListenerKind) {
    openConnections.add(-1, at: kind.rawValue)
  }

  public func clientHandshake(_ result: Handshake) {
    clientHandshakes.add(1, at: result.rawValue)
  }

  // MARK: origins

  public func originHandshake(_ result: Handshake) {
    originHandshakes.add(1, at: result.rawValue)
  }

  public func originOpened(_ use: OriginUse) {
    originsOpened.add(1, at: use.rawValue)
  }

  /// An exchange uses a connection over which another one went before.
  public func originReused(_ use: OriginUse) {
    originsReused.add(1, at: use.rawValue)
  }

  public func originBecameIdle(_ use: OriginUse) {
    originsIdle.add(1, at: use.rawValue)
  }

  public func originLeftIdle(_ use: OriginUse) {
    originsIdle.add(-1, at: use.rawValue)
  }

  public func pinsChecked(_ result: PinCheck) {
    pins.add(1, at: result.rawValue)
  }

  // MARK: tunnels

  public func tunnelOpened() {
    tunnels.add(1, at: 0)
    openTunnels.add(1, at: 0)
  }

  public func tunnelClosed(sentByteCount: Int, receivedByteCount: Int) {
    openTunnels.add(-1, at: 0)
    tunnelBytes.add(sentByteCount, at: 0)
    tunnelBytes.add(receivedByteCount, at: 1)
  }

  // MARK: exchanges

  /// Nothing of an exchange was kept for the history, because too much is kept at the moment.
  public func captureWasSkipped() {
    captureSkipped.add(1, at: 0)
  }

  public func exchangeEnded(_ outcome: ExchangeOutcome) {
    exchanges.add(1, at: Self.place(outcome.action, outcome.decidedBy, outcome.clientProtocol))
    statuses.add(1, at: Self.statusClass(outcome.status))
    if outcome.proxyError != nil || !outcome.violations.isEmpty { count(failureOf: outcome) }
    if let time = outcome.firstByte { firstByte.record(nanoseconds: time) }
    total.record(nanoseconds: outcome.total)
    bodyBytes.add(outcome.requestByteCount, at: 0)
    bodyBytes.add(outcome.responseByteCount, at: 1)
  }

  private func count(failureOf outcome: ExchangeOutcome) {
    if let error = outcome.error, let place = NSURLError.allCases.firstIndex(of: error) { errors.add(1, at: place) }
    if let error = outcome.proxyError, let place = ProxyErrorType.allCases.firstIndex(of: error) {
      proxyErrors.add(1, at: place)
    }
    for violation in outcome.violations {
      violations.add(1, at: Self.violationNames.firstIndex(of: violation) ?? Self.violationNames.count - 1)
    }
  }

  static func place(_ action: Action, _ step: DecisionStep?, _ spoken: HTTPProtocol) -> Int {
    (action.place * (DecisionStep.count + 1) + (step?.place ?? DecisionStep.count)) * 3 + spoken.rawValue
  }

  /// The place in `statuses`; the last is for exchanges without an answer.
  private static func statusClass(_ status: Int?) -> Int {
    guard let status, (100..<600).contains(status) else { return 5 }
    return status / 100 - 1
  }

  /// As `ATSVerdict.violations` names them; the last is for any other.
  static let violationNames = [
    "cleartext", "minimum-tls", "forward-secrecy", "cipher-suite", "key-size", "signature-hash", "trust", "other",
  ]
}
