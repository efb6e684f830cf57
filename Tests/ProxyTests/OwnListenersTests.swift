import EventLoop
import Names
import Testing

@testable import Proxy

@Suite struct OwnListenersTests {
  private func known(_ listeners: [String], others: [String] = []) -> OwnListeners {
    let known = OwnListeners()
    known.use(others: others.compactMap(SocketAddress.parse))
    known.use(
      listeners.compactMap(SocketAddress.parse), machine: ["192.0.2.7", "2001:db8::7"].compactMap { IPAddress($0) })
    return known
  }

  private func contains(_ known: OwnListeners, _ address: String) throws -> Bool {
    known.contains(try #require(SocketAddress.parse(address)))
  }

  @Test(arguments: ["127.0.0.1:8081", "[::ffff:127.0.0.1]:8081", "0.0.0.0:8081", "[::]:8081", "127.0.0.1:8080"])
  func everyWayToAListenerOnLoopbackIsOurs(address: String) throws {
    #expect(try contains(known(["127.0.0.1:8080"], others: ["127.0.0.1:8081"]), address))
  }

  @Test(arguments: [
    "127.0.0.1:8081", "127.9.9.9:8081", "[::1]:8081", "0.0.0.0:8081", "192.0.2.7:8081", "[2001:db8::7]:8081",
    "[::ffff:192.0.2.7]:8081",
  ])
  func everyWayToAListenerOnAllAddressesIsOurs(address: String) throws {
    #expect(try contains(known([], others: ["0.0.0.0:8081"]), address))
  }

  @Test(arguments: ["127.0.0.1:8082", "127.0.0.2:8081", "192.0.2.7:8081", "0.0.0.0:443", "unix:/run/x.sock"])
  func otherAddressesAreNot(address: String) throws {
    #expect(try !contains(known(["192.0.2.7:443"], others: ["127.0.0.1:8081", "unix:/run/x.sock"]), address))
  }

  @Test func theOthersStayOverAChangeOfTheListeners() throws {
    let known = known(["127.0.0.1:8080"], others: ["127.0.0.1:8081"])
    known.use([], machine: [])
    #expect(try contains(known, "127.0.0.1:8081") && !contains(known, "127.0.0.1:8080"))
    known.use(others: [])
    #expect(try !contains(known, "127.0.0.1:8081"))
  }

  @Test func theSiteIsOursAndKnownAsTheSite() throws {
    let known = known(["127.0.0.1:8080"], others: ["127.0.0.1:8081"])
    known.use(site: ["0.0.0.0:8082"].compactMap(SocketAddress.parse))
    for address in ["127.0.0.1:8082", "192.0.2.7:8082", "[2001:db8::7]:8082"] {
      #expect(try contains(known, address) && known.isSite(try #require(SocketAddress.parse(address))))
    }
    for address in ["127.0.0.1:8080", "127.0.0.1:8081", "192.0.2.8:8082", "192.0.2.7:80"] {
      #expect(!known.isSite(try #require(SocketAddress.parse(address))))
    }
  }

  @Test func theSiteAnswersForItsOwnListenerInPlainRequestsOnly() async throws {
    let other = try ClosedPort()
    try await TestProxy.run { proxy in
      proxy.server.alsoServeSite(at: [try #require(SocketAddress.parse(other.address))])
      let client = try await proxy.connect()
      await client.get("http://\(other.address)/x?y", host: other.address)
      let answer = try await client.response()
      #expect(answer.status == 200 && answer.text == "/x?y by \(proxy.address())")
      await client.send("CONNECT \(other.address) HTTP/1.1\r\nHost: \(other.address)\r\n\r\n")
      #expect(try await client.response().status == 508)
    }
  }

  @Test func whatTheDaemonServesBesideTheProxyIsNotReachedThroughIt() async throws {
    let other = try ClosedPort()
    let port = try #require(other.address.split(separator: ":").last)
    let more = "rules: { hosts: [{ host: 'passed.test', action: 'bypass' }] }, ats: { mode: 'observe' }"
    try await TestProxy.run(["plain.test:80": other, "passed.test:443": other], more: more) { proxy in
      proxy.server.alsoOwn([try #require(SocketAddress.parse(other.address))])
      let client = try await proxy.connect()
      for target in [other.address, "0.0.0.0:\(port)", "[::ffff:127.0.0.1]:\(port)", "passed.test:443"] {
        await client.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n")
        #expect(try await client.response().status == 508, "\(target)")
      }
      for target in [other.address, "0.0.0.0:\(port)", "localhost:\(port)", "plain.test"] {
        await client.get("http://\(target)/metrics", host: target)
        #expect(try await client.response().status == 508, "\(target)")
      }
    }
  }
}
