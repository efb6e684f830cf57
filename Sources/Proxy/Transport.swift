import Bytes
import EventLoop
import TLS

/// What the owner of a transport is told. All calls come on the transport's loop.
protocol TransportDelegate: AnyObject {
  /// `received` has grown, or the peer has ended its side (`hasEnded`).
  func transportReceived(_ transport: Transport)
  /// What waits to be sent fell below the low mark after it had been above the high one.
  func transportDrained(_ transport: Transport)
  /// The TLS handshake is complete.
  func transportSecured(_ transport: Transport)
  /// The connection is of no more use. The owner closes it.
  func transportFailed(_ transport: Transport, _ failure: TransportFailure)
}

/// Why a transport cannot go on.
enum TransportFailure: Error {
  case tls(TLSFailure)
  case system(SystemError)
}

/// One leg of a connection: a socket, TLS over it once it is secured, and the bytes that wait on either side.
///
/// Confined to its loop. Writing never touches the socket at once: everything that is written in one turn of the loop leaves in
/// one `send` at its end. Reading stops while `received` holds `inboundMark` bytes, so a consumer that does not consume makes
/// the peer wait; `resumeReading` goes on.
final class Transport: SocketHandler, TurnTask {
  private enum Phase { case plain, handshaking, secured, closed }
  private enum Closing { case no, afterFlush, half }
  /// Whether TLS on the way had announced the end of the stream.
  private enum StreamEnd { case silent, announced }

  /// Above it a leg must not be given more (design: h1 64 KiB); the low mark is half of it.
  static let highMark = 64 << 10
  private static let inboundMark = 64 << 10
  private static let readsPerTurn = 4

  /// Decrypted bytes that nobody has consumed yet.
  let received = ByteQueue()
  let loop: EventLoop
  let socket: Socket
  private(set) var session: TLSSession?
  /// The peer will send no more: FIN, or close_notify.
  private(set) var hasEnded = false
  /// The stream ended without close_notify: its end proves nothing.
  private(set) var isTruncated = false

  private var phase = Phase.plain
  private var closing = Closing.no
  /// TLS is to say that no more comes, once everything that waits is sealed.
  private var announcesEnd = false
  private let plainOut = ByteQueue()
  private var cipherOut: ByteQueue
  private let cipherIn = ByteQueue()
  /// What carries everything else, when the peer is a proxy that is spoken to in TLS.
  private var outer: OuterTLS?
  private var isHandedOver = false
  private var isScheduled = false
  /// The delegate is new and has not seen what is in `received`.
  private var owesDelivery = false
  private var isAboveHighMark = false
  private var delegate: (any TransportDelegate)?

  init(_ socket: Socket, on loop: EventLoop, cipherOut: ByteQueue = ByteQueue()) {
    self.socket = socket
    self.loop = loop
    self.cipherOut = cipherOut
    socket.handler = self
  }

  /// Gives the transport to `owner`. Bytes that came before are delivered with the next turn.
  func attach(to owner: any TransportDelegate) {
    delegate = owner
    owesDelivery = !received.isEmpty || hasEnded
    if owesDelivery || socket.isReadable || session?.hasPendingPlaintext == true { socket.requeue() }
  }

  var isOpen: Bool { phase != .closed }
  var isSecured: Bool { phase == .secured }

  /// Bytes that wait to be sent.
  var outboundCount: Int { plainOut.count + cipherOut.count + (outer?.outgoing.count ?? 0) }

  /// Whether the peer takes bytes more slowly than they come; whoever feeds this leg must stop until `transportDrained`.
  var isCongested: Bool {
    guard outboundCount >= Self.highMark else { return false }
    isAboveHighMark = true
    return true
  }

  // MARK: securing

  /// The queue that a TLS session of this transport must write its ciphertext into.
  var ciphertext: ByteQueue { cipherOut }

  /// Starts a handshake; what was received so far belongs to it.
  func secure(with session: TLSSession) {
    self.session = session
    phase = .handshaking
    received.move(received.count, to: cipherIn)
    shakeHands(UnsafeRawBufferPointer(start: nil, count: 0))
    if isOpen { resumeReading() }
  }

  /// From here on the TLS that there is carries what follows, which is plain until it is secured itself. Without TLS nothing changes.
  func nest() {
    guard phase == .secured, let session else { return }
    do throws(TLSFailure) {
      if !plainOut.isEmpty { try seal() }
      let (_, isEnd) = try session.open(cipherIn.bytes, into: received, limit: .max)
      cipherIn.removeAll()
      hasEnded = hasEnded || isEnd
    } catch { return fail(.tls(error)) }
    outer = OuterTLS(session, outgoing: cipherOut)
    cipherOut = ByteQueue()
    self.session = nil
    phase = .plain
    scheduleFlush()
  }

  private func shakeHands(_ bytes: UnsafeRawBufferPointer) {
    guard let session else { return }
    do throws(TLSFailure) {
      let isBuffered = !cipherIn.isEmpty
      if isBuffered { cipherIn.append(bytes) }
      let (progress, used) = try session.advance(isBuffered ? cipherIn.bytes : bytes)
      scheduleFlush()
      if isBuffered {
        cipherIn.consume(used)
      } else {
        cipherIn.append(UnsafeRawBufferPointer(rebasing: bytes[used...]))
      }
      guard progress == .done else { return }
      phase = .secured
      delegate?.transportSecured(self)
      if phase == .secured, !cipherIn.isEmpty { try openBuffered() }
    } catch {
      flush()
      fail(.tls(error))
    }
  }

  // MARK: reading

  func socketReady(_ socket: Socket) {
    if outboundCount > 0, socket.isWritable { flush() }
    if owesDelivery { deliver() }
    read()
  }

  /// Goes on reading after bytes of `received` were consumed.
  func resumeReading() {
    guard phase != .closed, received.count < Self.inboundMark else { return }
    if socket.isReadable || (phase == .secured && !cipherIn.isEmpty) || session?.hasPendingPlaintext == true {
      socket.requeue()
    }
  }

  private func read() {
    var budget = Self.readsPerTurn
    while phase != .closed, !isHandedOver, received.count < Self.inboundMark {
      guard budget > 0 else {
        socket.requeue()
        return
      }
      budget -= 1
      let before = received.count
      if phase == .secured, !cipherIn.isEmpty || session?.hasPendingPlaintext == true {
        do throws(TLSFailure) { try openBuffered() } catch { return fail(.tls(error)) }
        if received.count > before || hasEnded { deliver() }
        if received.count == before, !socket.isReadable { return }
        continue
      }
      guard socket.isReadable, !hasEnded else { return }
      switch socket.read(into: loop.readBuffer) {
      case .bytes(let count):
        unwrap(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(loop.readBuffer)[..<count]))
        if phase != .closed, received.count > before || hasEnded { deliver() }
      case .wouldBlock:
        return
      case .ended:
        ended(.silent)
        return
      case .failed(let error):
        return fail(.system(error))
      }
    }
  }

  private func unwrap(_ bytes: UnsafeRawBufferPointer) {
    guard let outer else { return ingest(bytes) }
    do throws(TLSFailure) {
      let isEnd = try outer.open(bytes) { ingest($0) }
      if !outer.outgoing.isEmpty { scheduleFlush() }
      if isEnd, !hasEnded, isOpen { ended(.announced) }
    } catch {
      // It says nothing about the TLS inside.
      fail(.system(.protocolFault("TLS with the proxy")))
    }
  }

  private func ingest(_ bytes: UnsafeRawBufferPointer) {
    switch phase {
    case .plain: received.append(bytes)
    case .handshaking: shakeHands(bytes)
    case .secured:
      do throws(TLSFailure) { try open(bytes) } catch {
        flush()
        fail(.tls(error))
      }
    case .closed: break
    }
  }

  private func openBuffered() throws(TLSFailure) {
    guard let session else { return }
    let (used, isEnd) = try session.open(cipherIn.bytes, into: received, limit: Self.inboundMark)
    cipherIn.consume(used)
    opened(isEnd)
  }

  private func open(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) {
    guard let session else { return }
    let (used, isEnd) = try session.open(bytes, into: received, limit: Self.inboundMark)
    cipherIn.append(UnsafeRawBufferPointer(rebasing: bytes[used...]))
    opened(isEnd)
  }

  private func opened(_ isEnd: Bool) {
    if !cipherOut.isEmpty { scheduleFlush() }
    if isEnd { hasEnded = true }
  }

  private func ended(_ end: StreamEnd) {
    if phase == .handshaking { return fail(.tls(.truncated)) }
    isTruncated = (phase == .secured || (outer != nil && end == .silent)) && !hasEnded
    hasEnded = true
    deliver()
  }

  private func deliver() {
    owesDelivery = false
    delegate?.transportReceived(self)
  }

  // MARK: handing over

  /// Whether what passes is seen by the kernel as it is: there is no TLS, and the end of no side is on its way.
  var isBare: Bool { phase == .plain && outer == nil && closing == .no }

  /// Gives the socket to whoever asks: nothing is read here any more, and what waits to be sent is theirs to send. Closing it stays
  /// the transport's.
  func handOver() -> ByteQueue {
    isHandedOver = true
    let waiting = ByteQueue()
    plainOut.move(plainOut.count, to: waiting)
    return waiting
  }

  // MARK: writing

  /// Takes plaintext to be sent at the end of this turn.
  func write(_ bytes: UnsafeRawBufferPointer) {
    guard phase != .closed, closing == .no else { return }
    plainOut.append(bytes)
    scheduleFlush()
  }

  /// Plaintext may be written straight into this queue; then `scheduleFlush` must be called.
  var outgoing: ByteQueue { plainOut }

  func scheduleFlush() {
    guard !isScheduled, phase != .closed else { return }
    isScheduled = true
    loop.atEndOfTurn(self)
  }

  func runTurnTask() {
    isScheduled = false
    flush()
  }

  /// Sends now, for whoever has just made output at the end of a turn.
  func flushNow() {
    flush()
  }

  private func flush() {
    guard phase != .closed else { return }
    if phase == .secured, !plainOut.isEmpty {
      do throws(TLSFailure) { try seal() } catch { return fail(.tls(error)) }
    }
    var queue = session == nil ? plainOut : cipherOut
    if let outer {
      do throws(TLSFailure) { try outer.seal(queue) } catch {
        return fail(.system(.protocolFault("TLS with the proxy")))
      }
      if announcesEnd, plainOut.isEmpty, queue.isEmpty { outer.close() }
      queue = outer.outgoing
    }
    if !queue.isEmpty, socket.isWritable {
      if case .failed(let error) = socket.write(from: queue) { return outputFailed(error) }
    }
    if queue.isEmpty, closing != .no { return flushedBeforeClosing() }
    if isAboveHighMark, outboundCount < Self.highMark / 2 {
      isAboveHighMark = false
      delegate?.transportDrained(self)
    }
  }

  /// The peer takes no more, but may have said why before: an origin that answers 413 and resets while a body is on its way.
  private func outputFailed(_ error: SystemError) {
    plainOut.removeAll()
    cipherOut.removeAll()
    outer?.outgoing.removeAll()
    read()
    fail(.system(error))
  }

  private func seal() throws(TLSFailure) {
    guard let session else { return }
    let used = try session.seal(plainOut.bytes)
    plainOut.consume(used)
    if plainOut.isEmpty, announcesEnd { session.close() }
  }

  // MARK: ending

  /// Sends what waits, tells the peer that no more comes, and keeps reading: the owner closes when the peer has ended.
  func endOutput() {
    guard phase != .closed, closing == .no else { return }
    closing = .half
    announcesEnd = true
    if phase == .secured, plainOut.isEmpty { session?.close() }
    scheduleFlush()
  }

  /// Sends what waits, then closes; without close_notify, so that a cut message looks cut.
  func closeAfterFlush() {
    guard phase != .closed else { return }
    closing = .afterFlush
    scheduleFlush()
  }

  private func flushedBeforeClosing() {
    switch closing {
    case .half: socket.shutdownWrite()
    case .afterFlush: close()
    case .no: break
    }
  }

  /// Closes at once; nobody is told.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    delegate = nil
    socket.handler = nil
    socket.close()
    session = nil
    outer = nil
  }

  /// Closes at once, and the peer sees a reset; nobody is told.
  func reset() {
    guard phase != .closed else { return }
    socket.reset()
    close()
  }

  /// Gives back the memory of empty queues; for connections that go idle.
  func releaseMemory() {
    received.releaseIfEmpty()
    plainOut.releaseIfEmpty()
    cipherOut.releaseIfEmpty()
    cipherIn.releaseIfEmpty()
    outer?.releaseMemory()
  }

  private func fail(_ failure: TransportFailure) {
    guard phase != .closed else { return }
    delegate?.transportFailed(self, failure)
  }
}
