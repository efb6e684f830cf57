import HTTP
import Records
import Testing

@testable import Console

@Suite struct RouteTests {
  @Test(
    arguments: [
      ("/", Route.page), ("/login", .login), ("/healthz", .health), ("/api/exchanges", .exchanges),
      ("/api/exchanges/12", .exchange("12")), ("/api/exchanges/12/replay", .replay("12")), ("/api/har", .har),
      ("/page/app.js", .asset("app.js")), ("/page/icon.svg", .asset("icon.svg")), ("/api/exchanges/count", .count),
      ("/api/exchanges/12/body/request", .body("12", .request)), ("/api/hosts", .hosts), ("/api/series", .series),
    ] as [(String, Route?)])
  func pathsLeadToRoutes(path: String, route: Route?) {
    #expect(Route(path: path[...]) == route)
  }

  @Test(arguments: [
    "", "/api", "/api/", "/api/exchanges/", "/api/exchanges//replay", "/api/exchanges/1/2", "/api/exchanges/1/replay/",
    "/api/exchanges/1/body", "/api/exchanges/1/body/other", "/api/exchanges//body/request", "/page/", "/page",
    "/page/app",
    "/page/../app.js", "/page/a/b.js", "/page/%61pp.js", "/page/.js", "/page/app.js/", "/page/..%2fapp.js",
    "/page/a..js",
    "/API/exchanges", "/api/%65xchanges", "//api/exchanges", "/healthz/", "/metrics/x",
  ])
  func otherPathsLeadNowhere(path: String) {
    #expect(Route(path: path[...]) == nil)
  }

  @Test func whatChangesSomethingIsNotGotten() {
    for route in [Route.reload, .explain, .login, .logout, .replay("1")] {
      #expect(!route.takes(.get) && !route.takes(.head) && route.takes(.post))
    }
    #expect(Route.whitelist.takes(.put) && !Route.whitelist.takes(.post))
  }
}

@Suite struct ConsoleRequestTests {
  @Test func targetsAreCutAtTheQuestionMark() throws {
    let request = try #require(Kit.request(.get, "/a?b=1?c"))
    #expect(request.path == "/a" && request.query == "b=1?c")
    #expect(try #require(Kit.request(.get, "/a")).query == nil)
  }

  @Test func anAbsoluteTargetNamesTheHost() throws {
    let request = try #require(Kit.request(.get, "http://evil.test/a?b", host: "127.0.0.1:8081"))
    #expect(request.authority == "evil.test" && request.path == "/a" && request.query == "b")
    #expect(Kit.request(.get, "https://127.0.0.1:8081/a") == nil)
    #expect(Kit.request(.connect, "a.test:443") == nil && Kit.request(.options, "*") == nil)
  }
}

@Suite struct QueryTextTests {
  @Test func namesAndValuesAreDecoded() throws {
    let query = try #require(QueryText("a=1&b=x%20y+z&c&d=%C3%A9&=e"))
    #expect(query["a"] == "1" && query["b"] == "x y z" && query["c"] == "" && query["d"] == "é")
    #expect(query.names == ["a", "b", "c", "d", ""])
    #expect(query["missing"] == nil && QueryText("a=1&a=2")?["a"] == nil)
  }

  @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%C3", "%FF", String(repeating: "a&", count: 65) + "b"])
  func whatCannotBeDecodedIsRefused(text: String) {
    #expect(QueryText(text) == nil)
  }
}

@Suite struct ExchangeQueryTests {
  private func read(_ text: String) throws -> ExchangeQuery {
    try ExchangeQuery(text[...], allowing: ExchangeParameter.ofPages)
  }

  @Test func parametersAreTakenOver() throws {
    let query = try read("limit=5&cursor=9&host=A.Test:443&status=403&verdict=deny&lane=x&client=127.0.0.1&text=%2Fone")
    var expected = ExchangeQuery()
    (expected.limit, expected.cursor, expected.host, expected.status) = (5, "9", "a.test:443", 403)
    (expected.verdict, expected.lane, expected.client, expected.text) = ("deny", "x", "127.0.0.1", "/one")
    #expect(query == expected)
    #expect(try ExchangeQuery(nil, allowing: []) == ExchangeQuery())
    #expect(try read("host=::1").host == "[::1]" && read("host=%5B::1%5D").host == "[::1]")
  }

  @Test(arguments: [
    ("limit=0", "1000"), ("skip=-1", "number from 0"), ("limit=1001", "1000"), ("limit=x", "1000"),
    ("status=99", "100"), ("verdict=no", "intercept"),
    ("host=a%20b", "host"), ("since=soon", "2026"), ("text=", "text"), ("token=x", "limit, cursor"), ("a=%", "percent"),
    ("limit=1&limit=2", "more than once"),
  ])
  func badValuesAreToldWhatIsAllowed(text: String, told: String) {
    let fault = #expect(throws: ControlFault.self) { try read(text) }
    #expect(fault?.kind == .invalid && fault?.reason.contains(told) == true, "\(fault?.reason ?? "")")
  }

  @Test func filesAndCountsHaveNoPages() throws {
    #expect(throws: ControlFault.self) { try ExchangeQuery("limit=1", allowing: ExchangeParameter.ofFiles) }
    #expect(throws: Never.self) { try ExchangeQuery("since=2h&host=a.test", allowing: ExchangeParameter.ofFiles) }
    #expect(throws: ControlFault.self) { try ExchangeQuery("skip=1", allowing: ExchangeParameter.ofCounts) }
    #expect(try ExchangeQuery("cursor=9&status=403", allowing: ExchangeParameter.ofCounts).cursor == "9")
  }
}
