import Bytes
import Configuration
import EventLoop
import Foundation
import Names
import Records
import Testing

@testable import Console

/// The site's own listener, over the network.
@Suite struct OnboardingServerTests {
  private struct Running {
    let server: OnboardingServer
    let address: SocketAddress
    let registry = DeviceRegistry()

    init(_ configuration: String = "{ listeners: [{ address: '127.0.0.1:0', lane: 'phone' }] }") throws {
      server = try OnboardingServer(log: Kit.silentLog)
      let opening = try ConsoleOpening(.tcp(.v4(0x7F00_0001), 0)) { _ in nil }
      address = opening.address
      server.open(opening, try terms(configuration))
    }

    func terms(_ configuration: String) throws -> OnboardingTerms {
      let loaded = ConfigurationLoader.load(text: configuration, environment: ["HOME": "/nowhere"])
      return OnboardingTerms(
        try #require(loaded.configuration), site: OnboardingSite(Kit.authority, devices: registry),
        proxy: "0.0.0.0:8080")
    }

    /// One request on a connection of its own.
    func ask(_ head: String, method: String = "GET") async throws -> Response {
      let client = try await Client.connect(address)
      await client.send(head + "\r\n\r\n")
      let response = try await client.response(to: method)
      await client.close()
      return response
    }
  }

  @Test func itServesUnderAnyName() async throws {
    let running = try Running()
    defer { running.server.end() }
    for host in ["\(running.address)", "evil.test", "pinwarden.internal"] {
      let page = try await running.ask("GET / HTTP/1.1\r\nHost: \(host)")
      #expect(page.status == 200 && page.body.contains("<h1>") && page["Content-Security-Policy"] != nil)
    }
    let device = try #require(running.registry.devices.first)
    #expect(device.client == "127.0.0.1" && device.lane == "phone" && device.direct != nil && device.proxied == nil)
  }

  @Test func itTellsTheProxyByTheAddressThatTheDeviceKnows() async throws {
    let running = try Running()
    defer { running.server.end() }
    let settings = try await running.ask("GET /proxy.pac HTTP/1.1\r\nHost: x")
    #expect(settings.body.contains("PROXY 127.0.0.1:8080"))
  }

  @Test(arguments: ["/metrics", "/healthz", "/api/devices", "/api/exchanges", "/login", "/console.css"])
  func itHasNothingOfTheConsole(path: String) async throws {
    let running = try Running()
    defer { running.server.end() }
    let answer = try await running.ask("GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Kit.token)")
    #expect(answer.status == 404)
  }

  @Test func aConnectionServesManyRequestsInTheirOrder() async throws {
    let running = try Running()
    defer { running.server.end() }
    let client = try await Client.connect(running.address)
    let paths = ["/pinwarden-ca.pem", "/nothing", "/doctor/ping"]
    await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    #expect(try await client.response().body == Kit.authority.pem)
    #expect(try await client.response().status == 404)
    #expect(try await client.response().body == "ok\n")
    await client.send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let head = try await client.response(to: "HEAD")
    #expect(head.status == 200 && head["Connection"] == "close" && Int(head["Content-Length"] ?? "") ?? 0 > 1_000)
    #expect(await client.ends())
    await client.close()
  }

  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1", 413), ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0", 405),
    ("GET / HTTP/1.1", 400), ("nonsense", 400), ("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443", 400),
    ("OPTIONS * HTTP/1.1\r\nHost: x", 400), ("GET http://a.test/doctor/ping HTTP/1.1\r\nHost: a.test", 200),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 17 << 10), 431),
    ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked", 413),
  ])
  func whatIsNoRequestForAPageIsRefused(head: String, status: Int) async throws {
    let running = try Running()
    defer { running.server.end() }
    #expect(try await running.ask(head).status == status)
  }

  @Test func strangersAreClosedWithoutAnAnswer() async throws {
    let running = try Running("{ access: { clients: ['192.0.2.0/24'] } }")
    defer { running.server.end() }
    let client = try await Client.connect(running.address)
    await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(await client.ends())
    #expect(await client.perform { $0.received.isEmpty })
    await client.close()
    // A reload admits them, on the same listener.
    running.server.use(try running.terms("{}"))
    #expect(try await running.ask("GET / HTTP/1.1\r\nHost: x").status == 200)
  }

  @Test func tooManyRequestsAreToldSo() async throws {
    let running = try Running()
    defer { running.server.end() }
    let client = try await Client.connect(running.address)
    let all = OnboardingLimits.requestBurst + 100
    await client.send(String(repeating: "GET /doctor/ping HTTP/1.1\r\nHost: x\r\n\r\n", count: all))
    let text = try #require(await client.text(with: " 429 "))
    #expect(text.components(separatedBy: " 200 ").count - 1 >= OnboardingLimits.requestBurst)
    #expect(await client.ends())
    await client.close()
  }

  @Test func aClientHasOnlySoManyConnections() async throws {
    let running = try Running()
    defer { running.server.end() }
    var clients: [Client] = []
    for _ in 0..<OnboardingLimits.connectionsOfClient { clients.append(try await Client.connect(running.address)) }
    for client in clients {
      await client.send("GET /doctor/ping HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try await client.response().status == 200)
    }
    let extra = try await Client.connect(running.address)
    #expect(await extra.ends())
    await extra.close()
    for client in clients { await client.close() }
  }

  @Test func whoeverIsSwitchedOffIsGone() async throws {
    let running = try Running()
    defer { running.server.end() }
    let client = try await Client.connect(running.address)
    await client.send("GET /doctor/ping HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try await client.response()
    running.server.close()
    #expect(await client.ends())
    #expect(running.server.listening == nil)
    await client.close()
  }

  @Test func requestsAreCountedForEachClient() {
    var limit = RequestLimit()
    let one = FailureLimit.Origin(Kit.address("192.0.2.1:1"))
    let other = FailureLimit.Origin(Kit.address("192.0.2.2:1"))
    func admits(_ client: FailureLimit.Origin, now: UInt64) -> Bool { limit.admits(client, now: now) }
    for _ in 0..<OnboardingLimits.requestBurst { #expect(admits(one, now: 0)) }
    #expect(!admits(one, now: 0))
    #expect(admits(other, now: 0))
    #expect(admits(one, now: 1_000_000_000 / UInt64(OnboardingLimits.requestsPerSecond)))
    for index in 0..<OnboardingLimits.clients + 50 {
      _ = admits(FailureLimit.Origin(Kit.address("10.0.\(index / 256).\(index % 256):1")), now: 50_000_000)
    }
    #expect(!admits(one, now: 50_000_001), "a crowd does not free whoever has used all up")
  }
}
