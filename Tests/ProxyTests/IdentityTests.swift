import Bytes
import HTTP
import TLS
import Testing

/// Identities towards origins that speak HTTP/2, or could.
@Suite struct IdentityTests {
  private func withProxy<T>(
    _ origin: Origin, identity: String = "'corp'", http2: String = "true", others: [String: Identity] = [:],
    _ body: (TestProxy) async throws -> T
  ) async throws -> T {
    var identities = try ["corp": PKI.client("corp")]
    identities.merge(others) { $1 }
    let named = identities.keys.map { "\($0): { certificate: '\($0).pem', key: '\($0).key' }" }.joined(separator: ", ")
    var files: [String: String] = [:]
    for (name, identity) in identities {
      files["\(name).pem"] = identity.leaf.pem
      files["\(name).key"] = try identity.key.pem()
    }
    return try await TestProxy.run(
      ["a.test:443": origin],
      more: """
        identities: { \(named) }, rules: { hosts: [{ host: 'a.test', identity: \(identity), http2: \(http2) }] }
        """, files: files, body)
  }

  private static let both = ["h2", "http/1.1"]

  @Test func `an origin that asks in the handshake is served over HTTP/2`() async throws {
    let authority = try PKI.origins.get().certificate
    let origin = try Origin.asking(alpn: Self.both, isRequired: true, authorities: [authority])
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request()
      let server = try await origin.acceptHTTP2()
      #expect(await server.peer.peerCertificate()?.commonName == "corp")
      try await server.respond(try await server.asked().stream, body: "in")
      #expect(try await client.response(stream).text == "in")
      let record = try await proxy.record()
      #expect(record["origin.identity"] == "corp" && record["origin.tls.alpn"] == "h2")
      #expect(record.flag("origin.clientCertificate.requested") && record["origin.clientCertificate.sent"] == "corp")
      #expect(record["origin.clientCertificate.acceptableIssuerCount"] == "1")
      #expect(record.description.contains("\"acceptableIssuers\":[\"CN=origin authority\"]"))
      #expect(record["origin.clientCertificate.reason"] == nil)
    }
  }

  @Test func `a rule can keep such a host on HTTP/1.1`() async throws {
    let origin = try Origin.asking(alpn: Self.both, isRequired: true)
    try await withProxy(origin, http2: "false") { proxy in
      let client = try await proxy.secured()
      #expect(try await exchange(client, try await origin.accept()).status == 200)
      #expect(try await proxy.record()["origin.tls.alpn"] == "http/1.1")
    }
  }

  @Test func `an origin that refuses over HTTP/2 is asked over HTTP/1.1, where it can ask late`() async throws {
    let origin = try Origin.http2()
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.get, "/secure")
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, 403, body: "no")
      let other = try await origin.accept()
      #expect(try await other.request().startLine == "GET /secure HTTP/1.1")
      #expect(await other.askLate())
      await other.answer("in")
      #expect(try await client.response(stream).text == "in")
      let record = try await proxy.record()
      #expect(record["status"] == "200" && record["origin.identity"] == "corp")
      #expect(record.flag("origin.clientCertificate.late"))
      let next = try await client.request(.get, "/next")
      #expect(try await other.request().startLine == "GET /next HTTP/1.1")
      await other.answer("too")
      #expect(try await client.response(next).text == "too")
    }
  }

  @Test func `one that refuses over HTTP/1.1 too gets HTTP/2 again`() async throws {
    let origin = try Origin.http2()
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.get, "/closed")
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, 403, body: "no")
      let other = try await origin.accept()
      _ = try await other.request()
      await other.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
      #expect(try await client.response(stream).status == 403)
      let next = try await client.request(.get, "/next")
      try await server.respond(try await server.asked(1).stream, 403, body: "no")
      #expect(try await client.response(next).status == 403)
      #expect(origin.connectionCount == 2)
    }
  }

  @Test func `a POST that is refused is not sent again, but the next request goes over HTTP/1.1`() async throws {
    let origin = try Origin.http2()
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.post, "/order", body: "order")
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, 403, body: "no")
      #expect(try await client.response(stream).status == 403)
      let next = try await client.request(.get, "/next")
      let other = try await origin.accept()
      #expect(try await other.request().startLine == "GET /next HTTP/1.1")
      await other.answer("in")
      #expect(try await client.response(next).text == "in")
    }
  }

  @Test func `a POST that is misdirected is sent again`() async throws {
    let origin = try Origin.http2()
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.post, "/order", body: "order")
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, 421)
      let other = try await origin.accept()
      #expect(try await other.request().text == "order")
      await other.answer("done")
      #expect(try await client.response(stream).text == "done")
    }
  }

  @Test func `a 403 means what it says where no identity is at stake`() async throws {
    let origin = try Origin.http2()
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request()
      let server = try await origin.acceptHTTP2()
      try await server.respond(try await server.asked().stream, 403, body: "no")
      #expect(try await client.response(stream).status == 403)
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `a GOAWAY with HTTP_1_1_REQUIRED is obeyed`() async throws {
    let origin = try Origin.http2()
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.get, "/secure")
      let server = try await origin.acceptHTTP2()
      _ = try await server.asked()
      try await server.perform { $0.session.close(.http11Required) }
      await server.peer.finish()
      let other = try await origin.accept()
      #expect(try await other.request().startLine == "GET /secure HTTP/1.1")
      await other.answer("old")
      #expect(try await client.response(stream).text == "old")
    }
  }

  @Test func `an origin that asks late over HTTP/2 is asked over HTTP/1.1 instead`() async throws {
    let origin = try Origin.http2()
    try await withProxy(origin) { proxy in
      let client = try await proxy.http2()
      let stream = try await client.request(.get, "/secure")
      let server = try await origin.acceptHTTP2()
      _ = try await server.asked()
      await server.peer.sendLateRequest()
      let other = try await origin.accept()
      #expect(try await other.request().startLine == "GET /secure HTTP/1.1")
      await other.answer("old")
      #expect(try await client.response(stream).text == "old")
      #expect(await server.peer.end() != nil)
      #expect(await server.peer.peerCertificate() == nil)
    }
  }

  // MARK: what is refused

  /// The answer that a client gets; until then the origin plays the handshake of whatever is dialled, for a dial that was begun with the
  /// tunnel may have failed before the request was there.
  private func answer(_ client: Peer, from origin: Origin) async throws -> Message {
    for count in 0... {
      let isAnswered = await Kit.before(Peer.patience) {
        if await client.perform({ !$0.received.isEmpty }) { return true }
        return origin.connectionCount > count ? false : nil
      }
      if try #require(isAnswered as Bool?, "the proxy neither dialled nor answered") { break }
      _ = try await origin.secure(try await origin.accept(securing: false))
    }
    return try await client.response()
  }

  @Test(arguments: [EitherPeer.Spoken.http1, .http2])
  func `where none fits the answer says why`(_ spoken: EitherPeer.Spoken) async throws {
    let stranger = try PKI.stranger.get().certificate
    let origin = try Origin.asking(
      alpn: spoken == .http2 ? Self.both : ["http/1.1"], isRequired: true, authorities: [stranger])
    try await withProxy(origin) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let response = try await answer(client, from: origin)
      #expect(response.status == 502 && response.text.contains("-1206"), "\(response.text)")
      #expect(response.text.contains("CN=strange authority") && response.text.contains("corp: no issuer"))
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1206" && record["origin.identity"] == nil)
      #expect(record["origin.clientCertificate.sent"] == nil)
      #expect(record["origin.clientCertificate.reason"]?.contains("corp: no issuer in its chain") == true, "\(record)")
    }
  }

  @Test(arguments: [EitherPeer.Spoken.http1, .http2])
  func `an identity that the origin refuses`(_ spoken: EitherPeer.Spoken) async throws {
    let origin = try Origin.asking(
      alpn: spoken == .http2 ? Self.both : ["http/1.1"], isRequired: true, isTrusting: false)
    try await withProxy(origin) { proxy in
      let client = try await proxy.secured()
      await client.get()
      let response = try await answer(client, from: origin)
      #expect(response.status == 502 && response.text.contains("unknown_ca (48)"), "\(response.text)")
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1205" && record["origin.clientCertificate.sent"] == "corp", "\(record)")
    }
  }

  @Test func `the first of a list that fits is shown`() async throws {
    let origin = try Origin.asking(alpn: ["http/1.1"], isRequired: true)
    let old = try PKI.server("old", until: -1)
    try await withProxy(origin, identity: "['old', 'corp']", others: ["old": old]) { proxy in
      let client = try await proxy.secured()
      let server = try await origin.accept()
      #expect(await server.peerCertificate()?.commonName == "corp")
      try await exchange(client, server)
      #expect(try await proxy.record()["origin.identity"] == "corp")
    }
  }
}
