import Glibc
import Testing

@testable import EventLoop

@Suite("Listener", .timeLimit(.minutes(1)))
struct ListenerTests {
  private func closed(_ listener: Listener) async {
    await withCheckedContinuation { continuation in
      listener.close { continuation.resume() }
    }
  }

  @Test("port 0 is resolved, an address in use is an error, and closing frees it")
  func addressInUse() async throws {
    try await withLoops(2) { loops in
      let first = try Listener(address: loopback)
      #expect(first.address.port != 0)
      first.start(on: loops) { descriptor, _, _ in close(descriptor) }
      let error = #expect(throws: SystemError.self) { try Listener(address: first.address) }
      #expect(error?.code == EADDRINUSE)
      await closed(first)
      await closed(first)
      let second = try Listener(address: first.address)
      #expect(second.address == first.address)
    }
  }

  @Test("closed in the moment of its start, again and again")
  func startAndClose() async throws {
    try await withLoops(2) { loops in
      for _ in 0..<50 {
        let listener = try Listener(address: loopback)
        listener.start(on: loops) { descriptor, _, _ in close(descriptor) }
        await closed(listener)
        let fault = await dial([listener.address], on: loops[0]) { _ in Handler { _ in } }
        guard case .refused = fault else {
          Issue.record("\(String(describing: fault))")
          return
        }
      }
      #expect(loops.map(\.load) == [0, 0])
    }
  }

  @Test("its loops may end before it is closed")
  func loopsEndFirst() async throws {
    let listener = try await withLoops(2) { loops in
      let listener = try Listener(address: loopback)
      listener.start(on: loops) { descriptor, _, _ in close(descriptor) }
      for loop in loops { await on(loop) {} }
      return listener
    }
    await closed(listener)
    let again = try Listener(address: listener.address)
    await closed(again)
  }

  @Test("a Unix socket file is replaced when stale, kept when in use, removed at the end")
  func unixSocket() async throws {
    let path = "/tmp/pinwarden-listener-\(getpid()).sock"
    let address = SocketAddress(unixPath: path)
    try await withLoops(1) { loops in
      let loop = loops[0]
      let left = try address.makeSocket()
      #expect(try address.withKernelAddress(for: "bind") { bind(left, $0, $1) } == 0)
      close(left)
      let listener = try Listener(address: address)
      #expect(listener.address == address)
      #expect(throws: SystemError.self) { try Listener(address: address) }
      listener.start(on: loops) { descriptor, _, loop in
        guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
        socket.handler = Echo()
      }
      let result = Once<[UInt8]?>()
      #expect(await dial([address], on: loop) { _ in Sender([1, 2, 3], result: result) } == nil)
      #expect(await result.value == [1, 2, 3])
      await closed(listener)
      #expect(access(path, F_OK) != 0)
    }
  }

  @Test("a Unix socket's file has the permissions that were asked for, whatever the umask", arguments: [0o600, 0o666])
  func unixSocketMode(_ mode: UInt32) async throws {
    let path = "/tmp/pinwarden-mode-\(getpid())-\(mode).sock"
    var traits = Listener.Traits()
    traits.fileMode = mode
    let listener = try Listener(address: SocketAddress(unixPath: path), traits: traits)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode)
    await closed(listener)
  }

  @Test("an IPv6 listener takes IPv4 clients only where it is told to")
  func families() async throws {
    let any = try #require(SocketAddress.parse("[::]:0"))
    var traits = Listener.Traits()
    traits.families = .both
    let both = try Listener(address: any, traits: traits)
    // Both would take the same port of IPv4.
    let port = try #require(both.address.port)
    #expect(throws: SystemError.self) {
      try Listener(address: try #require(SocketAddress.parse("0.0.0.0:0")).with(port: port))
    }
    await closed(both)
    let own = try Listener(address: any.with(port: port))
    let other = try Listener(address: try #require(SocketAddress.parse("0.0.0.0:0")).with(port: port))
    await closed(own)
    await closed(other)
  }

  @Test("a file that is no socket is not touched")
  func notASocket() throws {
    let path = "/tmp/pinwarden-file-\(getpid())"
    let file = open(path, O_CREAT | O_WRONLY, 0o600)
    close(file)
    defer { unlink(path) }
    let error = #expect(throws: SystemError.self) { try Listener(address: SocketAddress(unixPath: path)) }
    #expect(error?.code == EADDRINUSE)
    #expect(access(path, F_OK) == 0)
  }

  @Test("takes over a listening descriptor and refuses any other")
  func adopting() async throws {
    try await withLoops(1) { loops in
      let descriptor = try loopback.makeSocket()
      #expect(try loopback.withKernelAddress(for: "bind") { bind(descriptor, $0, $1) } == 0)
      #expect(listen(descriptor, 8) == 0)
      let listener = try Listener(adopting: descriptor)
      listener.start(on: loops) { descriptor, _, loop in
        guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
        socket.handler = Echo()
      }
      let result = Once<[UInt8]?>()
      #expect(await dial([listener.address], on: loops[0]) { _ in Sender([9], result: result) } == nil)
      #expect(await result.value == [9])
      await closed(listener)
      let plain = try loopback.makeSocket()
      #expect(throws: SystemError.self) { try Listener(adopting: plain) }
    }
  }

  @Test("out of descriptors it sheds connections, rests, and accepts again")
  func descriptorsRunOut() async {
    // In a process of its own, since the limit holds for all of it.
    await #expect(processExitsWith: .success) {
      try await withLoops(1) { loops in
        let loop = loops[0]
        let listener = try Listener(address: loopback)
        listener.start(on: loops) { descriptor, _, loop in
          guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
          socket.handler = Echo()
        }
        await on(loop) {}
        // The client's descriptor is there before the limit bites.
        let client = try loopback.makeSocket()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(7), &limit)
        let old = limit.rlim_cur
        limit.rlim_cur = rlim_t(client) + 1
        setrlimit(__rlimit_resource_t(7), &limit)
        let flags = fcntl(client, F_GETFL)
        _ = fcntl(client, F_SETFL, flags & ~O_NONBLOCK)
        let result = try listener.address.withKernelAddress(for: "connect") { connect(client, $0, $1) }
        guard result == 0 else { exit(2) }
        var byte: UInt8 = 0
        guard recv(client, &byte, 1, 0) <= 0 else { exit(3) }
        limit.rlim_cur = old
        setrlimit(__rlimit_resource_t(7), &limit)
        var before = rusage()
        getrusage(__rusage_who_t(0), &before)
        let echoed = Once<[UInt8]?>()
        guard await dial([listener.address], on: loop, { _ in Sender([5], result: echoed) }) == nil else { exit(4) }
        guard await echoed.value == [5] else { exit(5) }
        var after = rusage()
        getrusage(__rusage_who_t(0), &after)
        let spent =
          (after.ru_utime.tv_usec - before.ru_utime.tv_usec) + (after.ru_stime.tv_usec - before.ru_stime.tv_usec)
        guard spent < 80_000 else { exit(6) }
      }
      exit(0)
    }
  }
}
