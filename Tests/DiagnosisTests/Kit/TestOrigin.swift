import Bytes
import COpenSSL
import EventLoop
import Names
import Synchronization
import Testing

@testable import TLS

/// An origin on loopback that answers every request alike, or is broken in some way.
final class TestOrigin: Sendable {
  /// What it can speak in TLS.
  struct Speech: Sendable {
    var minimum = TLS1_VERSION
    var maximum = TLS1_3_VERSION
    /// By OpenSSL's names, up to TLS 1.2.
    var suites = "ALL"
    var demandsCertificates = false
  }

  enum Kind: Sendable {
    case plain
    case closing
    case secure(Identity, Speech)
    /// A proxy that grants every tunnel, and is then the origin itself.
    case proxy(Identity, Speech)
    /// A proxy that says no.
    case refusingProxy
  }

  static let loop: EventLoop = {
    guard let loop = try? EventLoop.start(count: 1, name: "diagnosis-tests").first else {
      preconditionFailure("no descriptors are left for a loop")
    }
    return loop
  }()

  private let listener: Listener
  private let counter = Mutex(0)

  /// - Parameter answer: the head of each response but for its end.
  init(_ kind: Kind, answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 0") throws {
    let context = try Self.context(kind)
    listener = try Listener(address: try #require(SocketAddress.parse("127.0.0.1:0")))
    listener.start(on: [Self.loop]) { [weak self] descriptor, _, loop in
      self?.counter.withLock { $0 += 1 }
      guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
      if case .closing = kind { return socket.close() }
      let connection = TestOriginConnection(socket, kind, context, answer: Array("\(answer)\r\n\r\n".utf8))
      socket.handler = connection
      connection.socketReady(socket)
    }
  }

  deinit { listener.close() }

  static func secure(_ wish: TestPKI.Wish = TestPKI.Wish(), _ speech: Speech = Speech()) throws -> TestOrigin {
    try TestOrigin(.secure(try TestPKI.identity(wish), speech))
  }

  var address: String { "\(listener.address)" }

  /// Connections so far.
  var count: Int { counter.withLock { $0 } }

  private static func context(_ kind: Kind) throws -> TLSServerContext? {
    let speech: Speech
    switch kind {
    case .secure(_, let given), .proxy(_, let given): speech = given
    case .plain, .closing, .refusingProxy: return nil
    }
    let context =
      try speech.demandsCertificates
      ? TLSServerContext(demandingCertificatesOf: [TestPKI.root.get().certificate]) : TLSServerContext()
    // Old versions, small keys and SHA-1 need the lowest level.
    SSL_CTX_set_security_level(context.pointer, 0)
    try #require(copenssl_ctx_set_versions(context.pointer, speech.minimum, speech.maximum) == 1)
    try #require(SSL_CTX_set_cipher_list(context.pointer, speech.suites) == 1)
    // The macro that asks for parameters of a fit size.
    SSL_CTX_ctrl(context.pointer, SSL_CTRL_SET_DH_AUTO, 1, nil)
    return context
  }
}

/// One connection of it, confined to the loop: reads a request head, answers, closes.
private final class TestOriginConnection: SocketHandler {
  private let socket: Socket
  private let kind: TestOrigin.Kind
  private let session: TLSSession?
  private let received = ByteQueue()
  private let request = ByteQueue()
  private let outbound = ByteQueue()
  private let answer: [UInt8]
  private var isSecure = false
  private var hasAnswered = false

  init(_ socket: Socket, _ kind: TestOrigin.Kind, _ context: TLSServerContext?, answer: [UInt8]) {
    self.socket = socket
    self.kind = kind
    self.answer = answer
    switch kind {
    case .secure(let identity, _), .proxy(let identity, _):
      session = try? context?.makeSession(leaf: identity, alpn: ["http/1.1"], resumptionScope: [1], outbound: outbound)
    case .plain, .closing, .refusingProxy: session = nil
    }
    if case .secure = kind { isSecure = true }
  }

  func socketReady(_ socket: Socket) {
    guard socket.isOpen else { return }
    var hasEnded = false
    reading: while true {
      switch socket.read(into: socket.loop.readBuffer) {
      case .bytes(let count):
        received.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(socket.loop.readBuffer)[..<count]))
      case .wouldBlock: break reading
      case .ended, .failed:
        hasEnded = true
        break reading
      }
    }
    let goesOn = open()
    if case .proxy = kind, !isSecure { grant() }
    if !hasAnswered, String(decoding: request.bytes, as: UTF8.self).contains("\r\n\r\n") { reply() }
    // Plain bytes are no HTTP where a ClientHello came.
    if !isSecure, request.byte(at: 0) == 22 { reply() }
    while !outbound.isEmpty, case .bytes = socket.write(from: outbound) {}
    if hasEnded || !goesOn { socket.close() } else if hasAnswered { socket.shutdownWrite() }
  }

  private func open() -> Bool {
    guard isSecure else {
      received.move(received.count, to: request)
      return true
    }
    guard let session else { return false }
    do throws(TLSFailure) {
      if session.stage < .established { received.consume(try session.advance(received.bytes).used) }
      guard session.stage == .established else { return true }
      let (used, isEnd) = try session.open(received.bytes, into: request, limit: 65_536)
      received.consume(used)
      return !isEnd
    } catch {
      return false
    }
  }

  private func grant() {
    guard String(decoding: request.bytes, as: UTF8.self).contains("\r\n\r\n") else { return }
    request.removeAll()
    outbound.append("HTTP/1.1 200 OK\r\n\r\n")
    isSecure = true
  }

  private func reply() {
    guard !hasAnswered else { return }
    hasAnswered = true
    guard isSecure, let session else { return outbound.append(answer) }
    _ = answer.withUnsafeBytes { try? session.seal($0) }
    session.close()
  }
}
