import Bytes
import EventLoop
import HTTP
import TLS

/// One end of a connection in a test: exact bytes out, all bytes in. Confined to its loop; `Peer` is its face for tests.
///
/// It shares no code with the proxy's own connections, so that a mistake there does not cancel out here.
final class Wire: SocketHandler {
  enum End: Sendable, Equatable {
    /// FIN, after close_notify where there is TLS.
    case orderly
    /// FIN without close_notify.
    case truncated
    case reset
    case tls(TLSFailure)
  }

  private struct Waiter {
    let isDone: (Wire) -> Bool
    let resume: (Bool) -> Void
    let timer: Timer
  }

  let socket: Socket
  let received = ByteQueue()
  private(set) var end: End?
  private(set) var session: TLSSession?
  private(set) var isSecured = false
  /// While it is set nothing is read, so that the other side runs into a full window.
  var isPaused = false {
    didSet { if !isPaused { socket.requeue() } }
  }

  /// HTTP/2 over this connection; takes all bytes that come.
  var http2: HTTP2Wire?

  private(set) var judge: (any TLSPeerJudge)?
  private let sealed = ByteQueue()
  private let unopened = ByteQueue()
  private var waiters: [Waiter] = []
  private var closesAfterFlush = false

  init(_ socket: Socket) {
    self.socket = socket
    socket.handler = self
    socket.requeue()
  }

  deinit {
    // It holds its delegate.
    http2?.session.abandon()
  }

  var unsentCount: Int { sealed.count }

  // MARK: acting

  func send(_ bytes: [UInt8]) {
    guard let session, isSecured else {
      sealed.append(bytes)
      return flush()
    }
    do throws(TLSFailure) {
      let plain = ByteQueue()
      plain.append(bytes)
      _ = try session.seal(plain.bytes)
    } catch {
      end = end ?? .tls(error)
    }
    flush()
  }

  /// Ends this side's output.
  func finish() {
    session?.close()
    closesAfterFlush = true
    flush()
  }

  func close() {
    socket.close()
    wake()
  }

  func reset() {
    socket.reset()
    wake()
  }

  /// Ciphertext of the session must go to `ciphertext`.
  func secure(with session: TLSSession, judge: (any TLSPeerJudge)?) {
    self.session = session
    self.judge = judge
    received.move(received.count, to: unopened)
    open()
    flush()
  }

  var ciphertext: ByteQueue { sealed }

  // MARK: waiting

  /// Calls `resume` with true once `isDone`, with false when that takes longer than `limit`.
  func wait(_ limit: Duration, _ isDone: @escaping (Wire) -> Bool, _ resume: @escaping (Bool) -> Void) {
    if isDone(self) { return resume(true) }
    let timer = Timer(loop: socket.loop) { [weak self] in self?.expire() }
    waiters.append(Waiter(isDone: isDone, resume: resume, timer: timer))
    timer.start(after: limit)
  }

  private func expire() {
    let late = waiters.filter { !$0.timer.isArmed }
    waiters.removeAll { !$0.timer.isArmed }
    for waiter in late { waiter.resume(false) }
  }

  private func wake() {
    let ready = waiters.filter { $0.isDone(self) }
    waiters.removeAll { waiter in ready.contains { $0.timer === waiter.timer } }
    for waiter in ready {
      waiter.timer.cancel()
      waiter.resume(true)
    }
  }

  // MARK: moving bytes

  func socketReady(_ socket: Socket) {
    flush()
    var budget = 16
    while !isPaused, end == nil, socket.isOpen {
      guard budget > 0 else {
        socket.requeue()
        break
      }
      budget -= 1
      defer { http2?.received() }
      let outcome = socket.read(into: socket.loop.readBuffer)
      if case .wouldBlock = outcome { break }
      take(outcome)
    }
    flush()
    wake()
  }

  private func take(_ outcome: IOOutcome) {
    switch outcome {
    case .bytes(let count):
      let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(socket.loop.readBuffer)[..<count])
      if session == nil {
        received.append(bytes)
      } else {
        unopened.append(bytes)
        open()
      }
    case .ended: end = session != nil ? .truncated : .orderly
    case .failed: end = .reset
    case .wouldBlock: break
    }
  }

  private func open() {
    guard let session else { return }
    do throws(TLSFailure) {
      if !isSecured {
        let (progress, used) = try session.advance(unopened.bytes)
        unopened.consume(used)
        guard progress == .done else { return }
        isSecured = true
      }
      let (used, hasEnded) = try session.open(unopened.bytes, into: received, limit: .max)
      unopened.consume(used)
      if hasEnded { end = .orderly }
    } catch {
      end = .tls(error)
    }
  }

  private func flush() {
    if !sealed.isEmpty, socket.isOpen, case .failed = socket.write(from: sealed) { end = end ?? .reset }
    if sealed.isEmpty, closesAfterFlush { socket.shutdownWrite() }
  }
}
