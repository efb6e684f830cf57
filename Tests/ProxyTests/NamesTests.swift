import Bytes
import Testing

/// How names lead to addresses.
@Suite struct NamesTests {
  @Test func `a mapped pattern leads its names to one place, and keeps who they are`() async throws {
    let origin = try Origin.tls("x.wild.test")
    try await TestProxy.run(["*.wild.test": origin]) { proxy in
      let client = try await proxy.secured("x.wild.test", port: 8443)
      let server = try await origin.accept()
      await client.get("/w", host: "x.wild.test:8443")
      #expect(try await server.request()["Host"] == "x.wild.test:8443")
      await server.answer("w")
      #expect(try await client.response().text == "w")
      let record = try await proxy.record()
      #expect(record["url"] == "https://x.wild.test:8443/w" && record["origin.address"] == origin.address)
    }
  }

  @Test func `of several addresses the one that works serves`() async throws {
    let origin = try Origin.plain()
    let place = "localhost:\(origin.address.split(separator: ":")[1])"
    try await TestProxy.run(more: "ats: { mode: 'observe' }") { proxy in
      for path in ["1", "2"] {
        let client = try await proxy.connect()
        await client.send("GET http://\(place)/\(path) HTTP/1.1\r\nHost: \(place)\r\n\r\n")
        let server = try await origin.accept()
        _ = try await server.request()
        await server.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n\(path)")
        await server.finish()
        #expect(try await client.response().text == path)
        #expect(try await proxy.record()["origin.address"] == origin.address)
      }
    }
  }
}
