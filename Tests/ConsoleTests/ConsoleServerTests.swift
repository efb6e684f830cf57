import Configuration
import EventLoop
import Names
import Synchronization
import Testing

@testable import Console
@testable import Records

/// The console as a whole, over loopback.
@Suite struct ConsoleServerTests {
  @Test func aConnectionCarriesManyRequests() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    for _ in 0..<3 {
      await client.send(console.text("GET", "/healthz", authorization: nil))
      #expect(try await client.response().body == "ok\n")
    }
    await client.send(console.text("HEAD", "/readyz") + console.text("GET", "/metrics") + console.text("GET", "/api/x"))
    let head = try await client.response(to: "HEAD")
    #expect(head.status == 200 && head["Content-Length"] == "6")
    #expect(try await client.response().body == "pinwarden_up 1\n")
    #expect(try await client.response().status == 404)
    await console.end()
  }

  @Test func aRequestMayComeInAnyPieces() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    for byte in console.text("PUT", "/api/whitelist", body: "[\"https://a.test\"]") { await client.send(String(byte)) }
    #expect(try await client.response().body == "[\"https://a.test\"]")
    #expect(console.control.whitelist().map { "\($0)" } == ["https://a.test"])
    await console.end()
  }

  @Test func aBodyIsAwaitedOnlyFromWhoMaySendIt() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    let fields = ["Expect: 100-continue", "Content-Length: 2"]
    await client.send(console.text("PUT", "/api/whitelist", fields))
    #expect(try await client.response().status == 100)
    await client.send("[]")
    #expect(try await client.response().status == 200)
    await client.send(console.text("PUT", "/api/whitelist", fields, authorization: nil))
    #expect(try await client.response().status == 401)
    #expect(await client.ends())
    await console.end()
  }

  @Test(arguments: [
    ("BAD||", 400), ("GET / HTTP/1.1||", 400), ("GET / HTTP/3.0||", 505), ("\u{16}", 400),
    ("CONNECT a.test:443 HTTP/1.1|Host: a.test:443||", 400), ("GET / HTTP/1.1|Host: localhost|X: LONG||", 431),
  ])
  func whatIsNoRequestIsAnsweredAndEnded(text: String, status: Int) async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    let lines = text.replacing("|", with: "\r\n").replacing("LONG", with: String(repeating: "x", count: 40_000))
    await client.send(lines)
    #expect(try await client.response().status == status)
    #expect(await client.ends())
    await console.end()
  }

  @Test(arguments: ["Content-Length: 1048577", "Transfer-Encoding: chunked"])
  func aBodyThatIsTooLargeIsRefused(framing: String) async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    await client.send(console.text("POST", "/api/explain", [framing]))
    if framing.hasPrefix("T") {
      let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
      for _ in 0..<17 { await client.send(chunk) }
    }
    #expect(try await client.response().status == 413)
    await console.end()
  }

  @Test func anOldClientGetsItsAnswerAndTheEnd() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    await client.send("GET /healthz HTTP/1.0\r\nHost: localhost:\(console.address.port ?? 0)\r\n\r\n")
    #expect(try await client.response().status == 200)
    #expect(await client.ends())
    await console.end()
  }

  @Test func aClientThatHasSentItsEndIsAnswered() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    await client.send(console.text("GET", "/api/policy"))
    await client.finish()
    #expect(try await client.response().body == #"{"lanes":[]}"#)
    #expect(await client.ends())
    await console.end()
  }

  @Test func moreConnectionsThanAreServedAreToldSo() async throws {
    let console = try TestConsole()
    var clients: [Client] = []
    for _ in 0..<ConsoleLimits.connections { clients.append(try await console.connect()) }
    // All of them are known to the console before the one that is too many.
    for client in clients {
      await client.send(console.text("GET", "/healthz"))
      #expect(try await client.response().status == 200)
    }
    let late = try await console.connect()
    #expect(try await late.response().status == 503)
    #expect(await late.ends())
    for client in clients { await client.close() }
    await console.end()
  }

  // MARK: endpoints

  @Test func exchangesAreGivenOutAsTheyWereRecorded() async throws {
    let kept = CapturedMessage(fields: [.init(name: "A", value: "1")], body: [0x78])
    let exchanges = (1...3).map { Kit.stored($0, url: "https://a.test/\($0)", request: kept) }
    let console = try TestConsole(FakeControl(FakeArchive(exchanges)))
    let first = try await console.ask("GET", "/api/exchanges?limit=2")
    #expect(first.body.contains("https://a.test/3") && first.body.hasSuffix(#"],"start":null,"next":"2"}"#))
    let second = try await console.ask("GET", "/api/exchanges?limit=2&cursor=2")
    #expect(second.body.contains("https://a.test/1") && second.body.hasSuffix(#"],"start":null,"next":null}"#))
    #expect(try await console.ask("GET", "/api/exchanges?cursor=x").status == 400)
    #expect(try await console.ask("GET", "/api/exchanges?limit=0").status == 400)
    #expect(try await console.ask("GET", "/api/exchanges/0000000000000002").body.contains(#""body":{"text":"x""#))
    for missing in ["0000000000000009", "2", "zzzzzzzzzzzzzzzz", "+000000000000002"] {
      #expect(try await console.ask("GET", "/api/exchanges/\(missing)").status == 404)
    }
    await console.end()
  }

  @Test func withoutAHistoryThatIsSaid() async throws {
    let console = try TestConsole(FakeControl(nil))
    for path in ["/api/exchanges", "/api/har", "/api/exchanges/0000000000000001"] {
      let response = try await console.ask("GET", path)
      #expect(response.status == 404 && response.body.contains("store"))
    }
    await console.end()
  }

  @Test func aHistoryThatCannotBeReadIsNoEmptyOne() async throws {
    let console = try TestConsole(FakeControl(FakeArchive(isUnreadable: true)))
    #expect(try await console.ask("GET", "/api/exchanges").status == 500)
    // The head is out when that turns up, so the answer is cut.
    let client = try await console.connect()
    await client.send(console.text("GET", "/api/har"))
    #expect(await client.ends())
    await console.end()
  }

  @Test func everythingIsGivenOutAsOneArchive() async throws {
    let body = CapturedMessage(fields: [], body: [UInt8](repeating: 0x61, count: 60_000))
    let exchanges = (1...12).map { Kit.stored($0, url: "https://a.test/\($0)", request: body, response: body) }
    let console = try TestConsole(FakeControl(FakeArchive(exchanges)))
    let client = try await console.connect()
    await client.send(console.text("GET", "/api/har") + console.text("HEAD", "/api/har"))
    let har = try await client.response()
    #expect(har.body.hasPrefix(#"{"log""#) && har.body.contains("https://a.test/12"))
    #expect(har["Content-Disposition"]?.contains("attachment") == true)
    #expect(try await client.response(to: "HEAD").status == 200)
    #expect(try await console.ask("GET", "/api/har?limit=1").status == 400)
    await console.end()
  }

  @Test func aFaultOfTheDaemonIsAProblem() async throws {
    let control = FakeControl()
    control.state.withLock { $0.fault = ControlFault(.rejected, "upstrem is no key") }
    let console = try TestConsole(control)
    let response = try await console.ask("POST", "/api/reload")
    #expect(response.status == 409 && response.body.contains("upstrem"))
    #expect(try await console.ask("PUT", "/api/whitelist", body: "[]").status == 409)
    #expect(try await console.ask("POST", "/api/explain", body: "x").status == 400)
    #expect(try await console.ask("POST", "/api/explain", body: "{}").body == "{}")
    control.state.withLock { $0.fault = nil }
    #expect(try await console.ask("POST", "/api/reload").body.contains("applied"))
    await console.end()
  }

  @Test func aRecordedRequestIsSentOnceMore() async throws {
    let kept = CapturedMessage(fields: [.init(name: "A", value: "1")], body: [])
    let console = try TestConsole(FakeControl(FakeArchive([Kit.stored(1, request: kept), Kit.stored(2)])))
    let response = try await console.ask("POST", "/api/exchanges/0000000000000001/replay")
    #expect(response.status == 202 && response.body == #"{"id":"0000000000000007","status":201}"#)
    #expect(console.control.state.withLock { $0.replayed.map(\.url) } == ["https://a.test/"])
    #expect(try await console.ask("POST", "/api/exchanges/0000000000000002/replay").status == 409)
    #expect(try await console.ask("POST", "/api/exchanges/0000000000000003/replay").status == 404)
    #expect(try await console.ask("POST", "/api/exchanges/0000000000000001/replay", body: "x").status == 400)
    console.control.state.withLock { $0.replayFault = .tooMany(4) }
    #expect(try await console.ask("POST", "/api/exchanges/0000000000000001/replay").status == 503)
    await console.end()
  }

  @Test func readinessFollowsTheDaemon() async throws {
    let console = try TestConsole()
    #expect(try await console.ask("GET", "/readyz").status == 200)
    console.control.state.withLock { $0.isReady = false }
    #expect(try await console.ask("GET", "/readyz").status == 503)
    #expect(try await console.ask("GET", "/healthz").status == 200)
    await console.end()
  }

  // MARK: events

  private func watch(_ console: TestConsole) async throws -> Client {
    let client = try await console.connect()
    await client.send(console.text("GET", "/api/events"))
    #expect(await client.text(with: "retry:")?.contains("text/event-stream") == true)
    return client
  }

  private func publish(_ console: TestConsole, _ identifiers: ClosedRange<UInt64>, url: String = "https://a.test/") {
    console.control.feed.publish(
      identifiers.map { RecordedExchange(record: Kit.record($0, url: url), request: nil, response: nil) })
  }

  @Test func exchangesAreShownAsTheyEnd() async throws {
    let console = try TestConsole()
    let clients = [try await watch(console), try await watch(console)]
    publish(console, 1...2)
    for client in clients {
      let text = await client.text(with: "id: 0000000000000002\n")
      #expect(text?.contains("event: exchange\nid: 0000000000000001\ndata: {") == true)
    }
    await clients[0].close()
    publish(console, 3...3)
    #expect(await clients[1].text(with: "id: 0000000000000003\n") != nil)
    await console.end()
    #expect(await clients[1].ends())
  }

  @Test func aSlowWatcherLosesEventsAndIsTold() async throws {
    let console = try TestConsole()
    let client = try await watch(console)
    await client.perform { $0.isPaused = true }
    let url = "https://a.test/" + String(repeating: "x", count: 16_000)
    // More than the sockets, the console and the feed hold together.
    for round in 0..<24 {
      publish(console, UInt64(round * 100)...UInt64(round * 100 + 99), url: url)
    }
    await client.perform { $0.isPaused = false }
    #expect(await client.text(with: "event: lost\ndata: {\"count\":") != nil)
    await console.end()
  }

  @Test func onlySoManyMayWatch() async throws {
    let console = try TestConsole()
    var clients: [Client] = []
    for _ in 0..<ConsoleLimits.watchers { clients.append(try await watch(console)) }
    #expect(try await console.ask("GET", "/api/events").status == 503)
    #expect(try await console.ask("HEAD", "/api/events").status == 503)
    await clients.removeFirst().close()
    // The place is free as soon as the console has seen the end.
    var status = 503
    for _ in 0..<1_000 where status == 503 { status = try await console.ask("HEAD", "/api/events").status }
    #expect(status == 200)
    await console.end()
  }

  // MARK: changes and the end

  @Test func anotherTokenPutsWatchersOut() async throws {
    let console = try TestConsole()
    let client = try await watch(console)
    console.server.use(
      ConsoleCredentials(token: "another", sessionKey: [1]) { $0 + $1 + [UInt8](repeating: 0, count: 9) })
    #expect(await client.ends())
    #expect(try await console.ask("GET", "/api/policy").status == 401)
    #expect(try await console.ask("GET", "/healthz").status == 200)
    await console.end()
  }

  @Test func aNewListenerTakesThePlaceOfTheOld() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    await client.send(console.text("GET", "/healthz"))
    #expect(try await client.response().status == 200)
    let opening = try ConsoleOpening(.tcp(.v4(0x7F00_0001), 0)) { _ in nil }
    console.server.open(opening, Kit.credentials)
    // Who is in stays in.
    await client.send(console.text("GET", "/api/policy"))
    #expect(try await client.response().status == 200)
    let other = try await Client.connect(opening.address)
    await other.send("GET /healthz HTTP/1.1\r\nHost: \(opening.address)\r\n\r\n")
    #expect(try await other.response().status == 200)
    #expect(console.server.listening?.address == opening.address)
    await console.end()
  }

  @Test func switchedOffItAnswersNobody() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    await client.send(console.text("GET", "/healthz"))
    #expect(try await client.response().status == 200)
    console.server.close()
    #expect(await client.ends())
    #expect(console.server.listening == nil)
    let again = try ConsoleOpening(.tcp(.v4(0x7F00_0001), 0)) { _ in nil }
    console.server.open(again, Kit.credentials)
    let other = try await Client.connect(again.address)
    await other.send("GET /healthz HTTP/1.1\r\nHost: \(again.address)\r\n\r\n")
    #expect(try await other.response().status == 200)
    await console.end()
  }

  @Test func anAddressInUseIsToldWithItsName() throws {
    let first = try ConsoleOpening(.tcp(.v4(0x7F00_0001), 0)) { _ in nil }
    defer { first.close() }
    let port = try #require(first.address.port)
    let fault = #expect(throws: ConsoleFault.self) {
      _ = try ConsoleOpening(.tcp(.v4(0x7F00_0001), port)) { _ in nil }
    }
    #expect(fault?.description.contains("127.0.0.1:\(port)") == true && fault?.isPermission == false)
    #expect(throws: ConsoleFault.self) { _ = try ConsoleOpening(.systemd("none")) { _ in nil } }
  }
}
