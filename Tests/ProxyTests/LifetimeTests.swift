import Bytes
import EventLoop
import Glibc
import Names
import Proxy
import Records
import Synchronization
import Testing

/// Reload, drain, and what is recorded when the daemon ends.
@Suite struct LifetimeTests {
  private static let rejecting = "rules: { hosts: [{ host: 'a.test', action: 'reject' }] }"

  @Test func `a reload reaches the next request on an open connection`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withIdlePair(origin) { proxy, client, server in
      try await proxy.reload(try proxy.configuration(["a.test:443": origin], more: Self.rejecting))
      await client.get()
      #expect(try await client.response().status == 403)
      try await proxy.reload(try proxy.configuration(["a.test:443": origin]))
      await client.get("/again")
      let server = try await origin.accept()
      #expect(try await server.request().startLine.contains("/again"))
    }
  }

  /// Holds up its loop for a moment.
  private final class SlowSite: InternalSite {
    let hasBegun = Mutex(false)
    let hasEnded = Mutex(false)

    func certificateRefused(client: String, lane: String, detail: String) {}

    func answer(_ request: InternalRequest) -> InternalAnswer {
      hasBegun.withLock { $0 = true }
      usleep(100_000)
      hasEnded.withLock { $0 = true }
      return InternalAnswer(status: 200, contentType: "text/plain", body: [])
    }
  }

  @Test func `a reload returns when the loops serve it, even one that is busy`() async throws {
    let site = SlowSite()
    try await TestProxy.run(parts: TestProxy.Parts(site: site)) { proxy in
      let client = try await proxy.connect()
      await client.get("http://pinwarden.internal/", host: "pinwarden.internal")
      _ = await Kit.before(Peer.patience) { site.hasBegun.withLock { $0 } ? true : nil }
      try await proxy.reload(try proxy.configuration([:]))
      #expect(site.hasEnded.withLock { $0 })
      #expect(try await client.response().status == 200)
    }
  }

  @Test func `a reload lets a running exchange finish`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      #expect(await client.wait { String(decoding: $0.received.bytes, as: UTF8.self).contains("ab") })
      try await proxy.reload(try proxy.configuration(["a.test:443": origin], more: Self.rejecting))
      await server.send("cd")
      #expect(try await client.response().text == "abcd")
      #expect(await server.end() != nil, "a connection of the old rules is not kept")
      #expect(try await proxy.record()["status"] == "200")
    }
  }

  @Test func `a tunnel whose host is bypassed meanwhile is answered 421`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withIdlePair(origin) { proxy, client, server in
      try await proxy.reload(
        try proxy.configuration(
          ["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }"))
      await client.get()
      let response = try await client.response()
      #expect(response.status == 421 && response["Connection"] == "close")
    }
  }

  @Test func `idle connections outlive a reload that leaves their host as it is, and no other`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withIdlePair(origin) { proxy, client, server in
      try await proxy.reload(try proxy.configuration(["a.test:443": origin]))
      try await exchange(client, server)
      try await proxy.reload(
        try proxy.configuration(["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', http2: false }] }"))
      #expect(await server.end() != nil)
    }
  }

  @Test func `listeners that stay are kept, others opened and closed`() async throws {
    try await TestProxy.run { proxy in
      let first = proxy.address()
      let client = try await proxy.connect()
      try await proxy.reload(
        try proxy.configuration(
          [:], listeners: "[{ address: '127.0.0.1:0' }, { address: '[::1]:0', lane: 'six' }]",
          more: "lanes: { six: {} }"))
      #expect(proxy.server.listening.map(\.listener) == ["default", "six"])
      #expect(proxy.address() == first)
      let second = proxy.address(1)
      try await proxy.reload(try proxy.configuration([:]))
      #expect(proxy.server.listening.map(\.address) == [first])
      let isClosed = await Kit.before(.seconds(3)) { () -> Bool? in
        await Kit.isClosed(second) ? true : nil
      }
      #expect(isClosed == true)
      await client.get("http://x.test/", host: "x.test")
      #expect(try await client.response().status == 403)
    }
  }

  @Test func `a listener can change its settings and keep its address`() async throws {
    try await TestProxy.run { proxy in
      let address = proxy.address()
      let port0 = "[{ address: '127.0.0.1:0', lane: 'lab' }]"
      let fixed = "[{ address: '\(address)', lane: 'other' }]"
      for (listeners, lane) in [(port0, "lab"), (fixed, "other")] {
        try await proxy.reload(
          try proxy.configuration([:], listeners: listeners, more: "lanes: { lab: {}, other: {} }"))
        #expect(proxy.server.listening.map(\.listener) == [lane] && proxy.address() == address)
        let client = try await proxy.connect()
        await client.get("http://x.test/", host: "x.test")
        #expect(try await client.response().status == 403)
        #expect(try await proxy.record()["lane"] == lane)
      }
    }
  }

  @Test func `two listeners that are configured alike are two`() async throws {
    let two = "[{ address: '127.0.0.1:0' }, { address: '127.0.0.1:0' }]"
    try await TestProxy.run(listeners: two) { proxy in
      let before = proxy.server.listening.map(\.address)
      #expect(Set(before).count == 2)
      try await proxy.reload(try proxy.configuration([:], listeners: two))
      #expect(proxy.server.listening.map(\.address) == before)
    }
  }

  @Test func `without the addresses of this machine nothing starts, and nothing is reloaded`() async throws {
    let isBroken = Mutex(false)
    let interfaces: ProxyServer.Interfaces = { () throws(SystemError) in
      guard !isBroken.withLock({ $0 }) else { throw SystemError(code: EMFILE, call: "getifaddrs") }
      return try SocketAddress.ofThisMachine()
    }
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], parts: TestProxy.Parts(interfaces: interfaces)) { proxy in
      let before = proxy.server.listening.map(\.address)
      isBroken.withLock { $0 = true }
      let next = try proxy.configuration(
        ["a.test:443": origin], listeners: "[{ address: '[::1]:0' }]", more: Self.rejecting)
      let fault = await #expect(throws: InterfacesFault.self) { try await proxy.reload(next) }
      #expect(fault?.description.contains("getifaddrs") == true)
      #expect(proxy.server.listening.map(\.address) == before)
      let client = try await proxy.secured()
      #expect(try await exchange(client, try await origin.accept()).status == 200)
      #expect(throws: InterfacesFault.self) {
        try ProxyServer(
          configuration: next, authority: try PKI.authority(), site: EchoingSite(), log: proxy.log, loopCount: 1,
          interfaces: interfaces)
      }
    }
  }

  @Test func `a reload that fails changes nothing`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let taken = try Origin.plain()
      let bad = try proxy.configuration(
        ["a.test:443": origin], listeners: "[{ address: '127.0.0.1:0', lane: 'x' }, { address: '\(taken.address)' }]",
        more: "\(Self.rejecting), lanes: { x: {} }")
      let before = proxy.server.listening.map(\.address)
      await #expect(throws: ListenFault.self) { try await proxy.reload(bad) }
      #expect(proxy.server.listening.map(\.address) == before)
      let client = try await proxy.secured()
      #expect(try await exchange(client, try await origin.accept()).status == 200)
    }
  }

  // MARK: drain

  @Test func `idle connections end at once and do not hold the drain`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { drain: '10s' }") { proxy in
      let fresh = try await proxy.connect()
      let tunnel = try await proxy.tunnel()
      let client = try await proxy.secured()
      let server = try await origin.accept()
      try await exchange(client, server)
      let begin = ContinuousClock.now
      await proxy.drain()
      #expect(ContinuousClock.now - begin < .seconds(3))
      for peer in [fresh, tunnel, client, server] { #expect(await peer.end() != nil) }
    }
  }

  @Test func `what runs is finished, and nothing new is accepted`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.withRequest(origin) { proxy, client, server in
      let address = proxy.address()
      async let drained: Void = proxy.drain()
      let isClosed = await Kit.before(.seconds(3)) { () -> Bool? in
        await Kit.isClosed(address) ? true : nil
      }
      #expect(isClosed == true)
      await server.answer("finished")
      let response = try await client.response()
      #expect(response.text == "finished" && response["Connection"] == "close")
      await drained
      #expect(try await proxy.record()["status"] == "200")
    }
  }

  @Test func `the drain has a bound, and what it cuts is recorded`() async throws {
    let origin = try Origin.tls()
    let blind = try Origin.plain()
    let more = "limits: { drain: '200ms' }, rules: { hosts: [{ host: 'blind.test', action: 'bypass' }] }"
    try await TestProxy.run(["a.test:443": origin, "blind.test:443": blind], more: more) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      let tunnel = try await proxy.tunnel("blind.test:443")
      let far = try await blind.accept()
      await far.send("x")
      _ = await tunnel.receive(1)
      let begin = ContinuousClock.now
      await proxy.drain()
      #expect(ContinuousClock.now - begin < .seconds(3))
      for peer in [client, server, tunnel, far] { #expect(await peer.end() != nil) }
      var events: [String: Record] = [:]
      for record in try await proxy.allRecords() { events[record["event"] ?? ""] = record }
      #expect(events["exchange"]?["error.proxyStatus"] == "connection_terminated")
      #expect(events["tunnel"]?["received"] == "1", "a tunnel that is cut is recorded too")
    }
  }

  @Test func `a WebSocket that the drain cuts is recorded`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { drain: '200ms' }") { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      try await exchange(client, server)
      _ = try await proxy.record()
      await client.get(fields: "Connection: Upgrade\r\nUpgrade: websocket\r\n")
      _ = try await server.request()
      await server.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
      #expect(try await client.response().status == 101)
      await proxy.drain()
      #expect(await client.end() != nil)
      #expect(try await proxy.record(within: .seconds(2))["status"] == "101")
    }
  }

  @Test func `draining twice is draining once`() async throws {
    try await TestProxy.run { proxy in
      async let first: Void = proxy.drain()
      async let second: Void = proxy.drain()
      _ = await (first, second)
    }
  }
}
