import Bytes
import EventLoop
import Names
import TLS
import Testing

/// A connection as a test holds it: a client of the proxy, or what the proxy opened to an origin.
final class Peer: Sendable {
  static let patience = Duration.seconds(20)

  private let wire: LoopBound<Wire>

  init(_ wire: LoopBound<Wire>) {
    self.wire = wire
  }

  /// Runs `body` on the connection's loop.
  @discardableResult
  func perform<T: Sendable>(_ body: @escaping @Sendable (Wire) -> T) async -> T {
    await withCheckedContinuation { continuation in
      wire.onLoop { continuation.resume(returning: body($0)) }
    }
  }

  // MARK: sending

  func send(_ bytes: [UInt8]) async {
    await perform { $0.send(bytes) }
  }

  func send(_ text: String) async {
    await send(Array(text.utf8))
  }

  /// Ends the output; what comes can still be read.
  func finish() async {
    await perform { $0.finish() }
  }

  func close() async {
    await perform { $0.close() }
  }

  func reset() async {
    await perform { $0.reset() }
  }

  func pause(_ isPaused: Bool) async {
    await perform { $0.isPaused = isPaused }
  }

  // MARK: receiving

  /// Waits until `isDone`; false: it took too long.
  func wait(_ limit: Duration = patience, _ isDone: @escaping @Sendable (Wire) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      wire.onLoop { $0.wait(limit, isDone) { continuation.resume(returning: $0) } }
    }
  }

  /// How the other side ended; nil if it did not in time.
  func end(within limit: Duration = patience) async -> Wire.End? {
    _ = await wait(limit) { $0.end != nil }
    return await perform { $0.end }
  }

  /// Takes what has come once it is `count` bytes, or the end.
  func receive(_ count: Int) async -> [UInt8] {
    _ = await wait { $0.received.count >= count || $0.end != nil }
    return await perform { wire in
      let taken = Array(wire.received.bytes.prefix(count))
      wire.received.consume(taken.count)
      return taken
    }
  }

  /// Everything until the end.
  func receiveAll() async -> String {
    _ = await wait { $0.end != nil }
    return await perform { wire in
      defer { wire.received.removeAll() }
      return String(decoding: wire.received.bytes, as: UTF8.self)
    }
  }

  /// What has come and was not taken.
  func peek() async -> String {
    await perform { String(decoding: $0.received.bytes, as: UTF8.self) }
  }

  /// The next message.
  /// - Parameter kind: what it is, which tells whether it has a body.
  func message(_ kind: Message.Kind, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Message {
    _ = await wait { Message.read($0.received.bytes, kind, isEnd: $0.end != nil) != nil || $0.end != nil }
    let (found, rest) = await perform { wire in
      let result = Message.read(wire.received.bytes, kind, isEnd: wire.end != nil)
      if let result { wire.received.consume(result.byteCount) }
      return (result?.message, String(decoding: wire.received.bytes.prefix(200), as: UTF8.self))
    }
    let end = await perform { $0.end }
    return try #require(
      found, "no message; there is \"\(rest)\", end: \(String(describing: end))", sourceLocation: sourceLocation)
  }

  func request(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Message {
    try await message(.request, sourceLocation: sourceLocation)
  }

  func response(to method: String = "GET", sourceLocation: SourceLocation = #_sourceLocation) async throws -> Message {
    try await message(.response(to: method), sourceLocation: sourceLocation)
  }

  /// Only the head of the next message; its body stays.
  func head(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Message {
    try await message(.headOnly, sourceLocation: sourceLocation)
  }

  // MARK: TLS

  /// A handshake as client, trusting the proxy's authority.
  /// - Parameter isExpected: false: the test looks at the failure itself.
  @discardableResult
  func secure(
    _ name: String, alpn: [String] = ["http/1.1"], trusting issuer: Result<PKI.Issuer, any Error> = PKI.proxy
  ) async throws -> Wire.End? {
    let host = try Host(name)
    let anchor = try issuer.get().certificate
    let context = try Self.clientContext.get()
    await perform { wire in
      let judge = ProxyJudge(host: host, anchor: anchor)
      guard
        let session = try? context.makeSession(
          serverName: host, alpn: alpn, judge: judge, identities: [], ticket: nil, outbound: wire.ciphertext)
      else { return }
      wire.secure(with: session, judge: judge)
    }
    return await handshakeEnd()
  }

  /// A handshake as server.
  @discardableResult
  func secure(as identity: Identity, _ context: TLSServerContext, alpn: [String] = ["http/1.1"]) async throws
    -> Wire.End?
  {
    await perform { wire in
      guard
        let session = try? context.makeSession(
          leaf: identity, alpn: alpn, resumptionScope: [1], outbound: wire.ciphertext)
      else { return }
      wire.secure(with: session, judge: nil)
    }
    return await handshakeEnd()
  }

  private func handshakeEnd() async -> Wire.End? {
    _ = await wait { $0.isSecured || $0.end != nil }
    return await perform { $0.end }
  }

  private static let clientContext = Result {
    try TLSClientContext(
      TLSClientParameters(
        minimumVersion: .v12, maximumVersion: .v13, cipherSuites: ["ECDHE-ECDSA-AES128-GCM-SHA256"],
        allowsLateAuthentication: false))
  }
}
