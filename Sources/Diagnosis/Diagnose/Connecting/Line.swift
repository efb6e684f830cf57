import Bytes
import EventLoop
import TLS

/// One connection of a diagnosis: bytes, or TLS over them, or TLS inside the TLS of a proxy. It carries one short exchange, so there is no
/// back pressure: what comes beyond `inboundLimit` is not read. Confined to its loop.
final class Line: SocketHandler {
  private final class Layer {
    let session: TLSSession
    /// What the session has for the other side.
    let sealed: ByteQueue
    /// What came in it.
    let opened = ByteQueue()
    var isSecured = false

    init(_ session: TLSSession, sealed: ByteQueue) {
      self.session = session
      self.sealed = sealed
    }
  }

  private enum End { case open, ended, broken(SystemError) }

  /// More than a head of a response, and a handshake, need.
  private static let inboundLimit = 256 << 10

  private let socket: Socket
  private let fromSocket = ByteQueue()
  private let outgoing = ByteQueue()
  /// The innermost last.
  private var layers: [Layer] = []
  private var owner: (any LineOwner)?
  /// The other side has said that no more comes, or has gone.
  private(set) var hasEnded = false

  init(_ socket: Socket, owner: any LineOwner) {
    self.socket = socket
    self.owner = owner
    socket.handler = self
  }

  /// What has come and nobody has taken yet.
  var received: ByteQueue { layers.last?.opened ?? fromSocket }

  func write(_ bytes: [UInt8]) {
    outgoing.append(bytes)
    socket.requeue()
  }

  /// Begins TLS over everything that there is. `make` gets the queue that the session must write into.
  func secure(_ make: (ByteQueue) throws(TLSFailure) -> TLSSession) throws(TLSFailure) -> TLSSession {
    let sealed = ByteQueue()
    let session = try make(sealed)
    layers.append(Layer(session, sealed: sealed))
    socket.requeue()
    return session
  }

  /// Closes at once; nobody is told.
  func close() {
    guard owner != nil else { return }
    owner = nil
    socket.handler = nil
    socket.close()
    layers = []
  }

  func socketReady(_ socket: Socket) {
    let end = hasEnded ? .open : read()
    var isNewlySecured = false
    do throws(TLSFailure) {
      isNewlySecured = try open()
      try send()
    } catch {
      // The alert that says why.
      try? send()
      return fail(.tls(error))
    }
    if isNewlySecured { owner?.lineSecured(self) }
    switch end {
    case .open: owner?.lineReceived(self)
    case .ended: ended()
    case .broken(let error): fail(.system(error))
    }
  }

  private func read() -> End {
    while socket.isReadable, fromSocket.count < Self.inboundLimit, received.count < Self.inboundLimit {
      switch socket.read(into: socket.loop.readBuffer) {
      case .bytes(let count):
        fromSocket.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(socket.loop.readBuffer)[..<count]))
      case .wouldBlock: return .open
      case .ended: return .ended
      case .failed(let error): return .broken(error)
      }
    }
    return .open
  }

  /// Takes what came through all layers.
  /// - Returns: whether the innermost handshake is complete now and was not before.
  private func open() throws(TLSFailure) -> Bool {
    var input = fromSocket
    var isNewlySecured = false
    for layer in layers {
      if !layer.isSecured {
        let (progress, used) = try layer.session.advance(input.bytes)
        input.consume(used)
        guard progress == .done else { return false }
        layer.isSecured = true
        isNewlySecured = true
      }
      let (used, isEnd) = try layer.session.open(input.bytes, into: layer.opened, limit: Self.inboundLimit)
      input.consume(used)
      hasEnded = hasEnded || isEnd
      input = layer.opened
    }
    return isNewlySecured
  }

  private func send() throws(TLSFailure) {
    var queue = outgoing
    for layer in layers.reversed() {
      if layer.isSecured, !queue.isEmpty { queue.consume(try layer.session.seal(queue.bytes)) }
      queue = layer.sealed
    }
    // A failure shows when the line is read.
    if !queue.isEmpty, socket.isWritable { _ = socket.write(from: queue) }
  }

  private func ended() {
    if let last = layers.last, !last.isSecured { return fail(.tls(.truncated)) }
    hasEnded = true
    owner?.lineReceived(self)
  }

  private func fail(_ fault: LineFault) {
    owner?.lineBroke(self, fault)
  }
}
