import HTTP
import Testing

@Suite("First bytes of a connection")
struct FirstBytesTests {
  private func guess(_ bytes: [UInt8]) -> ProtocolSniffer.Guess {
    bytes.withUnsafeBytes { ProtocolSniffer.classify($0) }
  }

  @Test(
    "a tunnel's protocol is guessed, and no earlier guess is wrong",
    arguments: [
      ("\u{16}\u{03}\u{01}\u{02}\0", ProtocolSniffer.Guess.tls), ("\u{16}\u{03}\u{09}", .other), ("\u{16}x", .other),
      ("GET / HTTP/1.1\r\n", .http1), ("get /", .http1), ("\r\nPOST /x", .http1),
      ("CONNECT 1.2.3.4:80 HTTP/1.1\r\n", .http1),
      ("OPTIONS * HTTP/1.1\n", .http1), ("GET http://a.test/ HTTP/1.0\r\n", .http1), ("VERSION-CONTROL /x", .http1),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2Preface), ("PRI * HTTP/1.1\r\n", .http1), ("PROPFIND /", .http1),
      ("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", .other), ("EHLO mail.test\r\n", .other), ("\0\u{01}", .other),
      ("GET\r\n", .other),
      (" GET /", .other), (String(repeating: "A", count: 25), .other),
    ])
  func sniffing(_ text: String, expected: ProtocolSniffer.Guess) {
    let bytes = latin1(text)
    #expect(guess(bytes) == expected)
    for count in 0..<bytes.count { #expect([.needMore, expected].contains(guess(Array(bytes[..<count])))) }
  }

  @Test("a guess does not take for ever")
  func bound() {
    #expect(guess(latin1("GET x" + String(repeating: "x", count: 8_192))) == .other)
  }

  private func proxy(_ bytes: [UInt8]) -> ProxyProtocol.Result {
    bytes.withUnsafeBytes { ProxyProtocol.parse($0) }
  }

  @Test("PROXY protocol, version 1")
  func proxyLine() {
    let line = latin1("PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\r\n")
    for count in 0..<line.count { #expect(proxy(Array(line[..<count])) == .needMore) }
    #expect(proxy(line + [1]) == .header(length: line.count, source: .init(ip: [192, 0, 2, 1], port: 56_324)))
    guard case .header(_, let source?) = proxy(latin1("PROXY TCP6 2001:db8::1 ::1 1 2\r\n")) else {
      Issue.record("no source")
      return
    }
    #expect(source.ip == [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] && source.port == 1)
    #expect(proxy(latin1("PROXY UNKNOWN\r\n")) == .header(length: 15, source: nil))
    #expect(proxy(latin1("PROXY UNKNOWN a b c d\r\n")) == .header(length: 23, source: nil))
  }

  @Test(
    "bad PROXY lines",
    arguments: [
      "GET / HTTP/1.1\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 1 65536\r\n",
      "PROXY TCP4 ::1 ::1 1 2\r\n",
      "PROXY TCP4 1.2.3.04 1.2.3.4 1 2\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 01 2\r\n",
      "PROXY  TCP4 1.2.3.4 1.2.3.4 1 2\r\n",
      "PROXY UDP4 1.2.3.4 1.2.3.4 1 2\r\n", "PROXY UNKNOWN\n", "PROXY \n", "PROXY TCP4 1.2.3.4 1.2.3.4 +1 2\r\n",
      "PROXY UNKNOWN " + "x".padding(120),
    ])
  func badLines(_ line: String) {
    guard case .invalid = proxy(latin1(line)) else {
      Issue.record("accepted")
      return
    }
  }

  @Test("PROXY protocol, version 2")
  func proxyBinary() {
    let signature = latin1("\r\n\r\n\0\r\nQUIT\n")
    let v4 = signature + [0x21, 0x11, 0, 15, 1, 2, 3, 4, 5, 6, 7, 8, 0xC0, 0x01, 0, 80, 4, 0, 0]
    for count in 0..<v4.count { #expect(proxy(Array(v4[..<count])) == .needMore) }
    #expect(proxy(v4 + [9]) == .header(length: 31, source: .init(ip: [1, 2, 3, 4], port: 0xC001)))
    let v6 = signature + [0x21, 0x21, 0, 36] + (1...36).map { UInt8($0) }
    #expect(proxy(v6) == .header(length: 52, source: .init(ip: (1...16).map { UInt8($0) }, port: 0x2122)))
    #expect(proxy(signature + [0x20, 0, 0, 0]) == .header(length: 16, source: nil))
    #expect(proxy(signature + [0x21, 0x31, 0, 0]) == .header(length: 16, source: nil))
    for bad in [[0x11, 0x11, 0, 0], [0x22, 0x11, 0, 0], [0x21, 0x41, 0, 0], [0x21, 0x11, 0, 0]] as [[UInt8]] {
      guard case .invalid = proxy(signature + bad) else {
        Issue.record("accepted \(bad)")
        continue
      }
    }
  }

  private func greeting(_ bytes: [UInt8]) -> SOCKS5.Greeting {
    bytes.withUnsafeBytes { SOCKS5.parseGreeting($0) }
  }

  private func socks(_ bytes: [UInt8]) -> SOCKS5.Request {
    bytes.withUnsafeBytes { SOCKS5.parseRequest($0) }
  }

  @Test("SOCKS 5 greeting")
  func socksGreeting() {
    #expect(greeting([]) == .needMore && greeting([5]) == .needMore && greeting([5, 2, 1]) == .needMore)
    #expect(greeting([5, 2, 2, 0, 9]) == .greeting(length: 4, [.none, .password]))
    #expect(greeting([5, 1, 2]) == .greeting(length: 3, .password))
    #expect(greeting([5, 0]) == .greeting(length: 2, []))
    guard case .invalid = greeting([4, 1]) else {
      Issue.record("accepted SOCKS 4")
      return
    }
  }

  @Test("SOCKS 5 user and password")
  func socksCredentials() {
    func credentials(_ bytes: [UInt8]) -> SOCKS5.Credentials {
      bytes.withUnsafeBytes { SOCKS5.parseCredentials($0) }
    }
    let bytes: [UInt8] = [1, 2] + latin1("me") + [3] + latin1("x y")
    for count in 0..<bytes.count { #expect(credentials(Array(bytes[..<count])) == .needMore) }
    #expect(credentials(bytes + [5]) == .credentials(length: 8, user: latin1("me"), password: latin1("x y")))
    #expect(credentials([1, 0, 0]) == .credentials(length: 3, user: [], password: []))
    guard case .invalid = credentials([5]) else {
      Issue.record("accepted another version")
      return
    }
  }

  @Test("SOCKS 5 request")
  func socksRequest() {
    let name = [5, 1, 0, 3, 6] + latin1("a.test") + [1, 0xBB]
    for count in 0..<name.count { #expect(socks(Array(name[..<count])) == .needMore) }
    #expect(socks(name + [0]) == .connect(length: 13, .init(destination: .name("a.test"), port: 443)))
    #expect(
      socks([5, 1, 0, 1, 1, 2, 3, 4, 0, 80])
        == .connect(length: 10, .init(destination: .address([1, 2, 3, 4]), port: 80)))
    let address = [UInt8](repeating: 7, count: 16)
    #expect(
      socks([5, 1, 0, 4] + address + [0, 80]) == .connect(length: 22, .init(destination: .address(address), port: 80)))
    #expect(
      socks([5, 2, 0, 1, 1]) == .refused(.commandNotSupported)
        && socks([5, 1, 0, 2, 1]) == .refused(.addressTypeNotSupported))
    #expect(socks([4]) == .refused(.generalFailure) && socks([5, 1, 0, 3, 0, 0, 80]) == .refused(.generalFailure))
    #expect(socks([5, 1, 0, 3, 1, 10, 0, 80]) == .refused(.generalFailure))
    #expect(SOCKS5.reply(.hostUnreachable) == [5, 4, 0, 1, 0, 0, 0, 0, 0, 0])
  }
}

extension String {
  fileprivate func padding(_ count: Int) -> String {
    String(repeating: self, count: count)
  }
}
