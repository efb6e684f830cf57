import HTTP
import Testing

@Suite("Request target")
struct RequestTargetTests {
  private func parse(_ target: String, _ method: HTTPMethod = .get) -> RequestTarget? {
    try? RequestHead(method: method, target: target, fields: HeaderList()).requestTarget()
  }

  private func absolute(_ target: String, _ method: HTTPMethod = .get) -> [String]? {
    guard case .absolute(let url) = parse(target, method) else { return nil }
    return [url.scheme, url.authority, text(url.pathAndQuery)]
  }

  @Test(
    "paths are kept as sent",
    arguments: ["/", "/a%2Fb//%5Bx%5D/../c?q=%2f", "//double//slash", "/?q=a/b?c", "/%zz", "/a?u=http://x/y"])
  func origin(_ target: String) {
    #expect(parse(target) == .origin(Array(target.utf8)[...]))
  }

  @Test("absolute forms come apart")
  func absolute() {
    #expect(absolute("http://a.test/x?y") == ["http", "a.test", "/x?y"])
    #expect(absolute("HTTP://A.test:81") == ["http", "A.test:81", "/"])
    #expect(absolute("http://a.test?q") == ["http", "a.test", "/?q"])
    #expect(absolute("https://[::1]:443//x") == ["https", "[::1]:443", "//x"])
    #expect(absolute("http://a.test", .options) == ["http", "a.test", "*"])
    #expect(absolute("http://a.test?", .options) == ["http", "a.test", "/?"])
    #expect(parse("*", .options) == .asterisk)
    #expect(parse("a.test:443", .connect) == .authority("a.test:443"))
  }

  @Test(
    "other forms are refused",
    arguments: [
      "*", "a.test", "a.test:443", "http:a.test", "http:/a.test", "http://", "http:///x", "http://u@a.test/",
      "http://a.test/#f", "/#f",
      "1http://a/", "http://a b/", "http://a\\b/", "://a/", "",
    ])
  func refused(_ target: String) {
    #expect(parse(target) == nil)
  }

  @Test("CONNECT takes an authority only", arguments: ["/", "*", "http://a.test/", "u@a.test:443", "a.test:443/", ""])
  func connect(_ target: String) {
    #expect(parse(target, .connect) == nil)
  }
}
