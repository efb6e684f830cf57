import Configuration
import EventLoop
import Names
import Policy
import Records
import Synchronization

/// Requests that the console sends once more.
extension ProxyServer {
  /// How many may run at once: each holds its body in memory.
  private static let replayLimit = 16

  /// Sends a stored request once more, decided, judged and recorded as a device's would be, and waits for its end. The answer is thrown
  /// away here; the record, and what is kept of the messages, go where all go. Not for loops.
  ///
  /// - Parameter limit: how long everything may take.
  public func replay(
    _ request: ReplayRequest, within limit: Duration = .seconds(60)
  ) async throws(ReplayFault) -> ReplayOutcome {
    guard hasLane(request.lane) else { throw .unknownLane(request.lane) }
    let message = try ReplayMessage(request)
    let listener = ListenerContext(repeatingFor: request)
    guard replayCount.wrappingAdd(1, ordering: .relaxed).oldValue < Self.replayLimit else {
      replayCount.wrappingSubtract(1, ordering: .relaxed)
      throw .tooMany(Self.replayLimit)
    }
    defer { replayCount.wrappingSubtract(1, ordering: .relaxed) }
    let worker = anyWorker
    let result: Result<ReplayOutcome, ReplayFault> = await withCheckedContinuation { continuation in
      let isAccepted = worker.onLoop { worker in
        worker.replay(message, as: listener, within: limit) { continuation.resume(returning: $0) }
      }
      if !isAccepted { continuation.resume(returning: .failure(.unavailable("it has ended"))) }
    }
    return try result.get()
  }
}

extension ListenerContext {
  /// What a connection that repeats a request must know in place of a listener's settings.
  fileprivate init(repeatingFor request: ReplayRequest) {
    let client = request.client.flatMap(SocketAddress.parse)
    let isGuarded = client.map { TargetGuard.watches($0.ipBytes.flatMap(IPAddress.init(bytes:))) } ?? true
    self.init(
      settings: ListenerSettings(address: .unix("console"), lane: request.lane),
      address: SocketAddress(unixPath: "console"), repetition: Repetition(isGuarded: isGuarded))
  }
}
