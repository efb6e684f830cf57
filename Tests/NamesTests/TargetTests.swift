import Names
import Testing

struct TargetTests {
  @Test(arguments: [
    ("a.test:443", "a.test:443"), ("A.TEST.:0443", "a.test:443"), ("[2001:DB8::1]:8443", "[2001:db8::1]:8443"),
    ("192.0.2.1:65535", "192.0.2.1:65535"),
    ("a.test", "a.test:80"), ("a.test:", "a.test:80"), ("[::1]", "[::1]:80"),
    ("b\u{FC}cher.test:1", "xn--bcher-kva.test:1"),
  ])
  func authorities(text: String, expected: String) throws {
    #expect(try HostPort(authority: text, defaultPort: 80).description == expected)
  }

  @Test(arguments: [
    "a.test", "a.test:", "a.test:0", "a.test:99999", "a.test:65536", "a.test:000443", "a.test:+1", "a.test:4 43",
    "a b:443", "", ":443", ":", "[::1:443",
    "::1:443", "[::1]443", "[::1]]:443", "[]:443", "user@a.test:443", "a.test:443:443", "https://a.test:443",
    "a.test/:443", "a.test:443\0",
    "\u{FF1A}:443", "a.test:\u{661}",
  ])
  func connectTargetsThatAreNone(text: String) {
    #expect(throws: NameFault.self) { try HostPort(authority: text, defaultPort: nil) }
  }

  @Test func schemes() {
    #expect(
      Scheme(name: "HTTPS") == .https && Scheme(name: "wss") == .wss && Scheme(name: "ftp") == nil
        && Scheme(name: "") == nil)
    #expect(Scheme.https.isSecure && Scheme.wss.isSecure && !Scheme.http.isSecure && !Scheme.ws.isSecure)
    #expect(Scheme.wss.defaultPort == 443 && Scheme.ws.defaultPort == 80)
  }

  @Test(arguments: [
    ("https://a.test", "https://a.test"), ("HTTPS://A.test:443/", "https://a.test"),
    ("https://c.test:9443", "https://c.test:9443"),
    ("http://a.test:443", "http://a.test:443"), ("https://[::1]:443", "https://[::1]"), ("ws://a.test", "ws://a.test"),
  ])
  func origins(text: String, expected: String) throws {
    let origin = try WebOrigin(text)
    #expect(origin.description == expected)
    #expect(try WebOrigin(expected) == origin)
    #expect(try WebOrigin(expected).hashValue == origin.hashValue)
  }

  @Test(arguments: [
    "", "a.test", "a.test:443", "https:a.test", "https:/a.test", "https://", "https:///", "https://a.test/x",
    "https://a.test?", "https://a.test#", "ftp://a.test",
    "https://u:p@a.test", "https://a.test//", "https://*.a.test", "https://a.test:0", " https://a.test",
    "https://a.test ", "https://a.test/\u{301}",
    "https://\u{301}a.test/", "://a.test",
  ])
  func originsThatAreNone(text: String) {
    #expect(throws: NameFault.self) { try WebOrigin(text) }
  }

  @Test func originsDifferInEachPart() throws {
    let origins = try ["https://a.test", "http://a.test:443", "https://a.test:444", "https://b.test", "wss://a.test"]
      .map { try WebOrigin($0) }
    #expect(Set(origins).count == 5)
  }

  @Test(arguments: [
    ("http://a.test", "http://a.test/"), ("HTTP://A.Test/x", "http://a.test/x"),
    ("http://a.test?q", "http://a.test/?q"), ("http://a.test:80/x?y=1#z", "http://a.test/x?y=1"),
    ("https://[2001:DB8:0:0::1]/", "https://[2001:db8::1]/"), ("http://a.test#x", "http://a.test/"),
    ("http://a.test:8080/a//b/../c?d?e", "http://a.test:8080/a//b/../c?d?e"),
    ("wss://a.test/\u{FC}", "wss://a.test/\u{FC}"), ("http://a.test/x#\u{301}y", "http://a.test/x"),
    ("http://a.test/@b", "http://a.test/@b"),
  ])
  func urls(text: String, expected: String) throws {
    #expect(try TargetURL(text).description == expected)
  }

  @Test func emptyPathIsRemembered() throws {
    #expect(try TargetURL("http://a.test").hasEmptyPath && TargetURL("http://a.test#x").hasEmptyPath)
    #expect(try !TargetURL("http://a.test/").hasEmptyPath && !TargetURL("http://a.test?").hasEmptyPath)
  }

  @Test(arguments: [
    "", "/x", "a.test/x", "http:/x", "http://", "http://:80/", "http://a.test/a b", "http://a.test/\0",
    "http://a.test/\r\nx", "http://a.test/\u{7F}",
    "http://u@a.test/", "http://a.test\\@b.test/", "http://1/", "javascript:alert(1)", "http://a.test:x/",
    "http://[::1/", "data:,x",
  ])
  func urlsThatAreNone(text: String) {
    #expect(throws: NameFault.self) { try TargetURL(text) }
  }

  @Test func longTexts() {
    let long = String(repeating: "a", count: 1_000_000)
    for text in [long, "http://" + long, "http://[" + long, long + "://a.test", ":" + long] {
      #expect(throws: NameFault.self) { try TargetURL(text) }
      #expect(throws: NameFault.self) { try HostPort(authority: text, defaultPort: 1) }
      #expect(throws: NameFault.self) { try HostPattern(text) }
    }
    #expect((try? TargetURL("http://a.test/" + long))?.pathAndQuery.utf8.count == 1_000_001)
  }

  @Test func faultsQuoteLittleAndNothingThatControlsATerminal() {
    let fault = #expect(throws: NameFault.self) {
      try WebOrigin("https://a.test/\u{1B}[31m\r\n" + String(repeating: "x", count: 1000))
    }
    let text = fault?.description ?? ""
    #expect(text.utf8.count < 200 && text.utf8.allSatisfy { $0 >= 0x20 } && text.contains("?[31m"), "\(text)")
  }

  @Test func randomURLs() throws {
    var random = SeededGenerator(seed: 3)
    let pieces = [
      "http", "https", "ws", ":", "//", "/", "a.test", "[::1]", "@", "?", "#", ":80", ":0", "%", "\0", " ", "\u{FC}",
      "\u{301}", "..", "127.0.0.1", "\\",
    ]
    for _ in 0..<6_000 {
      guard let url = try? TargetURL(random.text(from: pieces, count: 8)) else { continue }
      let again = try TargetURL(url.description)
      #expect(again.description == url.description && url.pathAndQuery.utf8.first == UInt8(ascii: "/"))
    }
  }
}
