import Policy
import Synchronization

/// What one loop counts of one lane. Only that loop adds; any thread reads.
public final class LaneCounters: Sendable {
  /// By the place of the action.
  let exchanges = Tally<3>()
  let failures = Tally<1>()
  let tunnels = Tally<1>()
  /// Of requests, then of responses.
  let bodyBytes = Tally<2>()

  init() {}

  public func exchangeEnded(_ outcome: ExchangeOutcome) {
    exchanges.add(1, at: outcome.action.place)
    if outcome.proxyError != nil { failures.add(1, at: 0) }
    bodyBytes.add(outcome.requestByteCount, at: 0)
    bodyBytes.add(outcome.responseByteCount, at: 1)
  }

  public func tunnelOpened() {
    tunnels.add(1, at: 0)
  }
}

/// The counters of the lanes of one loop, by name. Names come from configurations alone, so there are few; after many reloads that
/// name ever others, what is new counts as `other`.
final class LaneTable: Sendable {
  private static let limit = 1_000
  private static let rest = "other"

  private let lanes = Mutex<[String: LaneCounters]>([:])

  /// The same object for the same name.
  func lane(_ name: String) -> LaneCounters {
    lanes.withLock { lanes in
      if let known = lanes[name] { return known }
      let name = lanes.count < Self.limit ? name : Self.rest
      if let known = lanes[name] { return known }
      let made = LaneCounters()
      lanes[name] = made
      return made
    }
  }

  var all: [String: LaneCounters] { lanes.withLock { $0 } }
}
