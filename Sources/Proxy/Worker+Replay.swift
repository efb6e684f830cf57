import EventLoop
import Records

/// Requests that the console sends once more.
extension Worker {
  /// Serves a stored request as a client's, over a pair of sockets within the process.
  func replay(
    _ message: ReplayMessage, as listener: ListenerContext, within limit: Duration,
    completion: @escaping ReplayClient.Completion
  ) {
    guard !isDraining else { return completion(.failure(.unavailable("it is ending"))) }
    do throws(SystemError) {
      let ends = try Socket.makePair()
      let client: ReplayClient
      do throws(SystemError) {
        client = try ReplayClient(worker: self, descriptor: ends.one, limit: limit, completion: completion)
      } catch {
        Socket.close(descriptor: ends.other)
        throw error
      }
      replays[ObjectIdentifier(client)] = client
      guard let connection = accept(ends.other, peer: listener.address, listener: listener, replay: client) else {
        return client.fail(.unavailable("it took no connection"))
      }
      client.start(message, over: connection)
    } catch {
      completion(.failure(.unavailable("\(error)")))
    }
  }

  func replayEnded(_ client: ReplayClient) {
    replays[ObjectIdentifier(client)] = nil
  }
}
