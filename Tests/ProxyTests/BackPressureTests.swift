import Bytes
import Testing

/// A side that does not read stops the other one, so that the proxy holds little.
@Suite struct BackPressureTests {
  private static let size = 24 << 20

  /// Waits until `peer` can send no more, and tells what it has left.
  private func leftWhenStuck(_ peer: Peer) async throws -> Int {
    var last = -1
    for _ in 0..<200 {
      let left = await peer.perform { $0.unsentCount }
      if left == last { return left }
      last = left
      try await Task.sleep(for: .milliseconds(150))
    }
    return last
  }

  /// Both sides end with all bytes once the slow one reads.
  private func expectAll(_ reader: Peer, sourceLocation: SourceLocation = #_sourceLocation) async {
    await reader.pause(false)
    let isComplete = await reader.wait(.seconds(30)) { $0.received.count >= Self.size }
    #expect(isComplete, sourceLocation: sourceLocation)
  }

  @Test func `a client that does not read stops the origin`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let server = try await origin.accept()
      _ = try await server.request()
      await client.pause(true)
      await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
      await server.send([UInt8](repeating: 7, count: Self.size))
      #expect(try await leftWhenStuck(server) > 4 << 20, "the proxy took nearly everything")
      await expectAll(client)
    }
  }

  @Test func `an origin that does not read stops the client`() async throws {
    let origin = try Origin.tls()
    try await TestProxy.run(["a.test:443": origin], more: "limits: { requestTimeout: '60s' }") { proxy in
      let client = try await proxy.secured()
      await client.send("PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(Self.size)\r\n\r\n")
      let server = try await origin.accept()
      _ = try await server.head()
      await server.pause(true)
      await client.send([UInt8](repeating: 7, count: Self.size))
      #expect(try await leftWhenStuck(client) > 4 << 20, "the proxy took nearly everything")
      await expectAll(server)
      await server.answer("all")
      #expect(try await client.response().text == "all")
    }
  }

  @Test(arguments: [true, false])
  func `a blind tunnel holds little in either direction`(_ isDownload: Bool) async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin], more: "rules: { hosts: [{ host: 'a.test', action: 'bypass' }] }") {
      proxy in
      let client = try await proxy.tunnel()
      let server = try await origin.accept()
      let (writer, reader) = isDownload ? (server, client) : (client, server)
      await reader.pause(true)
      await writer.send([UInt8](repeating: 1, count: Self.size))
      #expect(try await leftWhenStuck(writer) > 4 << 20)
      await expectAll(reader)
      await writer.finish()
      await reader.finish()
      #expect(try await proxy.record("tunnel")[isDownload ? "received" : "sent"] == "\(Self.size)")
    }
  }

  @Test func `pipelined requests of a client that does not read are not answered ahead`() async throws {
    try await TestProxy.run { proxy in
      let client = try await proxy.connect()
      await client.pause(true)
      await client.send(String(repeating: "GET http://x.test/ HTTP/1.1\r\nHost: x.test\r\n\r\n", count: 100_000))
      #expect(try await leftWhenStuck(client) > 0, "the proxy answers without bound")
    }
  }
}
