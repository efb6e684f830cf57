import Bytes
import EventLoop
import HTTP
import Records

/// Server-sent events: an answer that grows with each exchange until either side ends it.
extension ConsoleConnection {
  /// One client's place in the live feed.
  final class EventWatch {
    private let subscription: ExchangeSubscription

    init(_ subscription: ExchangeSubscription) {
      self.subscription = subscription
    }

    func take() -> ExchangeSubscription.Delivery { subscription.take() }
    func end() { subscription.cancel() }
  }

  /// Writes the head, and begins to watch. The feed bounds what waits for a slow client, and counts what it loses.
  func watch(_ answer: Answer) {
    writeHead(of: answer)
    guard !isHead else { return answerEnded() }
    let me = bound
    stage = .watching(EventWatch(worker.feed.subscribe { me.onLoop { $0.takeEvents() } }))
    worker.watchingBegan(self)
    writePiece(EventText.opening)
  }

  /// Writes the events that wait, unless the client has not taken earlier ones yet.
  func takeEvents() {
    guard case .watching(let watch) = stage, outgoing.count < ConsoleLimits.lowMark else { return }
    let delivery = watch.take()
    if delivery.lostCount > 0 { writePiece(EventText.lost(delivery.lostCount)) }
    for record in delivery.records { writePiece(EventText.exchange(record)) }
  }

  /// Tells a client that nothing has happened, and whoever is between, that it is still wanted.
  func heartbeat() {
    guard case .watching = stage, outgoing.isEmpty else { return }
    writePiece(EventText.heartbeat)
  }

  /// Ends the events properly, so that the client asks again.
  func endWatching() {
    guard case .watching(let watch) = stage else { return }
    watch.end()
    worker.watchingEnded(self)
    if encoding == .chunked { HTTP1Encoder.writeLastChunk(into: outgoing) }
    answerEnded()
  }
}
