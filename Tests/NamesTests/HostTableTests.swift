import Names
import Testing

struct HostTableTests {
  private func table(_ patterns: [String]) throws -> HostTable<String> {
    HostTable(try patterns.map { (try HostPattern($0), $0) })
  }

  @Test(arguments: [
    ("https://x.a.test/", "x.a.test"), ("https://y.a.test/", "*.a.test"), ("https://z.y.a.test/", "**.a.test"),
    ("https://q.deep.a.test/", "**.deep.a.test"),
    ("https://x.a.test:8443/", "x.a.test:8443"), ("https://y.a.test:8443/", "**.a.test:8443"),
    ("https://other.test/", "*"), ("https://a.test/", "**.a.test"),
  ])
  func mostSpecificWins(url: String, expected: String) throws {
    let patterns = ["*", "**.a.test", "*.a.test", "x.a.test", "**.deep.a.test", "x.a.test:8443", "**.a.test:8443"]
    let target = try TargetURL(url)
    for order in [patterns, patterns.reversed()] {
      let found = try table(order).match(host: target.host, port: target.port)
      #expect(found?.value == expected && found?.pattern.text == expected)
    }
  }

  @Test func details() throws {
    // Exact without port before a suffix with port; `*` with port before `*`; the first of two equal ones; no suffix of an address.
    #expect(try table(["**.a.test:443", "a.test"]).match(host: Host("a.test"), port: 443)?.value == "a.test")
    #expect(try table(["*", "*:443"]).match(host: Host("a.test"), port: 443)?.value == "*:443")
    #expect(try table(["A.test", "a.test"]).match(host: Host("a.test"), port: 1)?.value == "A.test")
    #expect(try table(["a.test:1", "*.test"]).match(host: Host("a.test"), port: 2)?.value == "*.test")
    #expect(try table(["**.b.a:1", "**.a"]).match(host: Host("c.b.a"), port: 2)?.value == "**.a")
    #expect(try table(["a.test"]).match(host: Host("b.test"), port: 1) == nil)
    #expect(try HostTable<Int>([]).match(host: Host("a.test"), port: 1) == nil && HostTable<Int>([]).isEmpty)
    #expect(try table(["**.a.test", "192.0.2.1"]).match(host: Host("192.0.2.1"), port: 1)?.value == "192.0.2.1")
  }

  /// The table finds what comparing all patterns by the written rule finds.
  @Test func agreesWithAnExhaustiveSearch() throws {
    var random = SeededGenerator(seed: 4)
    let labels = ["a", "b", "c", "test"]
    func name(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in labels.randomElement(using: &random) ?? "a" }.joined(
        separator: ".")
    }
    for _ in 0..<200 {
      var patterns: [HostPattern] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let wildcard = ["", "*.", "**."].randomElement(using: &random) ?? ""
        let port = ["", ":1", ":2"].randomElement(using: &random) ?? ""
        let text = Int.random(in: 0..<10, using: &random) == 0 ? "*" + port : wildcard + name(&random) + port
        let pattern = try HostPattern(text)
        if !patterns.contains(pattern) { patterns.append(pattern) }
      }
      let table = HostTable(patterns.map { ($0, 0) })
      for _ in 0..<50 {
        let host = try Host(name(&random))
        let port = UInt16.random(in: 1...3, using: &random)
        let expected = patterns.filter { $0.matches(host: host, port: port) }.max {
          rank($0).lexicographicallyPrecedes(rank($1))
        }
        #expect(table.match(host: host, port: port)?.pattern == expected, "\(host):\(port) in \(patterns)")
      }
    }
  }

  /// Exact, suffix length, port, kind: the greater is the more specific.
  private func rank(_ pattern: HostPattern) -> [Int] {
    let parts = pattern.text.split(separator: ":")
    let name = parts.first ?? ""
    let hasPort = parts.count == 2 ? 1 : 0
    if name == "*" { return [0, 0, hasPort, 0] }
    if name.hasPrefix("**.") { return [1, name.count - 3, hasPort, 0] }
    if name.hasPrefix("*.") { return [1, name.count - 2, hasPort, 1] }
    return [2, name.count, hasPort, 0]
  }
}
