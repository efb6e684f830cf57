import Bytes
import HTTP
import Testing

/// Reloads that leave alone what they do not change, and lanes.
@Suite struct LaneReloadTests {
  private static let listeners = "[{ address: '127.0.0.1:0' }, { address: '127.0.0.1:0', lane: 'lab' }]"

  private func lab(_ rules: String) -> String {
    "lanes: { lab: { rules: { hosts: [\(rules)] } } }"
  }

  /// A request over a connection to a listener.
  private func ask(_ proxy: TestProxy, _ listener: Int, _ path: String) async throws -> Peer {
    let client = try await proxy.connect(listener)
    await client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
    #expect(try await client.response(to: "CONNECT").status == 200)
    #expect(try await client.secure("a.test") == nil)
    await client.get(path)
    return client
  }

  @Test func `reloading one lane leaves the connections of the others alone`() async throws {
    let origin = try Origin.tls()
    let destinations = ["a.test:443": origin]
    try await TestProxy.run(destinations, listeners: Self.listeners, more: lab("")) { proxy in
      let client = try await ask(proxy, 0, "/1")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("1")
      #expect(try await client.response().text == "1")
      let labClient = try await ask(proxy, 1, "/l1")
      let labServer = try await origin.accept()
      _ = try await labServer.request()
      await labServer.answer("l1")
      #expect(try await labClient.response().text == "l1")

      try await proxy.reload(
        try proxy.configuration(
          destinations, listeners: Self.listeners, more: lab("{ host: 'a.test', onTrustFailure: 'refuse' }")))
      // The changed lane dials anew, and its old connection is closed.
      #expect(await labServer.end() != nil)
      // The other one goes on with what it has.
      #expect(try await exchange(client, server, "/2").text == "/2")
      await labClient.get("/l2")
      let fresh = try await origin.accept()
      _ = try await fresh.request()
      await fresh.answer("l2")
      #expect(try await labClient.response().text == "l2")
      #expect(origin.connectionCount == 3)
      for (path, isReused) in [("/1", false), ("/l1", false), ("/2", true), ("/l2", false)] {
        let record = try await proxy.record()
        #expect(record["url"]?.hasSuffix(path) == true && record.flag("origin.reused") == isReused, "\(record)")
      }
    }
  }

  @Test(arguments: [
    ("http2: false", ""), ("", "rules: { default: 'reject' }"), ("", "ats: { os: '9.0', mode: 'observe' }"),
    ("", "trust: { t: { anchors: ['origins.pem'] } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"),
  ])
  func `what changes for a host ends its connections`(_ upstream: String, _ more: String) async throws {
    let origin = try Origin.tls()
    let destinations = ["a.test:443": origin]
    try await TestProxy.run(destinations) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      #expect(try await exchange(client, server, "/1").text == "/1")
      try await proxy.reload(try proxy.configuration(destinations, upstream: upstream, more: more))
      #expect(await server.end() != nil)
    }
  }

  @Test func `another way to a host ends its connections`() async throws {
    let origin = try Origin.plain()
    let place = "localhost:\(origin.address.split(separator: ":")[1])"
    let observe = "ats: { mode: 'observe' }"
    try await TestProxy.run(more: observe) { proxy in
      let client = try await proxy.connect()
      await client.get("http://\(place)/", host: place)
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("1")
      #expect(try await client.response().text == "1")
      try await proxy.reload(try proxy.configuration([:], upstream: "proxy: 'http://127.0.0.1:9'", more: observe))
      #expect(await server.end() != nil)
    }
  }

  @Test func `a reload that changes nothing keeps HTTP 2 connections and running exchanges`() async throws {
    let origin = try Origin.http2()
    let destinations = ["a.test:443": origin]
    try await TestProxy.run(destinations) { proxy in
      let client = try await proxy.http2()
      let server = try await origin.acceptHTTP2()
      let running = try await client.request(.get, "/running")
      let (asked, _) = try await server.asked()
      try await proxy.reload(try proxy.configuration(destinations))
      let next = try await client.request(.get, "/next")
      try await server.respond(try await server.asked(1).stream, body: "next")
      #expect(try await client.response(next).text == "next")
      try await server.respond(asked, body: "running")
      #expect(try await client.response(running).text == "running")
      #expect(origin.connectionCount == 1)
    }
  }
}
