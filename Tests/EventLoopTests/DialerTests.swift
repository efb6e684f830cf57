import Glibc
import Testing

@testable import EventLoop

@Suite("Dialer", .timeLimit(.minutes(1)))
struct DialerTests {
  private func closedPort() throws -> SocketAddress {
    let descriptor = try loopback.makeSocket()
    defer { close(descriptor) }
    #expect(try loopback.withKernelAddress(for: "bind") { bind(descriptor, $0, $1) } == 0)
    return try #require(SocketAddress { getsockname(descriptor, $0, $1) })
  }

  @Test("alternates the families and keeps the order within each")
  func interleaving() {
    let v4 = (1...3).compactMap { SocketAddress(ip: [10, 0, 0, $0], port: 1) }
    let v6 = (1...2).compactMap { SocketAddress(ip: [UInt8](repeating: 0x20, count: 15) + [$0], port: 1) }
    #expect(Dialer.interleaved(v6 + v4) == [v6[0], v4[0], v6[1], v4[1], v4[2]])
    #expect(Dialer.interleaved(v4) == v4)
    #expect(Dialer.interleaved([]) == [])
  }

  @Test("goes on at once after a refusal, and reports the refusal when nothing else is left")
  func refused() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let listener = try Listener(address: loopback)
      listener.start(on: loops) { descriptor, _, loop in
        guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
        socket.handler = Echo()
      }
      let dead = try closedPort()
      // Waiting for the delay would exceed the time limit of the suite.
      let result = Once<[UInt8]?>()
      let fault = await dial([dead, dead, listener.address], on: loop, attemptDelay: .seconds(600)) { _ in
        Sender([7], result: result)
      }
      #expect(fault == nil)
      #expect(await result.value == [7])

      let unreachable = SocketAddress(storage: .v4(0xFFFF_FFFF, port: 9))
      let told = await dial([unreachable, dead, unreachable], on: loop) { _ in Handler { _ in } }
      #expect(told == .refused(SystemError(code: ECONNREFUSED, call: "connect")))
      #expect(await dial([], on: loop) { _ in Handler { _ in } } != nil)
      let missing = SocketAddress(unixPath: "/tmp/pinwarden-nobody-\(getpid())")
      guard case .refused = await dial([missing], on: loop, { _ in Handler { _ in } }) else {
        Issue.record("a missing Unix socket is a refusal")
        return
      }
      listener.close()
    }
  }

  /// A listener whose backlog is full: the kernel drops what else comes, as a black hole does.
  private func blackHole() throws -> (SocketAddress, [Int32]) {
    let descriptor = try loopback.makeSocket()
    #expect(try loopback.withKernelAddress(for: "bind") { bind(descriptor, $0, $1) } == 0)
    #expect(listen(descriptor, 0) == 0)
    let address = try #require(SocketAddress { getsockname(descriptor, $0, $1) })
    var open = [descriptor]
    for _ in 0..<4 {
      let client = try address.makeSocket()
      _ = try address.withKernelAddress(for: "connect") { connect(client, $0, $1) }
      open.append(client)
    }
    return (address, open)
  }

  @Test("a silent address costs 250 ms, and its attempt is closed when another wins")
  func silent() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let (hole, open) = try blackHole()
      defer { for descriptor in open { close(descriptor) } }
      let listener = try Listener(address: loopback)
      listener.start(on: loops) { descriptor, _, loop in
        // A server that speaks first.
        guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
        Array("hello".utf8).withUnsafeBytes { _ = socket.write($0) }
        socket.close()
      }
      let clock = ContinuousClock()
      let begin = clock.now
      let result = Once<[UInt8]?>()
      #expect(await dial([hole, listener.address], on: loop) { _ in Sender([], result: result) } == nil)
      let took = clock.now - begin
      #expect(took > .milliseconds(240) && took < .seconds(5), "\(took)")
      #expect(await result.value == Array("hello".utf8))
      await on(loop) {}
      #expect(loop.load == 1)
      listener.close()
    }
  }

  @Test("cancelled, it closes its sockets and calls nobody")
  func cancel() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let (hole, open) = try blackHole()
      defer { for descriptor in open { close(descriptor) } }
      let called = Once<Bool>()
      await on(loop) {
        let attempt = Dialer.dial([hole, hole], on: loop) { _ in called.happen(true) }
        #expect(loop.load == 1)
        attempt.cancel()
        attempt.cancel()
        #expect(loop.load == 0)
        let failing = Dialer.dial([], on: loop) { _ in called.happen(true) }
        failing.cancel()
      }
      await on(loop) {}
      await on(loop) {}
      #expect(!called.hasHappened)
    }
  }
}
