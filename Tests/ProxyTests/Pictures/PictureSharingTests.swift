import Bytes
import Testing

/// Clients that ask for the same picture at once, and those who must not share.
@Suite struct PictureSharingTests {
  private static let size = 200_000

  /// Three clients wait for one request, which the origin has got.
  private func withWaiting(
    _ body: (TestProxy, _ clients: [Peer], _ server: Peer, _ origin: Origin) async throws -> Void
  ) async throws {
    let origin = try Origin.tls()
    try await TestProxy.withClient(origin, more: Pictures.hosts) { proxy, leader in
      await leader.get("/a.gif")
      let server = try await origin.accept()
      _ = try await server.request()
      var clients = [leader]
      for _ in 0..<2 {
        let client = try await proxy.secured()
        await client.get("/a.gif")
        clients.append(client)
      }
      _ = try await proxy.metrics("picture_cache_misses_total", reach: 3)
      try await body(proxy, clients, server, origin)
    }
  }

  private func begin(_ server: Peer, _ picture: [UInt8]) async {
    await server.send(
      "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\nCache-Control: max-age=60\r\n\r\n")
    await server.send(Array(picture[..<(Self.size / 2)]))
  }

  private func finish(_ server: Peer, _ picture: [UInt8]) async {
    await server.send(Array(picture[(Self.size / 2)...]))
  }

  @Test func `one request serves all, as its answer comes`() async throws {
    try await withWaiting { proxy, clients, server, _ in
      let picture = Pictures.large(Self.size)
      await begin(server, picture)
      for client in clients { #expect(await client.wait { $0.received.count > Self.size / 2 }) }
      await finish(server, picture)
      for client in clients { #expect(try await client.response().body == picture) }
      #expect(try await proxy.metrics("picture_cache_coalesced_total", reach: 2)["picture_cache_stored_total"] == 1)
      var served = 0
      for _ in clients where try await proxy.record().flag("response.fromCache") { served += 1 }
      #expect(served == 2)
    }
  }

  @Test func `it goes on when the one leaves who asked first`() async throws {
    try await withWaiting { proxy, clients, server, _ in
      let picture = Pictures.large(Self.size)
      await begin(server, picture)
      #expect(await clients[1].wait { $0.received.count > Self.size / 2 })
      await clients[0].reset()
      let left = try await proxy.record()
      #expect(left["error.proxyStatus"] != nil)
      await finish(server, picture)
      for client in clients[1...] { #expect(try await client.response().body == picture) }
      await clients[1].get("/a.gif")
      #expect(try await clients[1].response().body == picture)
    }
  }

  @Test func `it ends when all have left`() async throws {
    try await withWaiting { proxy, clients, server, _ in
      await clients[0].reset()
      _ = try await proxy.record()
      await clients[1].reset()
      _ = try await proxy.record()
      await clients[2].reset()
      #expect(await server.end() != nil, "the origin was left waiting")
    }
  }

  @Test func `an answer that is for one is asked for by each`() async throws {
    try await withWaiting { _, clients, server, origin in
      await server.picture("Cache-Control: private\r\n")
      #expect(try await clients[0].response().text == Pictures.gif)
      for _ in 0..<2 {
        _ = try await server.request()
        await server.picture("Cache-Control: private\r\n")
        // The kept connection takes one; the other one dials.
        if origin.connectionCount > 1 { break }
      }
      if origin.connectionCount > 1 {
        let second = try await origin.accept()
        _ = try await second.request()
        await second.picture("Cache-Control: private\r\n")
      }
      for client in clients[1...] { #expect(try await client.response().text == Pictures.gif) }
    }
  }

  @Test func `what breaks off is cut for all, and not kept`() async throws {
    try await withWaiting { proxy, clients, server, _ in
      await begin(server, Pictures.large(Self.size))
      for client in clients { #expect(await client.wait { $0.received.count > Self.size / 2 }) }
      await server.reset()
      for client in clients {
        let answer = try await client.response()
        #expect(!answer.isComplete)
      }
      #expect(try proxy.metrics()["picture_cache_stored_total"] == 0)
    }
  }

  @Test func `lanes share nothing`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], listeners: "[{ address: '127.0.0.1:0' }, { address: '127.0.0.1:0', lane: 'lab' }]",
      more: "lanes: { lab: {} }, \(Pictures.hosts)"
    ) { proxy in
      for listener in 0...1 {
        let client = try await proxy.connect(listener)
        await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
        #expect(try await client.response(to: "CONNECT").status == 200)
        #expect(try await client.secure("a.test") == nil)
        await client.get("/a.gif")
        let server = try await origin.accept()
        _ = try await server.request()
        await server.picture(body: "GIF89a \(listener)")
        for _ in 0..<2 {
          #expect(try await client.response().text == "GIF89a \(listener)")
          await client.get("/a.gif")
        }
        #expect(try await client.response().text == "GIF89a \(listener)")
      }
    }
  }

  @Test func `a reload that changes the trust in the host takes its pictures away`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withStored(origin) { proxy, client, server in
      let trust = "trust: { t: { anchors: ['origins.pem'] } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
      try await proxy.reload(try proxy.configuration(["a.test:443": origin], more: "\(Pictures.hosts), limits: {}"))
      await client.get("/a.gif")
      #expect(try await client.response().text == Pictures.gif, "nothing changed about the trust")
      try await proxy.reload(try proxy.configuration(["a.test:443": origin], more: "\(Pictures.hosts), \(trust)"))
      await client.get("/a.gif")
      let second = try await origin.accept()
      _ = try await second.request()
      await second.picture(body: "GIF89a anew")
      #expect(try await client.response().text == "GIF89a anew")
      try await proxy.reload(try proxy.configuration(["a.test:443": origin], more: Pictures.hosts))
      await client.get("/a.gif")
      let third = try await origin.accept()
      _ = try await third.request()
      await third.picture(body: "GIF89a again")
      #expect(try await client.response().text == "GIF89a again", "what was wiped does not come back")
    }
  }

  @Test func `pictures of a page are loaded ahead, three at a time`() async throws {
    let more = "pictures: { hosts: ['**.a.test'], prefetch: true }"
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.client(.http1)
      let page = (1...5).map { "<img src='\($0).gif'>" }.joined() + "<img src=https://b.test/x.gif><img src=a.txt>"
      let first = try await client.ask("GET", "/p/", fields: [("User-Agent", "Agent/1")])
      let server = try await origin.accept(.http2)
      try await server.answer(try await server.asked().0, fields: [("content-type", "text/html")], body: page)
      #expect(try await client.answer(first).text == page)
      var streams: [Int32] = []
      for index in 1...3 {
        let (stream, said) = try await server.asked(index)
        #expect(said.path == "/p/\(index).gif" && said.fields["user-agent"] == "Agent/1", "\(said)")
        streams.append(stream)
      }
      // A client that asks for one of them waits for it.
      let joined = try await client.ask("GET", "/p/2.gif")
      _ = try await proxy.metrics("picture_cache_misses_total", reach: 4)
      for stream in streams {
        try await server.answer(stream, fields: [("cache-control", "max-age=60")], body: Pictures.gif)
      }
      #expect(try await client.answer(joined).text == Pictures.gif)
      for index in 4...5 {
        let (stream, said) = try await server.asked(index)
        #expect(said.path == "/p/\(index).gif")
        try await server.answer(stream, fields: [("cache-control", "max-age=60")], body: Pictures.gif)
      }
      _ = try await proxy.metrics("picture_cache_prefetched_total", reach: 5)
      #expect(try await client.answer(try await client.ask("GET", "/p/5.gif")).text == Pictures.gif)
      #expect(try proxy.metrics()["picture_cache_hits_total"] == 1)
    }
  }
}
