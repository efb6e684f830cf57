import Policy
import Testing

@testable import Proxy

/// Which ATS context a request has: by listener, lane, its own User-Agent, or that of its tunnel.
@Suite struct ContextTests {
  private static let web = "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15\r\n"
  private static let media = "User-Agent: AppleCoreMedia/1.0.0.22E240 (iPhone; U; CPU OS 18_4 like Mac OS X; en_us)\r\n"
  private static let app = "User-Agent: Shop/1 CFNetwork/3826.500.111 Darwin/24.4.0\r\n"
  private static let webContent = "ats: { dictionary: { NSAllowsArbitraryLoadsInWebContent: true } }"

  @Test(arguments: [
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_4) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", Context.web),
    ("AppleCoreMedia/1.0.0.22E240 (iPhone; U; CPU OS 18_4 like Mac OS X; en_us)", .media),
    ("Shop/1 CFNetwork/3826.500.111 Darwin/24.4.0", .app), ("com.apple.WebKit.Networking/20621 CFNetwork/3826", .web),
    ("mediaplaybackd/1 CFNetwork/3826", .media), ("Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/140.0", .app),
    ("curl/8.5.0", .app), ("", .app), ("AppleCoreMediaX", .app), ("mozilla AppleWebKit/", .app), ("\u{FFFD}", .app),
  ])
  func `the User-Agent tells`(_ text: String, _ context: Context) {
    #expect(UserAgent.context(Array(text.utf8)[...]) == context)
  }

  private func ask(
    _ fields: String, _ more: String, listeners: String = "[{ address: '127.0.0.1:0' }]", _ permitted: Context?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:80": origin], listeners: listeners, more: more) { proxy in
      let client = try await proxy.connect()
      await client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n")
      if permitted != nil {
        let server = try await origin.accept()
        _ = try await server.request()
        await server.answer()
      }
      #expect(
        try await client.response().status == (permitted == nil ? 403 : 200), "\(fields)",
        sourceLocation: sourceLocation)
      let record = try await proxy.record()
      if let permitted { #expect(record["context"] == permitted.rawValue, sourceLocation: sourceLocation) }
      #expect(record["error.code"] == (permitted == nil ? "-1022" : nil), sourceLocation: sourceLocation)
    }
  }

  @Test func `plain HTTP is judged by the context of its User-Agent`() async throws {
    try await ask(Self.web, Self.webContent, .web)
    try await ask(Self.media, Self.webContent, nil)
    try await ask(Self.app, Self.webContent, nil)
    try await ask("", Self.webContent, nil)
    try await ask(Self.media, "ats: { dictionary: { NSAllowsArbitraryLoadsForMedia: true } }", .media)
    try await ask(Self.web, "ats: { dictionary: { NSAllowsArbitraryLoadsForMedia: true } }", nil)
  }

  @Test func `lane and listener beat the User-Agent`() async throws {
    try await ask(Self.app, Self.webContent, listeners: "[{ address: '127.0.0.1:0', context: 'web' }]", .web)
    try await ask(Self.web, Self.webContent, listeners: "[{ address: '127.0.0.1:0', context: 'app' }]", nil)
    let lane = Self.webContent + ", lanes: { l: { clients: ['127.0.0.1/32'], context: 'web' } }"
    try await ask(Self.app, lane, listeners: "[{ address: '127.0.0.1:0', context: 'media' }]", .web)
  }

  /// Plain HTTP inside a tunnel: the request's own User-Agent, else that of the CONNECT.
  @Test(arguments: [
    (web, "", true), (app, web, true), (web, app, false), ("", web, true), ("", "", false), (media, "", false),
  ])
  func `in a tunnel each request has its own context`(_ connect: String, _ own: String, _ isPermitted: Bool)
    async throws
  {
    let origin = try Origin.plain()
    try await TestProxy.run(["a.test:80": origin], more: Self.webContent) { proxy in
      let client = try await proxy.tunnel("a.test:80", fields: connect)
      await client.get(fields: own)
      if isPermitted {
        let server = try await origin.accept()
        _ = try await server.request()
        await server.answer()
      }
      #expect(try await client.response().status == (isPermitted ? 200 : 403))
    }
  }

  /// Web content may be loaded without forward secrecy here, and the app's own code may not: over one tunnel to one origin.
  @Test func `requests of two contexts in one tunnel are judged apart`() async throws {
    let origin = try Origin.speaking(OriginHandshake(key: .rsa, suites: "AES128-GCM-SHA256"))
    try await TestProxy.run(["a.test:443": origin], more: Self.webContent) { proxy in
      let client = try await proxy.tunnel("a.test:443", fields: Self.web)
      #expect(try await client.secure("a.test") == nil)
      await client.get("/web")
      let server = try await origin.accept()
      _ = try await server.request()
      await server.answer("web")
      #expect(try await client.response().text == "web")
      #expect(try await proxy.record()["context"] == "web")
      let playing = Task { await origin.playHandshakes() }
      await client.get("/app", fields: Self.app)
      #expect(try await client.response().status == 502)
      playing.cancel()
      let record = try await proxy.record()
      #expect(record["context"] == "app" && record["error.code"] == "-1200", "\(record)")
      await client.get("/again", fields: Self.web)
      _ = try await server.request()
      await server.answer("again")
      #expect(try await client.response().text == "again")
    }
  }

  /// What comes before the first request is judged by the CONNECT.
  @Test(arguments: [(web, true), (app, false), ("", false)])
  func `trust parity follows the context of the CONNECT`(_ fields: String, _ isTrusted: Bool) async throws {
    let origin = try Origin.speaking(OriginHandshake(key: .rsa, suites: "AES128-GCM-SHA256"))
    let rules = "rules: { hosts: [{ host: 'a.test', action: 'intercept', onTrustFailure: 'refuse' }] }"
    try await TestProxy.run(["a.test:443": origin], more: "\(Self.webContent), \(rules)") { proxy in
      let client = try await proxy.tunnel("a.test:443", fields: fields)
      let playing = Task { await origin.playHandshakes() }
      defer { playing.cancel() }
      let end = try await client.secure("a.test")
      #expect((end == nil) == isTrusted, "\(String(describing: end))")
      guard !isTrusted else { return }
      #expect(try await proxy.record()["context"] == "app")
    }
  }
}
