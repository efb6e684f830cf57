import Names
import Policy
import Records

/// What a history holds, by host. Its size depends on how many hosts there are, not on how many exchanges.
public struct RecordedTraffic: Sendable {
  public struct Traffic: Sendable, Hashable {
    public let host: Host
    public internal(set) var exchangeCount = 0
    /// When the last one began, as records write it.
    public internal(set) var last = ""
    /// How many there were of each kind.
    public internal(set) var loads: [RecordedLoad: Int] = [:]
    /// The pins of each chain that was seen, leaf first.
    public internal(set) var chains: Set<[String]> = []
  }

  /// More hosts are not looked at, nor more kinds of loads and chains of one host: both come from outside.
  static let hostLimit = 10_000
  static let kindLimit = 200
  static let chainLimit = 16

  private var byHost: [Host: Traffic] = [:]
  public private(set) var exchangeCount = 0
  /// Records that could not be read, or were of more hosts or kinds than are looked at.
  public private(set) var leftOutCount = 0
  /// When the first and the last exchange began, as records write it.
  public private(set) var first = ""
  public private(set) var last = ""

  public init() {}

  /// Reads all exchanges of a history. May take a while, and block on the disk.
  public init(_ archive: some ExchangeArchive) throws {
    var query = ExchangeQuery()
    query.limit = ExchangeQuery.limits.upperBound
    repeat {
      let page = try archive.page(query)
      for exchange in page.exchanges {
        if let facts = exchange.facts { add(facts) } else { leftOutCount += 1 }
      }
      query.cursor = page.next
    } while query.cursor != nil
  }

  /// By name.
  public var hosts: [Traffic] { byHost.values.sorted { $0.host.text < $1.host.text } }

  public mutating func add(_ facts: RecordFacts) {
    guard let load = RecordedLoad(facts) else {
      leftOutCount += 1
      return
    }
    add(load, at: facts.started, pins: facts.origin?.pins ?? [])
  }

  /// - Parameters:
  ///   - moment: when it began, as records write it: such texts sort by time.
  ///   - pins: of the chain, leaf first.
  public mutating func add(_ load: RecordedLoad, at moment: String, pins: [String] = []) {
    let host = load.load.host
    guard byHost[host] != nil || byHost.count < Self.hostLimit else {
      leftOutCount += 1
      return
    }
    exchangeCount += 1
    first = first.isEmpty ? moment : min(first, moment)
    last = max(last, moment)
    byHost[host, default: Traffic(host: host)].add(load, at: moment, pins: pins)
  }
}

extension RecordedTraffic.Traffic {
  fileprivate mutating func add(_ load: RecordedLoad, at moment: String, pins: [String]) {
    exchangeCount += 1
    last = max(last, moment)
    if loads[load] != nil || loads.count < RecordedTraffic.kindLimit { loads[load, default: 0] += 1 }
    if !pins.isEmpty, chains.count < RecordedTraffic.chainLimit { chains.insert(pins) }
  }
}
