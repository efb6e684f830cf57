import Bytes
import EventLoop
import HTTP

/// From the head of a request to the end of its answer.
extension ConsoleConnection {
  var bound: LoopBound<ConsoleConnection> { LoopBound(self, on: socket.loop) }

  // MARK: requests

  /// Judges a head before its body is read.
  func begin(_ head: RequestHead, _ framing: BodyFraming) {
    version = head.version
    isHead = head.method == .head
    isLast = !head.persists || worker.isDraining
    guard let request = ConsoleRequest(head, framing: framing, client: client, local: socket.local) else {
      return refuse(.problem(400, "the request target must be a path"))
    }
    switch worker.judge(request) {
    case .refused(let answer): request.hasBody ? refuse(answer) : stand(answer)
    case .admitted(let route, let visitor):
      if case .length(let count) = framing, count > ConsoleLimits.bodyByteCount {
        return refuse(.problem(413, "a request to the console has at most \(ConsoleLimits.bodyByteCount >> 20) MiB"))
      }
      pending = Pending(request: request, route: route, visitor: visitor)
      request.hasBody ? awaitBody(head) : waitNoLonger()
    }
  }

  private func awaitBody(_ head: RequestHead) {
    wait(.body)
    guard version == .http11, head.fields.containsMember(.expect, "100-continue"), received.isEmpty else { return }
    outgoing.append("HTTP/1.1 100 Continue\r\n\r\n")
    scheduleFlush()
  }

  /// Keeps a refusal until the request, which has no body, has been read to its end.
  private func stand(_ answer: Answer) {
    refusal = answer
    waitNoLonger()
  }

  /// The request is complete.
  func dispatch() {
    waitNoLonger()
    if let refusal {
      self.refusal = nil
      return write(refusal)
    }
    guard let pending else { return }
    self.pending = nil
    let number = nextAnswer()
    stage = .answering(number)
    follow(worker.outcome(of: pending), number)
  }

  private func follow(_ outcome: Router.Outcome, _ number: UInt64) {
    let me = bound
    switch outcome {
    case .now(let answer): answered(answer, number)
    case .work(let job):
      worker.perform(for: me, number) {
        let answer = job()
        me.onLoop { $0.answered(answer, number) }
      }
    case .preparation(let job):
      worker.perform(for: me, number) {
        let outcome = job()
        me.onLoop { $0.follow(outcome, number) }
      }
    case .task(let job):
      Task {
        let answer = await job()
        me.onLoop { $0.answered(answer, number) }
      }
    }
  }

  // MARK: answers

  /// Writes the answer, unless the request that it is for is over.
  func answered(_ answer: Answer, _ number: UInt64) {
    guard case .answering(number) = stage else { return }
    write(answer)
    advance()
  }

  /// Answers what was not read to its end, and ends the connection.
  func refuse(_ answer: Answer) {
    isLast = true
    write(answer)
  }

  private func write(_ answer: Answer) {
    if hasEnded || worker.isDraining { isLast = true }
    switch answer.body {
    case .bytes(let bytes):
      HTTP1Encoder.writeOwnResponse(
        answer.head(at: worker.loop.wallClock / 1_000), byteCount: bytes.count,
        persistence: isLast ? .closes : .persists, into: outgoing)
      if !isHead { outgoing.append(bytes) }
      scheduleFlush()
      answerEnded()
    case .unchanged(let byteCount):
      HTTP1Encoder.writeOwnResponse(
        answer.head(at: worker.loop.wallClock / 1_000), byteCount: byteCount,
        persistence: isLast ? .closes : .persists, into: outgoing)
      scheduleFlush()
      answerEnded()
    case .stream(let produce): stream(answer, produce)
    case .events:
      isLast = true
      watch(answer)
    }
  }

  /// Writes the head of an answer whose length is not known yet.
  func writeHead(of answer: Answer) {
    encoding = HTTP1Encoder.writeResponse(
      answer.head(at: worker.loop.wallClock / 1_000), framing: .chunked, to: version, via: nil,
      persistence: isLast ? .closes : .persists, into: outgoing)
    if encoding == .untilClose { isLast = true }
    scheduleFlush()
  }

  func writePiece(_ piece: [UInt8]) {
    piece.withUnsafeBytes { bytes in
      if encoding == .chunked { HTTP1Encoder.writeChunk(bytes, into: outgoing) } else { outgoing.append(bytes) }
    }
    scheduleFlush()
  }

  /// The answer is written to its end.
  func answerEnded() {
    guard !isLast else { return finish() }
    stage = .reading
    wait(.idle)
    if socket.isReadable { socket.requeue() }
  }

  /// Ends the connection when what waits has been sent.
  func finish() {
    stage = .lingering
    received.removeAll()
    waitNoLonger()
    scheduleFlush()
  }

  /// Everything that waited is sent.
  func drained() {
    switch stage {
    case .lingering:
      guard !hasEnded else { return close() }
      socket.shutdownWrite()
      wait(.linger)
    case .streaming(let pipe):
      pipe.taken(unacknowledgedPieces)
      unacknowledgedPieces = 0
    case .watching: takeEvents()
    case .reading:
      received.releaseIfEmpty()
      outgoing.releaseIfEmpty()
    case .answering, .closed: break
    }
  }

  // MARK: answers in pieces

  private func stream(_ answer: Answer, _ produce: @escaping @Sendable (AnswerPipe) throws -> Void) {
    guard !isHead else {
      writeHead(of: answer)
      return answerEnded()
    }
    let me = bound
    let pipe = AnswerPipe(to: me)
    stage = .streaming(pipe)
    let isTaken = worker.streams.submit {
      do {
        try produce(pipe)
        me.onLoop { $0.streamEnded(pipe) }
      } catch {
        // What is cut must not look complete: no last chunk.
        me.onLoop { $0.streamFailed(pipe) }
      }
    }
    // No piece arrives before this turn is over.
    if isTaken {
      writeHead(of: answer)
    } else {
      write(.problem(503, "too many long answers are being written already"))
    }
  }

  func pieceArrived(_ piece: [UInt8]) {
    guard case .streaming = stage else { return }
    unacknowledgedPieces += 1
    writePiece(piece)
  }

  private func streamEnded(_ pipe: AnswerPipe) {
    guard case .streaming(let current) = stage, current === pipe else { return }
    if encoding == .chunked { HTTP1Encoder.writeLastChunk(into: outgoing) }
    scheduleFlush()
    answerEnded()
    advance()
  }

  private func streamFailed(_ pipe: AnswerPipe) {
    guard case .streaming(let current) = stage, current === pipe else { return }
    close()
  }
}
