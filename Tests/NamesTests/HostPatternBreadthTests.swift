import Names
import Testing

struct HostPatternBreadthTests {
  @Test(
    arguments: [
      ("A.test", HostPattern.Breadth.host, "a.test", "a.test"), ("*.a.test", .oneLabelMore, "a.test", "any.a.test"),
      ("**.a.test:8443", .anyDepth, "a.test", "a.test"), ("*", .everything, nil, nil), ("[::1]:1", .host, "::1", "::1"),
    ] as [(String, HostPattern.Breadth, String?, String?)])
  func patternsTellWhatTheyAreAbout(_ text: String, _ breadth: HostPattern.Breadth, _ base: String?, _ example: String?)
    throws
  {
    let pattern = try HostPattern(text)
    #expect(pattern.breadth == breadth && pattern.base?.text == base && pattern.example?.text == example)
    if let example = pattern.example { #expect(pattern.matches(host: example, port: pattern.port ?? 443)) }
  }

  @Test func anIndexTellsPositions() throws {
    let index = HostIndex(try ["*", "**.a.test", "x.a.test", "x.a.test"].map { try HostPattern($0) })
    func position(_ host: String) throws -> Int? { index.position(host: try Host(host), port: 1) }
    #expect(try position("x.a.test") == 2)
    #expect(try position("y.a.test") == 1)
    #expect(try position("b") == 0)
    #expect(HostIndex([]).isEmpty)
    #expect(try HostIndex([]).position(host: Host("b"), port: 1) == nil)
  }
}
