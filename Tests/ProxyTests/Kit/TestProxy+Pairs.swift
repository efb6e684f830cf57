import Testing

/// The usual set-ups: a proxy in front of one origin for `a.test`, and a client in an intercepted tunnel to it.
extension TestProxy {
  /// The client's handshake is done, and it has sent nothing.
  static func withClient(
    _ origin: any Destination, upstream: String = "", more: String = "",
    _ body: (TestProxy, Peer) async throws -> Void
  ) async throws {
    try await run(["a.test:443": origin], upstream: upstream, more: more) { proxy in
      try await body(proxy, try await proxy.secured())
    }
  }

  /// The origin has got the client's GET.
  static func withRequest(
    _ origin: Origin, upstream: String = "", more: String = "",
    _ body: (TestProxy, _ client: Peer, _ server: Peer) async throws -> Void
  ) async throws {
    try await withClient(origin, upstream: upstream, more: more) { proxy, client in
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      try await body(proxy, client, server)
    }
  }

  /// One exchange is over, and both connections wait for the next.
  static func withIdlePair(
    _ origin: Origin, upstream: String = "", more: String = "",
    _ body: (TestProxy, _ client: Peer, _ server: Peer) async throws -> Void
  ) async throws {
    try await withClient(origin, upstream: upstream, more: more) { proxy, client in
      let server = try await origin.accept()
      try await exchange(client, server)
      try await body(proxy, client, server)
    }
  }
}
