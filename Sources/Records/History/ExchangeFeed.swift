import Bytes
import Synchronization

/// Exchanges as they end, for whoever watches live. Any thread may use it.
///
/// Records are written out only while somebody watches; with no subscription the feed costs nothing.
public final class ExchangeFeed: Sendable {
  private let subscriptions = Mutex<[ObjectIdentifier: ExchangeSubscription]>([:])
  private let count = Atomic<Int>(0)

  init() {}

  /// Whether there is a subscription at all. Cheap: asked on loops.
  public var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

  /// Begins to collect what ends from now on.
  /// - Parameters:
  ///   - capacity: as many records wait at most (and 4 MiB of them); the oldest give way to newer ones, and are counted.
  ///   - wake: called when something waits and nothing did before. It comes from a queue of the history and returns at once.
  /// - Returns: to be cancelled by its owner, or it collects for ever.
  public func subscribe(capacity: Int = 1_000, _ wake: @escaping @Sendable () -> Void) -> ExchangeSubscription {
    let subscription = ExchangeSubscription(feed: self, capacity: capacity, wake: wake)
    subscriptions.withLock { subscriptions in
      subscriptions[ObjectIdentifier(subscription)] = subscription
      count.store(subscriptions.count, ordering: .relaxed)
    }
    return subscription
  }

  /// Hands the records of exchanges to everybody.
  func publish(_ exchanges: [RecordedExchange]) {
    guard isWatched, !exchanges.isEmpty else { return }
    let (text, line) = (RecordText(format: .json), ByteQueue())
    let records = exchanges.map { exchange in
      line.removeAll()
      text.appendObject(exchange.record, to: line)
      return Array(line.bytes)
    }
    for subscription in subscriptions.withLock({ Array($0.values) }) { subscription.receive(records) }
  }

  func remove(_ subscription: ExchangeSubscription) {
    subscriptions.withLock { subscriptions in
      subscriptions[ObjectIdentifier(subscription)] = nil
      count.store(subscriptions.count, ordering: .relaxed)
    }
  }
}
