import Bytes
import EventLoop
import Glibc
import Records

/// The device's part in a request that is sent once more: writes it into one end of a socket pair, whose other end its worker serves as
/// a client's connection, and throws the answer away. Owned by that connection and its worker, confined to their loop.
final class ReplayClient {
  typealias Completion = @Sendable (Result<ReplayOutcome, ReplayFault>) -> Void

  private let worker: Worker
  private let transport: Transport
  private let limit: Duration
  private var timer: Timer?
  private var connection: ClientConnection?
  private var completion: Completion?
  private var receivedByteCount = 0

  /// More of an answer is not waited for.
  private static let receivedByteLimit = 64 << 20

  /// - Parameters:
  ///   - descriptor: the end of the pair that it takes over.
  ///   - limit: how long everything may take.
  ///   - completion: called once.
  init(worker: Worker, descriptor: Int32, limit: Duration, completion: @escaping Completion) throws(SystemError) {
    self.worker = worker
    self.limit = limit
    self.completion = completion
    transport = Transport(try Socket(adopting: descriptor, on: worker.loop), on: worker.loop)
  }

  func start(_ message: ReplayMessage, over connection: ClientConnection) {
    self.connection = connection
    transport.attach(to: self)
    let timer = Timer(loop: worker.loop) { [weak self] in self?.timedOut() }
    timer.start(after: limit)
    self.timer = timer
    transport.outgoing.append(message.head)
    transport.outgoing.append(message.body)
    transport.scheduleFlush()
  }

  /// The exchange is over, and its record made.
  func exchangeEnded(identifier: UInt64, status: Int?) {
    finish(.success(ReplayOutcome(identifier: identifier, status: status)))
  }

  /// There will be no exchange, or nobody waits for it any longer.
  func fail(_ fault: ReplayFault) {
    finish(.failure(fault))
  }

  private func timedOut() {
    fail(.timedOut(limit))
  }

  private func finish(_ result: Result<ReplayOutcome, ReplayFault>) {
    guard let completion else { return }
    self.completion = nil
    timer?.invalidate()
    timer = nil
    worker.replayEnded(self)
    completion(result)
    // The exchange may be in the middle of its end.
    worker.loop.performSoon { self.close() }
  }

  private func close() {
    transport.close()
    connection?.giveUp()
    connection = nil
  }
}

extension ReplayClient: TransportDelegate {
  func transportReceived(_ transport: Transport) {
    receivedByteCount += transport.received.count
    transport.received.removeAll()
    if receivedByteCount > Self.receivedByteLimit {
      connection?.giveUp()
    } else if transport.hasEnded {
      fail(.unavailable("it closed the connection without an answer"))
    } else {
      transport.resumeReading()
    }
  }

  func transportDrained(_ transport: Transport) {}

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    fail(.unavailable("it closed the connection without an answer"))
  }
}
