import Names
import Testing

struct HostPatternTests {
  @Test(arguments: [
    ("a.test", "https://a.test/", true), ("a.test", "https://A.TEST/", true), ("A.Test", "https://a.test/", true),
    ("a.test", "https://a.test./", true), ("a.test.", "https://a.test/", true), ("a.test", "https://x.a.test/", false),
    ("a.test", "https://xa.test/", false), ("a.test", "https://a.test.evil.net/", false),
    ("*.a.test", "https://x.a.test/", true),
    ("*.a.test", "https://a.test/", false), ("*.a.test", "https://x.y.a.test/", false),
    ("**.a.test", "https://a.test/", true),
    ("**.a.test", "https://x.a.test/", true), ("**.a.test", "https://x.y.z.a.test/", true),
    ("**.a.test", "https://xa.test/", false),
    ("**.a.test", "https://a.test.evil.net/", false), ("*", "https://anything.example/", true),
    ("*", "https://[2001:db8::1]/", true),
    ("a.test:8443", "https://a.test:8443/", true), ("a.test:8443", "https://a.test/", false),
    ("a.test:443", "https://a.test/", true),
    ("**.a.test:8443", "https://x.a.test:8443/", true), ("**.a.test:8443", "https://x.a.test:8444/", false),
    ("2001:db8::1", "https://[2001:DB8:0:0::1]/", true), ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443/", true),
    ("[2001:db8::1]:8443", "https://[2001:db8::1]/", false), ("192.0.2.7", "https://192.0.2.7/", true),
    ("b\u{FC}cher.test", "https://xn--bcher-kva.test/", true),
    ("xn--bcher-kva.test", "https://b\u{FC}cher.test/", true),
    ("[2001:db8::1]", "https://[2001:db8::1]/", true), ("192.0.2.7:80", "http://192.0.2.7/", true),
    ("*:8443", "https://a.test:8443/", true),
    ("*:8443", "https://a.test/", false), ("**.b\u{FC}cher.test", "https://www.xn--bcher-kva.test/", true),
    ("*.com", "https://a.com/", true),
    ("**.a.test.", "https://x.a.test/", true),
  ])
  func matches(pattern: String, url: String, expected: Bool) throws {
    let pattern = try HostPattern(pattern)
    let target = try TargetURL(url)
    #expect(pattern.matches(host: target.host, port: target.port) == expected)
    #expect((HostTable([(pattern, 0)]).match(host: target.host, port: target.port) != nil) == expected)
  }

  @Test(arguments: [
    "a.*.test", "*a.test", "a*.test", "***.a.test", "*.*.a.test", "**", "**a.test", "*.", "**.", "*..a.test",
    "*.1.2.3.4", "**.168.192", "*.[::1]", "*.::1",
    "", "a b", "a.test:", "a.test:0", "a.test:*", "a.test:80:80", "https://a.test", "a.test/x", ":443", "[::1",
    ".a.test", "a..test", "*\0", "10.0.0.0/8",
    "*.\u{301}a.test",
  ])
  func refused(text: String) {
    let fault = #expect(throws: NameFault.self) { try HostPattern(text) }
    #expect((fault?.description.utf8.count ?? 0) > 10)
  }

  @Test func faultsHelp() {
    for text in ["a.*.test", "*a.test", "**.1.2.3.4"] {
      let fault = #expect(throws: NameFault.badPattern(text)) { try HostPattern(text) }
      #expect(fault?.description.contains("**.a.test (the name and any depth below)") == true)
    }
  }

  @Test func equalityIsByMeaning() throws {
    #expect(try HostPattern("A.test.:443") == HostPattern("a.test:443"))
    #expect(try HostPattern("[::1]") == HostPattern("0:0::1"))
    #expect(
      try HostPattern("a.test") != HostPattern("a.test:443") && HostPattern("*.a.test") != HostPattern("**.a.test"))
    #expect(try Set([HostPattern("A.test"), HostPattern("a.test")]).count == 1)
    #expect(try HostPattern("A.Test.").text == "A.Test." && HostPattern("A.Test.").description == "A.Test.")
  }
}
