import Records
import Synchronization
import TLS
import Testing

@testable import Proxy

/// What the site for devices is told of the devices.
@Suite struct SiteTests {
  private final class AttentiveSite: InternalSite {
    struct Refusal: Equatable {
      let client: String
      let lane: String
      let detail: String
    }

    let requests = Mutex<[InternalRequest]>([])
    let refusals = Mutex<[Refusal]>([])

    func answer(_ request: InternalRequest) -> InternalAnswer {
      requests.withLock { $0.append(request) }
      return InternalAnswer(
        status: 200, contentType: "text/plain", fields: [.init("X-Field", "value")], body: Array("site".utf8))
    }

    func certificateRefused(client: String, lane: String, detail: String) {
      refusals.withLock { $0.append(Refusal(client: client, lane: lane, detail: detail)) }
    }
  }

  private static let listeners = "[{ address: '127.0.0.1:0', lane: 'phone' }]"

  @Test func `it is told who asks, how, and for what`() async throws {
    let site = AttentiveSite()
    try await TestProxy.run(listeners: Self.listeners, parts: TestProxy.Parts(site: site)) { proxy in
      let plain = try await proxy.connect()
      let fields = "User-Agent: Phone/1\r\nAccept-Language: es\r\nPinwarden-Clock: 5\r\n"
      await plain.get("http://pinwarden.internal/a?b", host: "pinwarden.internal", fields: fields)
      #expect(try await plain.response()["X-Field"] == "value")
      let secured = try await proxy.secured("pinwarden.internal")
      await secured.send("OPTIONS /c HTTP/1.1\r\nHost: pinwarden.internal\r\n\r\n")
      #expect(try await secured.response().text == "site")
      let requests = site.requests.withLock { $0 }
      try #require(requests.count == 2)
      let first = requests[0]
      #expect(first.way == .proxy && first.method == "GET" && first.path == "/a?b")
      #expect(first.client == "127.0.0.1" && first.lane == "phone" && first.proxy == proxy.address())
      #expect(first.userAgent == "Phone/1" && first.languages == "es" && first.clock == "5")
      let second = requests[1]
      #expect(second.way == .securedProxy && second.method == "OPTIONS" && second.userAgent == "")
      #expect(site.refusals.withLock { $0.isEmpty })
    }
  }

  @Test func `it is told of a device that refuses its certificate, and of no other's`() async throws {
    let site = AttentiveSite()
    let origin = try Origin.tls()
    try await TestProxy.run(
      ["a.test:443": origin], listeners: Self.listeners, parts: TestProxy.Parts(site: site)
    ) { proxy in
      for name in ["a.test", "pinwarden.internal"] {
        let client = try await proxy.tunnel("\(name):443")
        #expect(try await client.secure(name, trusting: PKI.stranger) == .tls(.refusedByJudge))
        _ = try await proxy.record("tunnel")
      }
      let refusals = site.refusals.withLock { $0 }
      #expect(refusals.count == 1 && refusals.first?.client == "127.0.0.1" && refusals.first?.lane == "phone")
      #expect(refusals.first?.detail.contains("bad_certificate (42)") == true)
    }
  }

  @Test func `exchanges and tunnels are counted for their lane`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], listeners: Self.listeners) { proxy in
      let client = try await proxy.connect()
      await client.get("http://pinwarden.internal/x", host: "pinwarden.internal")
      _ = try await client.response()
      await client.get("http://plain.test/", host: "plain.test")
      #expect(try await client.response().status == 403)
      let now = try await proxy.metrics("lane_exchanges_total{lane=\"phone\",action=\"deny\"}", reach: 1)
      #expect(now["lane_exchanges_total{lane=\"phone\",action=\"intercept\"}"] == 1)
      #expect(now["lane_failures_total{lane=\"phone\"}"] == 1)
      #expect(now["lane_body_bytes_total{lane=\"phone\",direction=\"response\"}"] > 0)
      #expect(now["lane_tunnels_total{lane=\"phone\"}"] == 0)
    }
  }
}
