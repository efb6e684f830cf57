import Bytes
import EventLoop
import HTTP
import Records

/// One connection to the site's own listener: plain HTTP/1 requests without bodies, each answered at once. Confined to its loop, owned by
/// its worker.
final class OnboardingConnection: SocketHandler, TurnTask {
  private enum Stage { case serving, lingering, closed }
  private enum Patience { case idle, head, linger }

  let client: SocketAddress
  private let socket: Socket
  private let worker: OnboardingWorker
  private let received = ByteQueue()
  private let outgoing = ByteQueue()
  private var decoder = HTTP1RequestDecoder(limits: OnboardingLimits.http)
  private var stage = Stage.serving
  private var patience = Patience.idle
  private var request: RequestHead?
  private var hasEnded = false
  private var isFlushScheduled = false
  private var timer: Timer?
  private var stallTimer: Timer?

  init(_ socket: Socket, client: SocketAddress, worker: OnboardingWorker) {
    self.socket = socket
    self.client = client
    self.worker = worker
    timer = Timer(loop: socket.loop) { [weak self] in self?.impatient() }
    stallTimer = Timer(loop: socket.loop) { [weak self] in self?.close() }
    socket.handler = self
  }

  func start() {
    wait(.idle, OnboardingLimits.idleTime)
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
    while socket.isOpen, socket.isReadable, !hasEnded, received.count < OnboardingLimits.receivedByteCount {
      guard budget > 0 else { return socket.requeue() }
      budget -= 1
      let buffer = socket.loop.readBuffer
      switch socket.read(into: buffer) {
      case .bytes(let count):
        guard stage == .serving else { continue }
        received.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
      case .wouldBlock: return
      case .ended:
        hasEnded = true
        if stage == .lingering, outgoing.isEmpty { close() }
      case .failed: close()
      }
    }
  }

  private func advance() {
    while stage == .serving, outgoing.count < OnboardingLimits.highMark, step() {}
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
      if error.kind == .incomplete { close() } else { refuse(error.status, error.reason) }
      return false
    }
  }

  private func waitForMore() {
    let isBetween = decoder.isBetweenMessages && received.isEmpty
    // The time for a head runs from its first byte, however slowly the others come.
    if !isBetween, patience != .head { wait(.head, OnboardingLimits.headTime) }
    if socket.isReadable { socket.requeue() }
  }

  private func handle(_ event: HTTP1RequestDecoder.Event) -> Bool {
    switch event {
    case .needMore: return false
    case .closed:
      finish()
      return false
    case .head(let head, let framing):
      guard framing == .none || framing == .length(0) else {
        refuse(413, "requests for the site have no body")
        return false
      }
      request = head
    case .body, .trailers: break
    case .end: answer()
    }
    return true
  }

  // MARK: answering

  private func answer() {
    guard let head = request else { return }
    request = nil
    guard let path = Self.path(head) else { return refuse(400, "the request target must be a path") }
    guard worker.admitsRequest(of: client) else { return refuse(429, "too many requests; wait a moment") }
    var question = InternalRequest(path: path, proxy: "")
    question.method = head.method.description
    question.userAgent = head.fields.first(.userAgent) ?? ""
    question.languages = head.fields.first(named: "Accept-Language") ?? ""
    question.clock = head.fields.first(named: InternalRequest.clockField) ?? ""
    guard let answer = worker.answer(question, client: client, local: socket.local) else { return close() }
    let isLast = !head.persists || hasEnded
    write(answer, isHead: head.method == .head, isLast ? .closes : .persists)
    wait(.idle, OnboardingLimits.idleTime)
    if isLast { finish() }
  }

  /// As in the request line, whatever the name under which this machine was reached.
  private static func path(_ head: RequestHead) -> String? {
    switch try? head.requestTarget() {
    case .origin(let path): String(decoding: path, as: UTF8.self)
    case .absolute(let target) where target.scheme == "http": String(decoding: target.pathAndQuery, as: UTF8.self)
    case .absolute, .authority, .asterisk, nil: nil
    }
  }

  private func write(_ answer: InternalAnswer, isHead: Bool, _ persistence: Persistence) {
    var fields = HeaderList()
    fields.append(.date, HTTPDate.text(socket.loop.wallClock / 1_000))
    for field in answer.allFields { fields.append(name: field.name, value: field.value) }
    HTTP1Encoder.writeOwnResponse(
      ResponseHead(status: answer.status, fields: fields), byteCount: answer.body.count, persistence: persistence,
      into: outgoing)
    if !isHead { outgoing.append(answer.body) }
    scheduleFlush()
  }

  /// Answers what was not served, and ends the connection.
  private func refuse(_ status: Int, _ reason: String) {
    write(
      InternalAnswer(status: status, contentType: "text/plain; charset=utf-8", body: Array("\(reason)\n".utf8)),
      isHead: false, .closes)
    finish()
  }

  // MARK: time

  private func wait(_ patience: Patience, _ time: Duration) {
    self.patience = patience
    timer?.start(after: time)
  }

  private func impatient() {
    switch patience {
    case .head: refuse(408, "the request did not come in time")
    case .idle, .linger: close()
    }
  }

  // MARK: writing

  private func scheduleFlush() {
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
      if stallTimer?.isArmed == false { stallTimer?.start(after: OnboardingLimits.stallTime) }
      return
    }
    drained()
  }

  private func drained() {
    guard stage == .lingering else {
      // What was left of pipelined requests goes on.
      if !received.isEmpty { socket.requeue() }
      return
    }
    guard !hasEnded else { return close() }
    socket.shutdownWrite()
    wait(.linger, OnboardingLimits.lingerTime)
  }

  // MARK: the end

  /// Ends the connection when what waits has been sent; what still comes is thrown away, so that no reset takes the answer.
  private func finish() {
    guard stage == .serving else { return }
    stage = .lingering
    received.removeAll()
    wait(.linger, OnboardingLimits.stallTime)
    scheduleFlush()
  }

  func close() {
    guard stage != .closed else { return }
    stage = .closed
    timer?.invalidate()
    stallTimer?.invalidate()
    (timer, stallTimer) = (nil, nil)
    socket.close()
    worker.connectionEnded(self)
  }
}
