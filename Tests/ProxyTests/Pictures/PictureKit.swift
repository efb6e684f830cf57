import Testing

/// What the tests of the cache of pictures share.
enum Pictures {
  static let gif = "GIF89a a picture"
  static let hosts = "pictures: { hosts: ['a.test'] }"

  /// A large one.
  static func large(_ count: Int) -> [UInt8] { Array("GIF89a".utf8) + Kit.bytes(count - 6) }
}

extension Peer {
  /// Answers as an origin with a picture.
  func picture(_ fields: String = "Cache-Control: max-age=600\r\n", status: Int = 200, body: String = Pictures.gif)
    async
  {
    await send(
      "HTTP/1.1 \(status) Fine\r\nContent-Type: image/gif\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    )
  }
}

extension TestProxy {
  /// A client has got `/a.gif` over the first connection to the origin, which answered with `fields`.
  static func withStored(
    _ origin: Origin, fields: String = "Cache-Control: max-age=600\r\nETag: \"1\"\r\n", more: String = Pictures.hosts,
    _ body: (TestProxy, _ client: Peer, _ server: Peer) async throws -> Void
  ) async throws {
    try await withClient(origin, more: more) { proxy, client in
      await client.get("/a.gif")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.picture(fields)
      #expect(try await client.response().text == Pictures.gif)
      let record = try await proxy.record()
      #expect(!record.flag("response.fromCache"))
      try await body(proxy, client, server)
    }
  }
}
