import HTTP
import Testing

@testable import Console

@Suite struct GateTests {
  /// `route`, or the status of the refusal.
  private func judge(_ request: ConsoleRequest?, _ gate: inout Gate, at seconds: Int64 = 0) throws -> Result<
    Route, Status
  > {
    switch gate.judge(try #require(request), at: Kit.moment(seconds)) {
    case .admitted(let route, _): .success(route)
    case .refused(let answer): .failure(Status(code: answer.status))
    }
  }

  private struct Status: Error, Equatable { let code: Int }

  private func status(_ request: ConsoleRequest?) throws -> Int {
    var gate = Gate(Kit.credentials)
    if case .failure(let status) = try judge(request, &gate) { return status.code }
    return 200
  }

  private func cookie() throws -> (String, String) {
    let value = SessionCookie(port: 8081).admission(Kit.credentials, now: Kit.now)
    return ("Cookie", "other=1; " + (try #require(value.split(separator: ";").first)))
  }

  // MARK: who asks

  @Test(arguments: ["/api/exchanges", "/api/events", "/api/policy", "/api", "/api/nothing", "/api/../metrics"])
  func nothingBelowAPIIsToldToStrangers(path: String) throws {
    #expect(try status(Kit.request(.get, path)) == 401)
    #expect(try status(Kit.request(.delete, path)) == 401)
    #expect(try status(Kit.request(.get, "\(path)?token=\(Kit.token)")) == 401)
    #expect(try status(Kit.request(.get, path, [("Authorization", "Bearer wrong")])) == 401)
    #expect(try status(Kit.request(.get, path, [("Authorization", "Basic \(Kit.token)")])) == 401)
    #expect(try status(Kit.request(.get, path, [("Cookie", "pinwarden-8081=\(Kit.token)")])) == 401)
  }

  @Test(arguments: ["/", "/page/login.css", "/healthz", "/readyz", "/metrics"])
  func probesAndThePageNeedNoToken(path: String) throws {
    #expect(try status(Kit.request(.get, path)) == 200)
    #expect(try status(Kit.request(.head, path)) == 200)
  }

  @Test func theTokenAndASessionAdmit() throws {
    var gate = Gate(Kit.credentials)
    for field in [Kit.bearer, ("authorization", "bearer \(Kit.token)"), try cookie()] {
      #expect(try judge(Kit.request(.get, "/api/policy", [field]), &gate) == .success(.policy))
    }
  }

  @Test func aRefusalSaysHowToComeIn() throws {
    var gate = Gate(Kit.credentials)
    guard case .refused(let answer) = gate.judge(try #require(Kit.request(.get, "/api/policy")), at: Kit.moment())
    else {
      Issue.record("a stranger was admitted")
      return
    }
    #expect(answer["WWW-Authenticate"]?.hasPrefix("Bearer") == true && answer.text.contains("/"))
    #expect(answer.contentType == "application/problem+json")
  }

  @Test func anotherTokenPutsOldSessionsOut() throws {
    var gate = Gate(Kit.credentials)
    let request = Kit.request(.get, "/api/policy", [try cookie()])
    #expect(try judge(request, &gate) == .success(.policy))
    gate.credentials = ConsoleCredentials(token: "another-token", sessionKey: Array("session key".utf8)) { $0 + $1 }
    #expect(try judge(request, &gate) == .failure(Status(code: 401)))
  }

  // MARK: wrong tokens

  @Test func manyWrongTokensCloseTheDoorForAWhile() throws {
    var gate = Gate(Kit.credentials)
    let wrong = Kit.request(.get, "/api/policy", [("Authorization", "Bearer wrong")])
    let right = Kit.request(.get, "/api/policy", [Kit.bearer])
    for _ in 0..<FailureLimit.allowed { #expect(try judge(wrong, &gate) == .failure(Status(code: 401))) }
    #expect(gate.takeAlarm() == "127.0.0.1" && gate.takeAlarm() == nil)
    #expect(try judge(right, &gate, at: 59) == .failure(Status(code: 429)))
    // Others, those who have come in already, and probes are not meant.
    let other = Kit.request(.get, "/api/policy", [Kit.bearer], client: "127.0.0.2:1")
    #expect(try judge(other, &gate) == .success(.policy))
    #expect(try judge(Kit.request(.get, "/api/policy", [try cookie()]), &gate) == .success(.policy))
    #expect(try judge(Kit.request(.get, "/healthz", [("Authorization", "Bearer wrong")]), &gate) == .success(.health))
    #expect(try judge(right, &gate, at: 60) == .success(.policy))
  }

  @Test func requestsWithoutATokenAreNoGuesses() throws {
    var gate = Gate(Kit.credentials)
    for _ in 0..<50 { #expect(try judge(Kit.request(.get, "/api/policy"), &gate) == .failure(Status(code: 401))) }
    #expect(try judge(Kit.request(.get, "/api/policy", [Kit.bearer]), &gate) == .success(.policy))
  }

  // MARK: whom it is addressed to

  @Test(arguments: [
    "evil.test", "127.0.0.1.evil.test", "a.test:8081", "127.0.0.1", "127.0.0.1:80", "localhost", "192.0.2.1:8081", "",
    "[::1]:8082",
  ])
  func namesOfOthersAreMisdirected(host: String) throws {
    #expect(try status(Kit.request(.get, "/healthz", host: host)) == 421)
    #expect(try status(Kit.request(.get, "/api/policy", [Kit.bearer], host: host)) == 421)
  }

  @Test(arguments: ["127.0.0.1:8081", "localhost:8081", "LOCALHOST:8081", "[::1]:8081"])
  func ourOwnNamesAreNot(host: String) throws {
    #expect(try status(Kit.request(.get, "/api/policy", [Kit.bearer], host: host)) == 200)
  }

  // MARK: pages of others

  @Test(arguments: [
    [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Origin", "http://evil.test")],
    [("Origin", "null")], [("Origin", "https://127.0.0.1:8081")], [("Origin", "http://127.0.0.1:8082")],
    [("Origin", "http://localhost:8081")],
  ])
  func aBrowserIsNotLedToAskByAnotherPage(fields: [(String, String)]) throws {
    let all = fields + [("Content-Type", "application/json"), try cookie()]
    #expect(try status(Kit.request(.put, "/api/whitelist", all, body: "[]")) == 403)
    #expect(try status(Kit.request(.post, "/api/reload", all)) == 403)
    #expect(try status(Kit.request(.post, "/login", fields, body: "token=x")) == 403)
    #expect(try status(Kit.request(.post, "/logout", fields)) == 403)
  }

  @Test func ourOwnPageMayAsk() throws {
    let fields = [
      ("Origin", "http://127.0.0.1:8081"), ("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json"),
      try cookie(),
    ]
    #expect(try status(Kit.request(.put, "/api/whitelist", fields, body: "[]")) == 200)
    #expect(try status(Kit.request(.get, "/api/policy", [("Sec-Fetch-Site", "none"), try cookie()])) == 200)
    #expect(try status(Kit.request(.get, "/", [("Sec-Fetch-Site", "cross-site")])) == 200)
  }

  @Test func aFormCannotStandForJSON() throws {
    for type in ["text/plain", "application/x-www-form-urlencoded", ""] {
      let fields = [("Content-Type", type), try cookie()]
      #expect(try status(Kit.request(.put, "/api/whitelist", fields, body: "[]")) == 415)
      #expect(try status(Kit.request(.post, "/api/exchanges/0000000000000001/replay", fields, body: "{}")) == 415)
    }
    let typed = [("Content-Type", "Application/JSON; charset=utf-8"), try cookie()]
    #expect(try status(Kit.request(.put, "/api/whitelist", typed, body: "[]")) == 200)
    #expect(try status(Kit.request(.post, "/api/exchanges/0000000000000001/replay", [try cookie()])) == 200)
    // Whoever shows the token is no browser.
    #expect(try status(Kit.request(.put, "/api/whitelist", [Kit.bearer], body: "[]")) == 200)
  }

  // MARK: what for

  @Test func unknownPathsAndMethodsAreTold() throws {
    #expect(try status(Kit.request(.get, "/nothing")) == 404)
    #expect(try status(Kit.request(.get, "/api/nothing", [Kit.bearer])) == 404)
    var gate = Gate(Kit.credentials)
    let request = try #require(Kit.request(.delete, "/api/whitelist", [Kit.bearer]))
    guard case .refused(let answer) = gate.judge(request, at: Kit.moment()) else {
      Issue.record("DELETE was admitted")
      return
    }
    #expect(answer.status == 405 && answer["Allow"] == "GET, HEAD, PUT")
  }

  // MARK: login

  @Test func theFormOfTheLoginPageOpensASession() throws {
    var gate = Gate(Kit.credentials)
    let form = [("Content-Type", "application/x-www-form-urlencoded")]
    let wrong = try #require(Kit.request(.post, "/login", form, body: "token=wrong"))
    #expect(gate.login(wrong, at: Kit.moment()).status == 401)
    let right = try #require(Kit.request(.post, "/login", form, body: "token=\(Kit.token)"))
    let answer = gate.login(right, at: Kit.moment())
    #expect(answer.status == 303 && answer["Location"] == "/")
    let cookie = try #require(answer["Set-Cookie"])
    for part in ["HttpOnly", "SameSite=Strict", "Path=/", "pinwarden-8081="] { #expect(cookie.contains(part)) }
    #expect(!cookie.contains(Kit.token))
    let pair = try #require(cookie.split(separator: ";").first)
    #expect(try judge(Kit.request(.get, "/api/policy", [("Cookie", String(pair))]), &gate) == .success(.policy))
  }

  @Test func theLoginPageTakesNoTokenWhileTheDoorIsClosed() throws {
    var gate = Gate(Kit.credentials)
    let wrong = try #require(Kit.request(.post, "/login", body: "token=wrong"))
    for _ in 0..<FailureLimit.allowed { #expect(gate.login(wrong, at: Kit.moment()).status == 401) }
    let right = try #require(Kit.request(.post, "/login", body: "token=\(Kit.token)"))
    let answer = gate.login(right, at: Kit.moment())
    #expect(answer.status == 429 && answer["Retry-After"] == "60" && answer["Set-Cookie"] == nil)
    #expect(answer.contentType?.hasPrefix("text/html") == true)
  }

  @Test func logoutForgetsTheSession() throws {
    let answer = Gate.logout(try #require(Kit.request(.post, "/logout")))
    #expect(answer["Set-Cookie"]?.contains("Max-Age=0") == true && answer.status == 303)
  }
}
