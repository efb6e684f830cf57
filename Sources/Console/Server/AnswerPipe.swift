import Dispatch
import EventLoop
import Synchronization

/// The way by which a thread that may block writes a long answer: it waits while the client is slow, so only a few pieces are ever
/// in memory. Any thread may use it.
final class AnswerPipe: Sendable {
  /// The client is gone, or the answer is not wanted any more.
  struct Closed: Error {}

  /// Bytes of a piece that writers should aim at.
  static let pieceByteCount = 64 << 10
  private static let pieceLimit = 4

  private let connection: LoopBound<ConsoleConnection>
  private let isClosed = Atomic(false)
  /// Pieces that may still be handed over. Begins at zero, since a semaphore must not end below its beginning.
  private let room = DispatchSemaphore(value: 0)

  init(to connection: LoopBound<ConsoleConnection>) {
    self.connection = connection
    for _ in 0..<Self.pieceLimit { room.signal() }
  }

  /// Hands a piece over as soon as there is room. Not for loops.
  func write(_ piece: [UInt8]) throws(Closed) {
    guard !piece.isEmpty else { return }
    room.wait()
    guard !isClosed.load(ordering: .acquiring), connection.onLoop({ $0.pieceArrived(piece) }) else {
      room.signal()
      throw Closed()
    }
  }

  /// The client has taken so many pieces.
  func taken(_ count: Int) {
    for _ in 0..<count { room.signal() }
  }

  /// Ends it: a writer that waits goes on and is told.
  func close() {
    isClosed.store(true, ordering: .releasing)
    room.signal()
  }
}
