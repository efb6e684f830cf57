import Bytes
import Configuration
import Console
import Foundation
import Names
import Proxy
import Records
import Synchronization

/// The daemon as the console sees it. Any thread may use it. It answers questions itself; what changes something becomes an order.
final class DaemonControl: ProxyControl {
  private static let questionLimit = 1_000

  private let orders: OrderQueue
  private let server: ProxyServer
  private let exchanges: ExchangeHistory
  private let registry: DeviceRegistry
  private let current: Mutex<Configuration>
  private let isServing = Atomic(false)

  init(
    _ configuration: Configuration, orders: OrderQueue, server: ProxyServer, exchanges: ExchangeHistory,
    devices: DeviceRegistry
  ) {
    registry = devices
    current = Mutex(configuration)
    self.exchanges = exchanges
    self.orders = orders
    self.server = server
  }

  // MARK: for the daemon

  /// The configuration in force.
  var configuration: Configuration { current.withLock { $0 } }

  func use(_ configuration: Configuration) {
    current.withLock { $0 = configuration }
  }

  func beginServing() { isServing.store(true, ordering: .releasing) }
  func endServing() { isServing.store(false, ordering: .releasing) }

  // MARK: questions

  var isReady: Bool { isServing.load(ordering: .acquiring) }
  var history: (any ExchangeSurvey)? { configuration.store == nil ? nil : exchanges }
  var feed: ExchangeFeed { exchanges.feed }

  func metrics() -> [UInt8] { Array(server.metrics.text().utf8) }

  func policy() -> [UInt8] { PolicyDocument(configuration).bytes }

  func devices() -> [UInt8] { registry.document }

  func whitelist() -> [WebOrigin] { configuration.whitelist }

  func explain(_ question: [UInt8]) throws(ControlFault) -> [UInt8] {
    let explainer = Explainer(configuration, defaults: ExplainRequest(url: ""))
    let isList = question.first { !Self.blanks.contains($0) } == UInt8(ascii: "[")
    let out = ByteQueue()
    var json = JSONText(into: out)
    if isList {
      let requests = try Self.decode([ExplainRequest].self, question)
      guard requests.count <= Self.questionLimit else {
        throw ControlFault(.invalid, "\(requests.count) questions at a time; \(Self.questionLimit) are allowed")
      }
      json.beginArray()
      for request in requests {
        switch explainer.explain(request) {
        case .success(let explanation): explanation.write(to: &json)
        case .failure(let fault): fault.write(to: &json)
        }
      }
      json.endArray()
    } else {
      switch explainer.explain(try Self.decode(ExplainRequest.self, question)) {
      case .success(let explanation): explanation.write(to: &json)
      case .failure(let fault): throw ControlFault(.invalid, fault.message)
      }
    }
    return Array(out.bytes)
  }

  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  private static func decode<Question: Decodable>(_ type: Question.Type, _ text: [UInt8]) throws(ControlFault)
    -> Question
  {
    do {
      return try JSONDecoder().decode(type, from: Data(text))
    } catch {
      throw ControlFault(
        .invalid,
        #"the body must be a JSON object {"url": …, "context": …, "method": …, "lane": …} with a URL, or an array of such"#
      )
    }
  }

  // MARK: orders

  func reload() async throws(ControlFault) {
    try await orders.carryOut { .reload($0) }
  }

  func replaceWhitelist(_ origins: [WebOrigin]) async throws(ControlFault) {
    try await orders.carryOut { .whitelist(origins, $0) }
  }

  func replay(_ request: ReplayRequest) async throws(ReplayFault) -> ReplayOutcome {
    try await server.replay(request)
  }
}
