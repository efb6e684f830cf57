import Bytes
import Testing

/// Pictures that are served from the cache.
@Suite struct PictureServingTests {
  @Test(arguments: EitherPeer.Spoken.allCases)
  func `the second client gets what the first one got, without the origin`(_ spoken: EitherPeer.Spoken) async throws {
    let origin = try Origin.speaking(spoken)
    try await TestProxy.run(["a.test:443": origin], more: Pictures.hosts) { proxy in
      let client = try await proxy.client(spoken)
      let first = try await client.ask("GET", "/a.gif")
      let server = try await origin.accept(spoken)
      try await server.answer(
        try await server.asked().0, fields: [("cache-control", "max-age=60"), ("x-a", "1")], body: Pictures.gif)
      #expect(try await client.answer(first).text == Pictures.gif)
      let said = try await client.answer(try await client.ask("GET", "/a.gif"))
      #expect(said.status == 200 && said.text == Pictures.gif && said.fields["age"] == "0" && said.fields["x-a"] == "1")
      #expect(said.fields["content-length"] == "\(Pictures.gif.utf8.count)")
      let head = try await client.answer(try await client.ask("HEAD", "/a.gif"))
      #expect(head.status == 200 && head.text.isEmpty && head.fields["content-length"] == "\(Pictures.gif.utf8.count)")
      let part = try await client.answer(try await client.ask("GET", "/a.gif", fields: [("range", "bytes=0-5")]))
      #expect(part.status == 206 && part.text == "GIF89a" && part.fields["content-range"] == "bytes 0-5/16")
      for fromCache in [false, true, true, true] {
        let record = try await proxy.record()
        #expect(record.flag("response.fromCache") == fromCache && record["decision.action"] == "intercept", "\(record)")
      }
      let metrics = try proxy.metrics()
      #expect(metrics["picture_cache_hits_total"] == 3 && metrics["picture_cache_misses_total"] == 1)
      #expect(metrics["picture_cache_stored_total"] == 1 && metrics["picture_cache_bytes{tier=\"memory\"}"] > 0)
    }
  }

  @Test func `a client that has the picture is told so`() async throws {
    try await TestProxy.withStored(try Origin.tls()) { _, client, _ in
      await client.get("/a.gif", fields: "If-None-Match: \"1\"\r\n")
      let answer = try await client.response()
      #expect(answer.status == 304 && answer["ETag"] == "\"1\"" && answer["Age"] != nil)
      await client.get("/a.gif", fields: "If-None-Match: \"2\"\r\n")
      #expect(try await client.response().text == Pictures.gif)
    }
  }

  @Test func `what is stale is confirmed with its validator, and served`() async throws {
    try await TestProxy.withStored(try Origin.tls(), fields: "Cache-Control: no-cache\r\nETag: \"1\"\r\n") {
      proxy, client, server in
      await client.get("/a.gif")
      let request = try await server.request()
      #expect(request["If-None-Match"] == "\"1\"")
      await server.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nCache-Control: max-age=60\r\nX-New: 1\r\n\r\n")
      let answer = try await client.response()
      #expect(answer.status == 200 && answer.text == Pictures.gif && answer["X-New"] == "1")
      #expect(try await proxy.record().flag("response.fromCache"))
      await client.get("/a.gif")
      #expect(try await client.response().text == Pictures.gif)
      #expect(try proxy.metrics()["picture_cache_revalidated_total"] == 1)
    }
  }

  @Test func `a changed picture replaces the old one`() async throws {
    try await TestProxy.withStored(try Origin.tls(), fields: "Cache-Control: no-cache\r\nETag: \"1\"\r\n") {
      _, client, server in
      await client.get("/a.gif")
      _ = try await server.request()
      await server.picture("Cache-Control: max-age=60\r\nETag: \"2\"\r\n", body: "GIF89a another")
      #expect(try await client.response().text == "GIF89a another")
      await client.get("/a.gif")
      #expect(try await client.response().text == "GIF89a another")
    }
  }

  @Test func `an error is covered where the origin permits it`() async throws {
    let fields = "Cache-Control: max-age=0, stale-if-error=60\r\nETag: \"1\"\r\n"
    let origin = try Origin.tls()
    try await TestProxy.withStored(origin, fields: fields) { proxy, client, server in
      await client.get("/a.gif")
      _ = try await server.request()
      await server.picture("", status: 503, body: "sorry")
      let answer = try await client.response()
      #expect(answer.status == 200 && answer.text == Pictures.gif)
      #expect(try await proxy.record().flag("response.fromCache"))
      await client.get("/a.gif")
      let second = try await origin.accept()
      _ = try await second.request()
      await second.close()
      #expect(try await client.response().text == Pictures.gif)
      #expect(try proxy.metrics()["picture_cache_stale_total"] == 2)
    }
  }

  @Test(arguments: [("must-revalidate", 504), ("max-age=0", 502)])
  func `otherwise the failure is told`(directive: String, status: Int) async throws {
    let origin = try Origin.tls()
    try await TestProxy.withStored(origin, fields: "Cache-Control: max-age=0, \(directive)\r\nETag: \"1\"\r\n") {
      _, client, server in
      await client.get("/a.gif")
      _ = try await server.request()
      await server.close()
      // The kept connection ended without a byte, so it is tried once more.
      let second = try await origin.accept()
      _ = try await second.request()
      await second.close()
      #expect(try await client.response().status == status)
    }
  }

  @Test func `only-if-cached never asks the origin`() async throws {
    try await TestProxy.withStored(try Origin.tls()) { _, client, _ in
      await client.get("/b.gif", fields: "Cache-Control: only-if-cached\r\n")
      let missing = try await client.response()
      #expect(missing.status == 504)
      await client.get("/a.gif", fields: "Cache-Control: only-if-cached\r\n")
      #expect(try await client.response().text == Pictures.gif)
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "M-SEARCH"])
  func `a change at the origin takes the picture away`(method: String) async throws {
    try await TestProxy.withStored(try Origin.tls()) { _, client, server in
      for (status, isGone) in [(500, false), (204, true)] {
        await client.send("\(method) /a.gif HTTP/1.1\r\nHost: a.test\r\nContent-Length: 0\r\n\r\n")
        _ = try await server.request()
        await server.send("HTTP/1.1 \(status) Done\r\nContent-Length: 0\r\n\r\n")
        _ = try await client.response()
        await client.get("/a.gif")
        if isGone {
          _ = try await server.request()
          await server.picture()
        }
        #expect(try await client.response().text == Pictures.gif)
      }
    }
  }

  @Test(arguments: ["<!doctype html><p>sorry", "sorry"]) func `a page in place of a picture is not kept`(body: String)
    async throws
  {
    let origin = try Origin.tls()
    try await TestProxy.withClient(origin, more: Pictures.hosts) { proxy, client in
      await client.get("/a.gif")
      let server = try await origin.accept()
      for isLast in [false, true] {
        _ = try await server.request()
        await server.picture(body: body)
        #expect(try await client.response().text == body)
        if !isLast { await client.get("/a.gif") }
      }
      #expect(try proxy.metrics()["picture_cache_stored_total"] == 0)
    }
  }

  @Test func `a client that does not read holds little, and gets all of it later`() async throws {
    let size = 8 << 20
    let origin = try Origin.tls()
    let body = Pictures.large(size)
    try await TestProxy.withClient(origin, more: Pictures.hosts) { proxy, client in
      await client.get("/a.gif")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nCache-Control: max-age=60\r\n\r\n")
      await server.send(body)
      #expect(try await client.response().body == body)
      let slow = try await proxy.secured()
      await slow.pause(true)
      await slow.get("/a.gif")
      _ = try await proxy.metrics("picture_cache_hits_total", reach: 1)
      // Others are served meanwhile.
      await client.get("/a.gif", fields: "Range: bytes=0-5\r\n")
      #expect(try await client.response().text == "GIF89a")
      await slow.pause(false)
      #expect(try await slow.response().body == body)
    }
  }

  @Test func `by access a picture is used whatever the origin and the client say`() async throws {
    let more = "pictures: { hosts: ['a.test'], freshness: 'access' }"
    try await TestProxy.withStored(try Origin.tls(), fields: "Cache-Control: max-age=0\r\n", more: more) {
      _, client, _ in
      await client.get("/a.gif", fields: "Cache-Control: no-cache\r\n")
      let answer = try await client.response()
      #expect(answer.text == Pictures.gif)
    }
  }

  @Test func `with no extensions the image decides`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withClient(origin, more: "pictures: { hosts: ['a.test'], extensions: [] }") { proxy, client in
      await client.get("/picture?x")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.picture()
      _ = try await client.response()
      await client.get("/picture?x")
      #expect(try await client.response().text == Pictures.gif)
    }
  }
}
