import Bytes
import EventLoop
import TLS

/// An origin on loopback that answers every request with 200.
final class DemoOrigin: Sendable {
  /// How it is spoken to.
  enum Kind: Sendable {
    case plain
    case secure(TLSServerContext, Identity)
  }

  private let listener: Listener

  /// `127.0.0.1:port`.
  var address: String { "\(listener.address)" }

  /// Listens from now on; connections live on `loop`.
  init(_ kind: Kind, on loop: EventLoop) throws(SystemError) {
    guard let address = SocketAddress.parse("127.0.0.1:0") else { throw SystemError(code: 0, call: "bind") }
    listener = try Listener(address: address)
    listener.start(on: [loop]) { descriptor, _, loop in
      guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
      let connection = DemoOriginConnection(socket, kind)
      socket.handler = connection
      connection.socketReady(socket)
    }
  }

  func close() {
    listener.close()
  }
}

/// One connection of a demo origin, confined to its loop: reads a request head, answers, closes.
private final class DemoOriginConnection: SocketHandler {
  private static let answer: StaticString =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n"
  private static let longestHead = 65_536

  private let socket: Socket
  private let session: TLSSession?
  private let received = ByteQueue()
  private let request = ByteQueue()
  private let outbound: ByteQueue
  private var hasAnswered = false

  init(_ socket: Socket, _ kind: DemoOrigin.Kind) {
    self.socket = socket
    let outbound = ByteQueue()
    self.outbound = outbound
    switch kind {
    case .plain: session = nil
    case .secure(let context, let leaf):
      session = try? context.makeSession(
        leaf: leaf, alpn: ["http/1.1"], resumptionScope: Array(leaf.name.utf8.prefix(32)), outbound: outbound)
      if session == nil { socket.close() }
    }
  }

  func socketReady(_ socket: Socket) {
    guard socket.isOpen else { return }
    var hasEnded = false
    reading: while true {
      switch socket.read(into: socket.loop.readBuffer) {
      case .bytes(let count):
        received.append(UnsafeRawBufferPointer(rebasing: socket.loop.readBuffer[..<count]))
        guard received.count <= Self.longestHead else { return socket.close() }
      case .wouldBlock: break reading
      case .ended, .failed:
        hasEnded = true
        break reading
      }
    }
    let mayGoOn = decrypt()
    if !hasAnswered, hasCompleteHead { sendAnswer() }
    flush()
    if hasEnded || !mayGoOn { socket.close() }
  }

  /// False when the connection is over, because the peer closed it or does not get along.
  private func decrypt() -> Bool {
    guard let session else {
      received.move(received.count, to: request)
      return request.count <= Self.longestHead
    }
    do throws(TLSFailure) {
      if session.stage < .established { received.consume(try session.advance(received.bytes).used) }
      guard session.stage == .established else { return true }
      let (used, ended) = try session.open(received.bytes, into: request, limit: Self.longestHead)
      received.consume(used)
      return !ended && request.count < Self.longestHead
    } catch {
      return false
    }
  }

  private var hasCompleteHead: Bool {
    String(decoding: request.bytes, as: UTF8.self).contains("\r\n\r\n")
  }

  private func sendAnswer() {
    hasAnswered = true
    guard let session else { return outbound.append(Self.answer) }
    let answer = UnsafeRawBufferPointer(start: Self.answer.utf8Start, count: Self.answer.utf8CodeUnitCount)
    _ = try? session.seal(answer)
    session.close()
  }

  private func flush() {
    while !outbound.isEmpty, case .bytes = socket.write(from: outbound) {}
    if hasAnswered, outbound.isEmpty { socket.shutdownWrite() }
  }
}
