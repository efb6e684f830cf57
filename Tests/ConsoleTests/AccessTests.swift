import Testing

@testable import Console

@Suite struct SessionCookieTests {
  private let cookie = SessionCookie(port: 8081)

  private func value(_ now: Int64) throws -> String {
    String(try #require(cookie.admission(Kit.credentials, now: now).split(separator: ";").first))
  }

  @Test func itHoldsUntilItsExpiry() throws {
    let value = try value(Kit.now)
    #expect(cookie.isAdmitted(cookies: [value], Kit.credentials, now: Kit.now))
    #expect(
      cookie.isAdmitted(cookies: ["a=b; \(value); c=d"], Kit.credentials, now: Kit.now + SessionCookie.lifetime - 1))
    #expect(!cookie.isAdmitted(cookies: [value], Kit.credentials, now: Kit.now + SessionCookie.lifetime))
  }

  @Test func itCannotBeExtended() throws {
    let value = try value(Kit.now)
    let digits = try #require(value.split(separator: "-").last)
    let later = Kit.now + 2 * SessionCookie.lifetime
    #expect(!cookie.isAdmitted(cookies: ["pinwarden-8081=\(later)-\(digits)"], Kit.credentials, now: Kit.now))
    #expect(!cookie.isAdmitted(cookies: ["pinwarden-8081=+\(Kit.now + 1)-\(digits)"], Kit.credentials, now: Kit.now))
  }

  @Test(arguments: [
    "", "x", "1-2", "99999999999-", "99999999999-zz", "-", "99999999999-\(String(repeating: "0", count: 64))",
  ])
  func whatIsNoSessionIsNone(value: String) {
    #expect(!cookie.isAdmitted(cookies: ["pinwarden-8081=\(value)"], Kit.credentials, now: Kit.now))
  }

  @Test func anotherConsoleHasAnother() throws {
    #expect(!SessionCookie(port: 8082).isAdmitted(cookies: [try value(Kit.now)], Kit.credentials, now: Kit.now))
    let other = ConsoleCredentials(token: Kit.token, sessionKey: [1]) { _, _ in [UInt8](repeating: 1, count: 32) }
    #expect(!cookie.isAdmitted(cookies: [try value(Kit.now)], other, now: Kit.now))
  }
}

@Suite struct ConsoleCredentialsTests {
  @Test func onlyTheTokenIsTheToken() {
    #expect(Kit.credentials.isToken(Kit.token.utf8))
    for other in ["", "x", Kit.token + "x", String(Kit.token.dropLast()), Kit.token.uppercased()] {
      #expect(!Kit.credentials.isToken(other.utf8), "\(other)")
    }
  }

  @Test func codesThatCouldNotBeMadeAdmitNobody() {
    let broken = ConsoleCredentials(token: Kit.token, sessionKey: []) { _, _ in [] }
    #expect(!broken.isToken(Kit.token.utf8))
  }
}

@Suite struct FailureLimitTests {
  private let second: UInt64 = 1_000_000_000

  @Test func theWindowBeginsWithTheFirstFailure() {
    var limit = FailureLimit()
    let origin = FailureLimit.Origin(Kit.address("192.0.2.1:5"))
    for index in 1...FailureLimit.allowed {
      #expect(limit.delay(for: origin, now: 10 * second) == nil)
      #expect(limit.failed(origin, now: 10 * second) == (index == FailureLimit.allowed))
    }
    #expect(limit.delay(for: origin, now: 10 * second) == 60 && limit.delay(for: origin, now: 69 * second) == 1)
    #expect(limit.delay(for: origin, now: 70 * second) == nil)
    #expect(!limit.failed(origin, now: 70 * second) && limit.delay(for: origin, now: 70 * second) == nil)
  }

  @Test func portsAndNeighboursInAnIPv6NetworkAreOne() {
    #expect(FailureLimit.Origin(Kit.address("192.0.2.1:5")) == FailureLimit.Origin(Kit.address("192.0.2.1:6")))
    #expect(FailureLimit.Origin(Kit.address("192.0.2.1:5")) != FailureLimit.Origin(Kit.address("192.0.2.2:5")))
    #expect(
      FailureLimit.Origin(Kit.address("[2001:db8::1]:5")) == FailureLimit.Origin(Kit.address("[2001:db8::2]:5")))
    #expect(
      FailureLimit.Origin(Kit.address("[2001:db8::1]:5")) != FailureLimit.Origin(Kit.address("[2001:db8:0:1::1]:5")))
  }

  @Test func aCrowdOfAddressesDoesNotFreeOneThatWaits() {
    var limit = FailureLimit()
    let waiting = FailureLimit.Origin(Kit.address("192.0.2.1:5"))
    for _ in 0..<FailureLimit.allowed { _ = limit.failed(waiting, now: second) }
    for index in 0..<1_100 {
      _ = limit.failed(FailureLimit.Origin(Kit.address("10.0.\(index / 250).\(index % 250):1")), now: 2 * second)
    }
    #expect(limit.delay(for: waiting, now: 2 * second) != nil)
  }
}

@Suite struct OwnHostTests {
  @Test func theAddressThatWasConnectedToIsOurs() {
    let own = OwnHost(local: Kit.address("192.0.2.7:8081"))
    #expect(own.recognise("192.0.2.7:8081") != nil && own.recognise("localhost:8081") != nil)
    #expect(own.recognise("192.0.2.8:8081") == nil && own.recognise("192.0.2.7:8080") == nil)
    #expect(OwnHost(local: Kit.address("[2001:db8::1]:8081")).recognise("[2001:db8:0::1]:8081") != nil)
    #expect(OwnHost(local: Kit.address("127.0.0.1:80")).recognise("localhost") != nil)
  }

  @Test func aSocketFileHasNoPort() {
    let own = OwnHost(local: Kit.address("unix:/run/x.sock"))
    #expect(own.recognise("localhost") != nil && own.recognise("localhost:1") != nil)
    #expect(own.recognise("a.test") == nil && OwnHost(local: nil).recognise("a.test") == nil)
  }
}
