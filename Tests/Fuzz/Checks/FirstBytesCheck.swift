import HTTP

/// What a client begins with: PROXY header, SOCKS 5, or whatever goes through a tunnel.
enum FirstBytesCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    try claimSteady(bytes, needMore: .needMore, ProtocolSniffer.classify)
    // What is wrong may be told better when more has come.
    try claimSteady(bytes, needMore: ProxyProtocol.Result.needMore) { bytes in
      let result = ProxyProtocol.parse(bytes)
      return if case .invalid = result { .invalid("") } else { result }
    }
    try claimSteady(bytes, needMore: .needMore, SOCKS5.parseGreeting)
    try claimSteady(bytes, needMore: .needMore, SOCKS5.parseCredentials)
    try claimSteady(bytes, needMore: .needMore, SOCKS5.parseRequest)
    try checkSniffer(bytes.withUnsafeBytes(ProtocolSniffer.classify), bytes.count)
    try checkProxy(bytes.withUnsafeBytes(ProxyProtocol.parse), bytes.count)
    try checkGreeting(bytes.withUnsafeBytes(SOCKS5.parseGreeting), bytes.count)
    try checkCredentials(bytes.withUnsafeBytes(SOCKS5.parseCredentials), bytes.count)
    try checkRequest(bytes.withUnsafeBytes(SOCKS5.parseRequest), bytes.count)
  }

  private static func checkSniffer(_ guess: ProtocolSniffer.Guess, _ count: Int) throws(Complaint) {
    try claim(guess != .needMore || count < 8 << 10, "the sniffer wants more than \(count) bytes")
  }

  private static func checkProxy(_ result: ProxyProtocol.Result, _ count: Int) throws(Complaint) {
    switch result {
    case .needMore: try claim(count < 65_551, "the PROXY header has no end")
    case .header(let length, let source):
      try claim(length > 0 && length <= count, "a PROXY header of \(length) in \(count) bytes")
      try claim([4, 16].contains(source?.ip.count ?? 4), "an address of neither family")
    case .invalid(let reason): try claim(!reason.isEmpty, "no reason")
    }
  }

  private static func checkGreeting(_ greeting: SOCKS5.Greeting, _ count: Int) throws(Complaint) {
    switch greeting {
    case .needMore: try claim(count < 257, "the greeting has no end")
    case .greeting(let length, _): try claim(length >= 2 && length <= count, "a greeting of \(length) bytes")
    case .invalid: break
    }
  }

  private static func checkCredentials(_ credentials: SOCKS5.Credentials, _ count: Int) throws(Complaint) {
    switch credentials {
    case .needMore: try claim(count < 513, "the credentials have no end")
    case .credentials(let length, let user, let password):
      try claim(length <= count && length == 3 + user.count + password.count, "credentials of \(length) bytes")
    case .invalid: break
    }
  }

  private static func checkRequest(_ request: SOCKS5.Request, _ count: Int) throws(Complaint) {
    switch request {
    case .needMore: try claim(count < 262, "the request has no end")
    case .connect(let length, _): try claim(length >= 7 && length <= count, "a request of \(length) bytes")
    case .refused(let reply): try claim(reply != .succeeded, "refused with success")
    }
  }
}
