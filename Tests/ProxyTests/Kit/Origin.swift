import EventLoop
import HTTP
import Synchronization
import TLS
import Testing

/// A listener that a test plays an origin with: it hands over the connections that the proxy opens, one after the other.
final class Origin: Sendable {
  private struct State {
    var connections: [Peer] = []
    var count = 0
  }

  private let listener: Listener
  private let identity: Identity?
  private let context: TLSServerContext
  private let alpn: [String]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - identity: what it shows in TLS; nil: it speaks plain bytes.
  ///   - alpn: the protocols that it speaks, the preferred one first.
  ///   - prepare: changes the TLS settings before the first connection.
  init(_ identity: Identity?, alpn: [String] = ["http/1.1"], prepare: (TLSServerContext) -> Void = { _ in }) throws {
    self.identity = identity
    self.alpn = alpn
    context = try TLSServerContext()
    prepare(context)
    listener = try Listener(address: Kit.loopback)
    listener.start(on: [Kit.loop]) { [weak self] descriptor, _, loop in
      guard let self, let socket = try? Socket(adopting: descriptor, on: loop) else { return }
      self.accepted(Peer(LoopBound(Wire(socket), on: loop)))
    }
  }

  deinit {
    listener.close()
  }

  /// An origin with a certificate for `name`.
  static func tls(_ name: String = "a.test") throws -> Origin {
    try Origin(PKI.server(name))
  }

  /// An origin that speaks HTTP/2.
  static func http2(_ name: String = "a.test", alpn: [String] = ["h2", "http/1.1"]) throws -> Origin {
    try Origin(PKI.server(name), alpn: alpn)
  }

  static func plain() throws -> Origin {
    try Origin(nil)
  }

  var address: String { "\(listener.address)" }

  /// How many connections have come so far.
  var connectionCount: Int { state.withLock { $0.count } }

  /// The next connection, after its handshake if there is TLS.
  func accept(securing: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Peer {
    let peer = try await next(sourceLocation)
    if securing, let identity {
      let end = try await peer.secure(as: identity, context, alpn: alpn)
      try #require(
        end == nil, "the handshake with the proxy failed: \(String(describing: end))", sourceLocation: sourceLocation)
    }
    return peer
  }

  /// The next connection, over which HTTP/2 was chosen.
  func acceptHTTP2(
    _ change: @escaping @Sendable (inout HTTP2Settings) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTP2Peer {
    try await HTTP2Peer(
      accept(sourceLocation: sourceLocation), .server, change, sourceLocation: sourceLocation)
  }

  /// The handshake of a connection that was accepted without one.
  func secure(_ peer: Peer) async throws -> Wire.End? {
    guard let identity else { return nil }
    return try await peer.secure(as: identity, context, alpn: alpn)
  }

  /// Makes the handshakes of all connections that come, whatever becomes of them, until the task is cancelled.
  func playHandshakes() async {
    while !Task.isCancelled {
      if let peer = take() {
        _ = try? await secure(peer)
      } else {
        try? await Task.sleep(for: .milliseconds(3))
      }
    }
  }

  private func accepted(_ peer: Peer) {
    state.withLock { state in
      state.connections.append(peer)
      state.count += 1
    }
  }

  private func next(_ sourceLocation: SourceLocation) async throws -> Peer {
    let found = await Kit.before(Peer.patience) { [self] in take() }
    return try #require(found, "the proxy opened no connection", sourceLocation: sourceLocation)
  }

  private func take() -> Peer? {
    state.withLock { $0.connections.isEmpty ? nil : $0.connections.removeFirst() }
  }
}
