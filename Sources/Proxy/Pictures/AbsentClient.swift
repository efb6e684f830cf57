import Configuration
import EventLoop

/// Stands where the client of an exchange would: its client has gone while others wait for the answer, or there never was one. Takes
/// everything and sends nothing. Owned by its exchange, confined to its loop.
final class AbsentClient {
  /// For whose sake it is: its lane, its context and its generation decide.
  let connection: ClientConnection
  /// What stands for the client's address in records.
  let name: String
  private var exchange: Exchange?
  private var timer: Timer?
  private var ended: (() -> Void)?

  /// - Parameter ended: called once, when the exchange is over.
  init(connection: ClientConnection, name: String, ended: (() -> Void)? = nil) {
    self.connection = connection
    self.name = name
    self.ended = ended
  }

  func attend(_ exchange: Exchange) {
    self.exchange = exchange
  }

  func arm() {
    let timer = timer ?? Timer(loop: connection.worker.loop) { [weak self] in self?.exchange?.timedOut() }
    self.timer = timer
    timer.start(after: connection.generation.configuration.limits.requestTimeout)
  }

  func disarm() {
    timer?.cancel()
  }

  func exchangeEnded() {
    timer?.invalidate()
    timer = nil
    exchange = nil
    let ended = ended
    self.ended = nil
    ended?()
  }
}
