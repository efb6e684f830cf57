import Dispatch
import Glibc

/// Turns the signals that the daemon answers to into orders. They arrive as long as this object lives.
final class SignalStream {
  private let sources: [any DispatchSourceSignal]

  /// From here on the signals no longer end the process.
  init(to orders: OrderQueue) {
    let kinds: [(Int32, Order)] = [(SIGHUP, .reload(nil)), (SIGTERM, .end("SIGTERM")), (SIGINT, .end("SIGINT"))]
    let queue = DispatchQueue(label: "pinwarden.signals")
    sources = kinds.map { number, order in
      // Ignored for the process, or the default action would come before the source.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { orders.place(order) }
      source.resume()
      return source
    }
    // Sources start on their queue: none is in place before this has run.
    queue.sync {}
  }
}
