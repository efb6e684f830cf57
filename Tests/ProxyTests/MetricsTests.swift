import HTTP
import Proxy
import Records
import Testing

/// What is counted of known traffic.
@Suite struct MetricsTests {
  @Test func `intercepted exchanges, their connections and bytes`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      await client.post("order")
      _ = try await server.request()
      await server.answer("done!!")
      _ = try await client.response()
      try await exchange(client, server, "/again")
      let verdict = "exchanges_total{action=\"intercept\",decided_by=\"default\",protocol=\"http/1.1\"}"
      let now = try await proxy.metrics(verdict, reach: 2)
      #expect(
        now["connections_total{listener=\"explicit\"}"] == 1 && now["connections_open{listener=\"explicit\"}"] == 1)
      #expect(now["client_handshakes_total{result=\"full\"}"] == 1)
      #expect(now["origin_handshakes_total{result=\"full\"}"] == 1)
      #expect(now["origin_connections_opened_total{use=\"http1\"}"] == 1)
      #expect(now["origin_connections_reused_total{use=\"http1\"}"] == 1)
      #expect(now["origin_connections_idle{use=\"http1\"}"] == 1)
      #expect(now["responses_total{status=\"2xx\"}"] == 2 && now["responses_total{status=\"4xx\"}"] == 0)
      #expect(now["body_bytes_total{direction=\"request\"}"] == 5)
      #expect(now["body_bytes_total{direction=\"response\"}"] == 12)
      #expect(now["exchange_seconds_count"] == 2 && now["exchange_seconds_bucket{le=\"+Inf\"}"] == 2)
      #expect(now["first_byte_seconds_count"] == 2 && now["first_byte_seconds_sum"] > 0)
      #expect(now["exchange_seconds_sum"] >= now["first_byte_seconds_sum"])
      #expect(now["leaf_mints_total{result=\"made\"}"] >= 1)
      await client.finish()
      await client.close()
      _ = try await proxy.metrics("connections_open{listener=\"explicit\"}", reach: 0)
    }
  }

  @Test func `refusals, and what they are for`() async throws {
    try await TestProxy.run(["a.test:443": try ClosedPort()]) { proxy in
      let client = try await proxy.connect()
      await client.get("http://b.test/", host: "b.test")
      #expect(try await client.response().status == 403)
      await client.send("HELLO\r\n\r\n")
      #expect(try await client.response().status == 400)
      let secured = try await proxy.secured()
      await secured.get()
      #expect(try await secured.response().status == 502)
      let refused = "exchanges_total{action=\"deny\",decided_by=\"ats\",protocol=\"http/1.1\"}"
      let now = try await proxy.metrics(refused, reach: 1)
      #expect(now["failures_total{error=\"AppTransportSecurityRequiresSecureConnection\"}"] == 1)
      #expect(now["failures_total{error=\"CannotConnectToHost\"}"] == 1)
      #expect(now["proxy_errors_total{error=\"http_request_denied\"}"] == 1)
      #expect(now["proxy_errors_total{error=\"http_request_error\"}"] == 1)
      #expect(now["proxy_errors_total{error=\"connection_refused\"}"] == 1)
      #expect(now["ats_violations_total{violation=\"cleartext\"}"] == 1)
      #expect(now["responses_total{status=\"4xx\"}"] == 2 && now["responses_total{status=\"5xx\"}"] == 1)
      #expect(now["exchanges_total{action=\"deny\",decided_by=\"none\",protocol=\"http/1.1\"}"] == 1)
      #expect(now["exchange_seconds_count"] == 3 && now["first_byte_seconds_count"] == 0)
    }
  }

  @Test func `HTTP/2 on both sides, and a resumed handshake with the origin`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let first = try await client.request(.get, "/1")
      let server = try await origin.acceptHTTP2()
      for index in 0..<2 {
        if index > 0 { _ = try await client.request(.get, "/2") }
        try await server.respond(try await server.asked(index).stream)
      }
      _ = try await client.response(first)
      let verdict = "exchanges_total{action=\"intercept\",decided_by=\"default\",protocol=\"h2\"}"
      var now = try await proxy.metrics(verdict, reach: 2)
      #expect(now["origin_connections_opened_total{use=\"http2\"}"] == 1)
      #expect(now["origin_connections_reused_total{use=\"http2\"}"] == 1)
      #expect(now["origin_connections_idle{use=\"http2\"}"] == 1)
      await server.peer.reset()
      now = try await proxy.metrics("origin_connections_idle{use=\"http2\"}", reach: 0)
      _ = try await client.request(.get, "/3")
      let other = try await origin.acceptHTTP2()
      try await other.respond(try await other.asked().stream)
      now = try await proxy.metrics(verdict, reach: 3)
      #expect(now["origin_handshakes_total{result=\"full\"}"] == 1)
      #expect(now["origin_handshakes_total{result=\"resumed\"}"] == 1)
    }
  }

  @Test func `tunnels and their bytes`() async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(
      ["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }"
    ) { proxy in
      let client = try await proxy.tunnel()
      let server = try await origin.accept()
      #expect(try await proxy.metrics("tunnels_open", reach: 1)["tunnels_total"] == 1)
      await client.send("\u{1}\u{2}ping")
      #expect(await server.receive(6).count == 6)
      await server.send("pong")
      #expect(await client.receive(4) == Array("pong".utf8))
      await client.finish()
      await server.finish()
      let now = try await proxy.metrics("tunnels_open", reach: 0)
      #expect(now["tunnel_bytes_total{direction=\"sent\"}"] == 6)
      #expect(now["tunnel_bytes_total{direction=\"received\"}"] == 4)
      #expect(now["origin_connections_opened_total{use=\"tunnel\"}"] == 1)
    }
  }

  @Test func `pins that match, and pins that do not`() async throws {
    let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    for (enforce, result) in [("true", "mismatched"), ("false", "reported")] {
      let origin = try Origin.tls()
      try await TestProxy.run(
        ["a.test:443": origin],
        more:
          "trust: { t: { pins: ['\(pin)'], enforce: \(enforce) } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
      ) { proxy in
        let client = try await proxy.secured()
        await client.get()
        let server = try await origin.accept(securing: false)
        _ = try await origin.secure(server)
        if enforce == "false" {
          _ = try await server.request()
          await server.answer()
        }
        #expect(try await client.response().status == (enforce == "true" ? 502 : 200))
        _ = try await proxy.metrics("pins_checked_total{result=\"\(result)\"}", reach: 1)
      }
    }
  }

  @Test func `the text is in the format of Prometheus and names no host`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      try await exchange(client, try await origin.accept())
      proxy.server.metrics.register {
        [
          MetricFamily(
            "own_total", .counter, "With a \\ and\na line.", samples: [.init(labels: ["x": "a\"b\\c\nd"], value: 1.5)])
        ]
      }
      let text = proxy.server.metricsText()
      let readings = try MetricReadings(text)
      #expect(readings.names.allSatisfy { $0.hasPrefix("pinwarden_") } && readings.names.count > 100)
      #expect(readings.kinds.keys.allSatisfy { $0.hasPrefix("pinwarden_") })
      #expect(readings.kinds["pinwarden_exchange_seconds"] == "histogram")
      for (name, kind) in readings.kinds { #expect((kind == "counter") == name.hasSuffix("_total"), "\(name)") }
      #expect(!text.contains("a.test"))
      #expect(text.contains("# HELP pinwarden_own_total With a \\\\ and\\na line.\n"))
      #expect(text.contains("pinwarden_own_total{x=\"a\\\"b\\\\c\\nd\"} 1.5\n"))
      #expect(readings["build_info{version=\"unknown\"}"] == 1)
      #expect(readings["open_descriptors"] > 3 && readings["resident_memory_bytes"] > 1_000_000)
      #expect(readings["start_time_seconds"] > 1_700_000_000)
    }
  }
}
