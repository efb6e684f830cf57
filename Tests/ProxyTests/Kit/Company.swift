import Bytes
import Names
import TLS
import Testing

/// A proxy on the way to the origins, played by a test: it answers what it is asked, and is then the origin itself.
final class Company: Sendable {
  let door: Origin

  /// - Parameter identity: what it shows when it is itself spoken to in TLS.
  init(_ identity: Identity? = nil) throws {
    door = try Origin(identity)
  }

  /// `http://127.0.0.1:port`.
  var url: String { "http://\(door.address)" }
  var socksURL: String { "socks5h://\(door.address)" }

  /// The next connection, and what it asked with CONNECT. Nothing is answered.
  func asked(sourceLocation: SourceLocation = #_sourceLocation) async throws -> (way: Peer, request: Message) {
    let way = try await door.accept(sourceLocation: sourceLocation)
    let request = try await way.message(.headOnly, sourceLocation: sourceLocation)
    return (way, request)
  }

  /// Grants the next tunnel.
  @discardableResult
  func grant(early: String = "", sourceLocation: SourceLocation = #_sourceLocation) async throws -> (
    way: Peer, request: Message
  ) {
    let (way, request) = try await asked(sourceLocation: sourceLocation)
    await way.send("HTTP/1.1 200 Connection established\r\nX-Cache: none\r\n\r\n\(early)")
    return (way, request)
  }

  /// Grants the next tunnel, and is the origin behind it.
  func grant(
    as identity: Identity, alpn: [String] = ["http/1.1"], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (way: Peer, request: Message) {
    let (way, request) = try await grant(sourceLocation: sourceLocation)
    let end = try await way.secure(as: identity, try TLSServerContext(), alpn: alpn)
    try #require(end == nil, "the handshake failed: \(String(describing: end))", sourceLocation: sourceLocation)
    return (way, request)
  }
}

extension Peer {
  /// Passes bytes both ways until either side ends, decrypted where this side is secured.
  func join(_ other: Peer) {
    for (from, to) in [(self, other), (other, self)] {
      Task {
        while true {
          let bytes = await from.receiveSome()
          guard !bytes.isEmpty else { break }
          await to.send(bytes)
        }
        await to.finish()
      }
    }
  }

  /// A connection whose bytes go through this one, so that TLS can be spoken inside its TLS.
  func inside() async throws -> Peer {
    let bridge = try Origin.plain()
    let inner = try await Kit.connect(bridge.address)
    join(try await bridge.accept())
    return inner
  }

  /// What has come, at least one byte; empty: the end.
  func receiveSome() async -> [UInt8] {
    _ = await wait(.seconds(60)) { !$0.received.isEmpty || $0.end != nil }
    return await perform { wire in
      defer { wire.received.removeAll() }
      return Array(wire.received.bytes)
    }
  }
}
