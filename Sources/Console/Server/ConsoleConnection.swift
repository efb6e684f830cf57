import Bytes
import EventLoop
import HTTP

/// One connection to the console: plain-text HTTP/1, one request after the other. Confined to its loop, owned by its worker.
///
/// While a request is answered later ones wait, at first in `received`, then in the kernel.
final class ConsoleConnection: SocketHandler, TurnTask {
  enum Stage {
    /// A request is awaited, or is being read.
    case reading
    /// Its answer is being made, by whoever knows the number.
    case answering(UInt64)
    /// Its answer is written piece by piece.
    case streaming(AnswerPipe)
    /// Its answer are events, which end when either side does.
    case watching(EventWatch)
    /// The last answer is written; what still comes is thrown away, so that no reset takes the answer from the client.
    case lingering
    case closed
  }

  enum Patience {
    case idle, head, body, linger

    var time: Duration {
      switch self {
      case .idle: ConsoleLimits.idleTime
      case .head: ConsoleLimits.headTime
      case .body: ConsoleLimits.bodyTime
      case .linger: ConsoleLimits.lingerTime
      }
    }
  }

  /// A request whose body is being read.
  struct Pending {
    var request: ConsoleRequest
    let route: Route
    let visitor: Gate.Visitor
  }

  let socket: Socket
  let worker: ConsoleWorker
  let client: SocketAddress
  let received = ByteQueue()
  let outgoing = ByteQueue()
  var stage = Stage.reading
  var pending: Pending?
  /// What the request at hand will be answered when it has been read.
  var refusal: Answer?
  /// Of the request that is being read or answered.
  var version = HTTPVersion.http11
  var isHead = false
  /// No request follows the one that is being read or answered.
  var isLast = false
  var encoding = BodyFraming.none
  var unacknowledgedPieces = 0
  var hasEnded = false
  private var decoder = HTTP1RequestDecoder(limits: ConsoleLimits.http)
  private var isAdvancing = false
  private var isFlushScheduled = false
  private var patience = Patience.idle
  private var timer: Timer?
  private var stallTimer: Timer?
  private var answerCount: UInt64 = 0

  init(_ socket: Socket, client: SocketAddress, worker: ConsoleWorker) {
    self.socket = socket
    self.client = client
    self.worker = worker
    timer = Timer(loop: socket.loop) { [weak self] in self?.impatient() }
    stallTimer = Timer(loop: socket.loop) { [weak self] in self?.close() }
    socket.handler = self
  }

  func start() {
    wait(.idle)
    socket.requeue()
  }

  // MARK: reading

  func socketReady(_ socket: Socket) {
    if !outgoing.isEmpty, socket.isWritable { flush() }
    read()
    advance()
  }

  private func read() {
    var budget = 4
    while socket.isOpen, socket.isReadable, !hasEnded, received.count < ConsoleLimits.receivedByteCount {
      guard budget > 0 else { return socket.requeue() }
      budget -= 1
      let buffer = socket.loop.readBuffer
      switch socket.read(into: buffer) {
      case .bytes(let count): took(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
      case .wouldBlock: return
      case .ended: ended()
      case .failed: close()
      }
    }
  }

  private func took(_ bytes: UnsafeRawBufferPointer) {
    switch stage {
    case .lingering, .watching, .closed: break
    case .reading, .answering, .streaming: received.append(bytes)
    }
  }

  /// A client may have sent its end and still wait for an answer, but not for events.
  private func ended() {
    hasEnded = true
    switch stage {
    case .watching: close()
    case .lingering where outgoing.isEmpty: close()
    case .reading, .answering, .streaming, .lingering, .closed: break
    }
  }

  /// Goes on with what is there.
  func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    while case .reading = stage, step() {}
    isAdvancing = false
  }

  /// One event of the decoder. False: nothing can be done before more comes.
  private func step() -> Bool {
    do throws(HTTPFault) {
      var event = try decoder.next(received)
      if event == .needMore {
        guard hasEnded else {
          waitForMore()
          return false
        }
        event = try decoder.inputEnded(received)
      }
      return handle(event)
    } catch {
      if error.kind == .incomplete { close() } else { refuse(.problem(error.status, error.reason)) }
      return false
    }
  }

  private func waitForMore() {
    if pending == nil {
      let isBetween = decoder.isBetweenMessages && received.isEmpty
      if isBetween, worker.isDraining { return finish() }
      // The time for a head runs from its first byte, however slowly the others come.
      if !isBetween, patience != .head { wait(.head) }
    }
    if socket.isReadable { socket.requeue() }
  }

  private func handle(_ event: HTTP1RequestDecoder.Event) -> Bool {
    switch event {
    case .needMore: return false
    case .closed:
      finish()
      return false
    case .head(let head, let framing): begin(head, framing)
    case .body(let count): bodyArrived(count)
    case .trailers: break
    case .end: dispatch()
    }
    return true
  }

  private func bodyArrived(_ count: Int) {
    guard let length = pending?.request.body.count, length + count <= ConsoleLimits.bodyByteCount else {
      return refuse(.problem(413, "a request to the console has at most \(ConsoleLimits.bodyByteCount >> 20) MiB"))
    }
    pending?.request.body.append(contentsOf: received.bytes[..<count])
    received.consume(count)
    decoder.consumed(count)
  }

  // MARK: time

  func wait(_ patience: Patience) {
    self.patience = patience
    timer?.start(after: patience.time)
  }

  func waitNoLonger() {
    patience = .idle
    timer?.cancel()
  }

  private func impatient() {
    switch patience {
    // A slow client still gets what was written for it.
    case .idle: outgoing.isEmpty ? close() : wait(.idle)
    case .linger: close()
    case .head, .body: refuse(.problem(408, "the request did not come in time"))
    }
  }

  // MARK: writing

  /// Has what waits sent at the end of this turn.
  func scheduleFlush() {
    guard !isFlushScheduled, socket.isOpen else { return }
    isFlushScheduled = true
    socket.loop.atEndOfTurn(self)
  }

  func runTurnTask() {
    isFlushScheduled = false
    flush()
  }

  private func flush() {
    guard socket.isOpen else { return }
    while !outgoing.isEmpty, socket.isWritable {
      switch socket.write(from: outgoing) {
      case .bytes: stallTimer?.cancel()
      case .wouldBlock: break
      case .ended, .failed: return close()
      }
    }
    guard outgoing.isEmpty else {
      if stallTimer?.isArmed == false { stallTimer?.start(after: ConsoleLimits.stallTime) }
      return
    }
    drained()
  }

  // MARK: the end

  /// Closes an idle connection; one that is at work ends with its answer, since `worker.isDraining`.
  func drain() {
    if case .reading = stage, pending == nil, received.isEmpty { outgoing.isEmpty ? close() : finish() }
  }

  /// A number by which the answer to the request at hand is known.
  func nextAnswer() -> UInt64 {
    answerCount += 1
    return answerCount
  }

  /// Closes at once. Whoever writes or watches is told.
  func close() {
    switch stage {
    case .closed: return
    case .streaming(let pipe): pipe.close()
    case .watching(let watch): watch.end()
    case .reading, .answering, .lingering: break
    }
    stage = .closed
    timer?.invalidate()
    stallTimer?.invalidate()
    (timer, stallTimer, pending) = (nil, nil, nil)
    socket.close()
    worker.connectionEnded(self)
  }
}
