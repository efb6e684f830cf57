import Bytes
import EventLoop

/// Passes bytes between two sockets that no TLS of ours is on: a blind tunnel. It takes the sockets over from their transports, which
/// only close them at the end. Confined to its loop.
final class PlainRelay: SocketHandler {
  private let toOrigin: SocketPassage
  private let toClient: SocketPassage
  private let passed: () -> Void
  private let ended: (TransportFailure?) -> Void
  private var isOver = false
  private var isToOriginOpen = true
  private var isToClientOpen = true

  /// - Parameters:
  ///   - towardsOrigin, towardsClient: what was read already, and goes first; taken off the queues.
  ///   - passed: called whenever a socket was ready.
  ///   - ended: called once, when both sides have ended or one has failed.
  init(
    client: Socket, origin: Socket, towardsOrigin: ByteQueue, towardsClient: ByteQueue,
    passed: @escaping () -> Void, ended: @escaping (TransportFailure?) -> Void
  ) {
    toOrigin = SocketPassage(from: client, to: origin, first: towardsOrigin)
    toClient = SocketPassage(from: origin, to: client, first: towardsClient)
    self.passed = passed
    self.ended = ended
    client.handler = self
    origin.handler = self
  }

  var sentByteCount: Int { toOrigin.byteCount }
  var receivedByteCount: Int { toClient.byteCount }

  func start() {
    // Edges that came before went to the transports.
    toOrigin.source.requeue()
    toClient.source.requeue()
  }

  func socketReady(_ socket: Socket) {
    guard !isOver else { return }
    passed()
    isToOriginOpen = isToOriginOpen && advance(toOrigin)
    isToClientOpen = isToClientOpen && advance(toClient)
    if !isToOriginOpen, !isToClientOpen { end(nil) }
  }

  /// - Returns: false: the passage has ended.
  private func advance(_ passage: SocketPassage) -> Bool {
    guard !isOver else { return true }
    switch passage.advance() {
    case .waits, .continues:
      return true
    case .ended:
      passage.sink.shutdownWrite()
      return false
    case .failed(let error):
      // The side that takes no more may have said why before.
      _ = (passage === toOrigin ? toClient : toOrigin).advance()
      end(.system(error))
      return true
    }
  }

  /// Stops; what is under way is dropped.
  func stop() {
    isOver = true
    toOrigin.end()
    toClient.end()
  }

  private func end(_ failure: TransportFailure?) {
    guard !isOver else { return }
    stop()
    ended(failure)
  }
}
