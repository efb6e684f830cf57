import EventLoop
import Policy

/// The loop on which the connections of a diagnosis live. Whoever makes one ends it.
final class DiagnosticNetwork: Sendable {
  private let loop: EventLoop
  private let resolver: LoopBound<Resolver>

  init() throws(SystemError) {
    loop = try EventLoop(name: "pinwarden.diagnose")
    resolver = LoopBound(Resolver(loop: loop), on: loop)
    loop.start()
  }

  /// Runs one errand to its end, which its time bounds.
  func run(_ errand: Errand) async -> Sighting {
    await withCheckedContinuation { continuation in
      let isAccepted = resolver.onLoop { [loop] resolver in
        Attempt(errand, resolver, on: loop) { continuation.resume(returning: $0) }.start()
      }
      guard !isAccepted else { return }
      var sighting = Sighting()
      sighting.failure = .unreachable(.internalError(detail: "The diagnosis has ended."))
      continuation.resume(returning: sighting)
    }
  }

  func end() { loop.stop() }
}
