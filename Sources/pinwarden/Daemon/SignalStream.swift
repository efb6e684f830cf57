import Dispatch
import Glibc

/// The signals that the daemon answers to, one after the other. They arrive as long as this object lives.
final class SignalStream {
  enum Signal: Sendable, Equatable {
    case reload
    /// The name of the signal.
    case end(String)
  }

  let signals: AsyncStream<Signal>
  private let sources: [any DispatchSourceSignal]

  /// From here on the signals no longer end the process.
  init() {
    let kinds: [(Int32, Signal)] = [(SIGHUP, .reload), (SIGTERM, .end("SIGTERM")), (SIGINT, .end("SIGINT"))]
    let (signals, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(16))
    self.signals = signals
    let queue = DispatchQueue(label: "pinwarden.signals")
    sources = kinds.map { number, meaning in
      // Ignored for the process, or the default action would come before the source.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(meaning) }
      source.resume()
      return source
    }
    // Sources start on their queue: none is in place before this has run.
    queue.sync {}
  }
}
