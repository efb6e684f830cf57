import Glibc
import Testing

@testable import EventLoop

@Suite("Resolver", .timeLimit(.minutes(1)))
struct ResolverTests {
  typealias Outcome = Result<[String], ResolveFault>

  private func texts(_ result: Result<[SocketAddress], ResolveFault>) -> Outcome {
    result.map { addresses in addresses.map { $0.ipText } }
  }

  private func resolve(
    _ name: String, by resolver: LoopBound<Resolver>, timeout: Duration = .seconds(20)
  ) async -> Outcome {
    await withCheckedContinuation { continuation in
      resolver.onLoop { resolver in
        var hasReturned = false
        resolver.resolve(name, timeout: timeout) { result in
          #expect(hasReturned, "called inside resolve")
          continuation.resume(returning: texts(result))
        }
        hasReturned = true
      }
    }
  }

  /// A resolver that asks `servers`, or a fake server with `zone`.
  private func withResolver(
    zone: FakeNameServer.Zone = .init(), servers: [String]? = nil,
    _ body: @escaping (LoopBound<Resolver>, Shared<[String]>, EventLoop) async throws -> Void
  ) async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let asked = Shared<[String]>([])
      let resolver = await on(loop) {
        let server = FakeNameServer(loop: loop, zone: zone, asked: asked)
        let resolver = Resolver(loop: loop, servers: servers ?? [server?.address ?? ""])
        return LoopBound(resolver, on: loop)
      }
      try await body(resolver, asked, loop)
      await withCheckedContinuation { continuation in
        resolver.onLoop {
          $0.close()
          continuation.resume()
        }
      }
    }
  }

  @Test("literals and special names are answered without a question")
  func special() async throws {
    try await withResolver { resolver, asked, _ in
      #expect(await resolve("192.0.2.7", by: resolver) == .success(["192.0.2.7"]))
      #expect(await resolve("2001:db8::1", by: resolver) == .success(["2001:db8::1"]))
      for name in ["localhost", "LOCALHOST", "localhost.", "app.localhost", "a.b.localhost"] {
        #expect(await resolve(name, by: resolver) == .success(["::1", "127.0.0.1"]))
      }
      for name in ["a.invalid", "invalid", "x.onion", "", ".", "a.test\0.b", String(repeating: "a.", count: 200)] {
        #expect(await resolve(name, by: resolver) == .failure(.notFound), "\(name)")
      }
      #expect(asked.value == [])
    }
  }

  @Test("addresses of both families, none, a failure")
  func answers() async throws {
    let v6: [UInt8] = [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]
    let zone = FakeNameServer.Zone(
      a: ["both.test": [[127, 0, 0, 2]], "four.test": [[127, 0, 0, 3], [127, 0, 0, 4]], "none.test": []],
      aaaa: ["both.test": [v6], "six.test": [v6]], broken: ["broken.test"])
    try await withResolver(zone: zone) { resolver, _, _ in
      let both = await resolve("both.test", by: resolver)
      #expect((try? both.get().sorted()) == ["127.0.0.2", "2001:db8::1"])
      let four = await resolve("four.test", by: resolver)
      #expect((try? four.get().sorted()) == ["127.0.0.3", "127.0.0.4"])
      #expect(await resolve("six.test", by: resolver) == .success(["2001:db8::1"]))
      #expect(await resolve("none.test", by: resolver) == .failure(.notFound))
      #expect(await resolve("unknown.test", by: resolver) == .failure(.notFound))
      guard case .failure(.failed) = await resolve("broken.test", by: resolver) else {
        Issue.record("SERVFAIL is a failure")
        return
      }
    }
  }

  @Test("the address that worked last comes first, as long as the name has it")
  func preference() async throws {
    let zone = FakeNameServer.Zone(a: ["four.test": [[127, 0, 0, 3], [127, 0, 0, 4], [127, 0, 0, 5]]])
    try await withResolver(zone: zone) { resolver, _, loop in
      let before = try await resolve("four.test", by: resolver).get()
      let last = try #require(before.last)
      let address = try #require(SocketAddress(literal: last, port: 443))
      let gone = try #require(SocketAddress(literal: "192.0.2.1", port: 443))
      resolver.onLoop { $0.worked(address, for: "four.test") }
      #expect(try await resolve("four.test", by: resolver).get() == [last] + before.dropLast())
      resolver.onLoop { $0.worked(gone, for: "four.test") }
      #expect(try await resolve("four.test", by: resolver).get() == before)
    }
  }

  @Test("one question for callers at the same time, and none while the answer is fresh")
  func cache() async throws {
    let zone = FakeNameServer.Zone(a: ["a.test": [[127, 0, 0, 2]]])
    try await withResolver(zone: zone) { resolver, asked, loop in
      let results = await withTaskGroup(of: Outcome.self) { group in
        for _ in 0..<200 { group.addTask { await resolve("a.test", by: resolver) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count == 200)
      #expect(results.allSatisfy { $0 == .success(["127.0.0.2"]) })
      #expect(await resolve("a.test", by: resolver) == .success(["127.0.0.2"]))
      #expect(asked.value.count { $0 == "a.test" } == 1)
      _ = await resolve("b.test", by: resolver)
      _ = await resolve("b.test", by: resolver)
      #expect(asked.value.count { $0 == "b.test" } == 1)
    }
  }

  @Test("a name that nobody answers holds up only its own callers, up to their timeouts")
  func silence() async throws {
    let zone = FakeNameServer.Zone(a: ["a.test": [[127, 0, 0, 2]]], silent: ["silent.test"])
    try await withResolver(zone: zone) { resolver, _, _ in
      let order = Shared<[String]>([])
      let done = Once<Bool>()
      resolver.onLoop { resolver in
        let note: @Sendable (String, Outcome) -> Void = { name, outcome in
          order.change { $0.append("\(name) \(outcome)") }
          if order.value.count == 3 { done.happen(true) }
        }
        resolver.resolve("silent.test", timeout: .milliseconds(900)) { note("patient", texts($0)) }
        resolver.resolve("silent.test", timeout: .milliseconds(500)) { note("hasty", texts($0)) }
        resolver.resolve("a.test", timeout: .seconds(20)) { note("other", texts($0)) }
      }
      _ = await done.value
      let timeout = Outcome.failure(.timeout)
      #expect(order.value == ["other \(Outcome.success(["127.0.0.2"]))", "hasty \(timeout)", "patient \(timeout)"])
    }
  }

  @Test("a server that is dead is passed over for the next")
  func deadServer() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let resolver = await on(loop) { () -> LoopBound<Resolver> in
        let zone = FakeNameServer.Zone(a: ["a.test": [[127, 0, 0, 2]]], aaaa: ["a.test": []])
        let server = FakeNameServer(loop: loop, zone: zone, asked: Shared([]))
        // Bound by nobody: the kernel answers with ICMP at once.
        return LoopBound(Resolver(loop: loop, servers: ["127.0.0.1:9", server?.address ?? ""]), on: loop)
      }
      #expect(await resolve("a.test", by: resolver) == .success(["127.0.0.2"]))
      resolver.onLoop { $0.close() }
    }
  }

  private final class Witness {
    let released: Once<Bool>

    init(_ released: Once<Bool>) { self.released = released }

    deinit { released.happen(true) }
  }

  @Test("cancelling releases the callback at once and calls nobody")
  func cancel() async throws {
    let zone = FakeNameServer.Zone(silent: ["silent.test"])
    try await withResolver(zone: zone) { resolver, _, loop in
      let released = Once<Bool>()
      let called = Once<Bool>()
      resolver.onLoop { resolver in
        let witness = Witness(released)
        let token = resolver.resolve("silent.test", timeout: .seconds(5)) { _ in
          withExtendedLifetime(witness) { called.happen(true) }
        }
        let literal = resolver.resolve("127.0.0.1", timeout: .seconds(5)) { _ in called.happen(true) }
        token.cancel()
        token.cancel()
        literal.cancel()
      }
      await on(loop) {}
      #expect(released.hasHappened)
      await on(loop) {}
      #expect(!called.hasHappened)
    }
  }

  @Test("closing fails what is under way and what comes")
  func close() async throws {
    let zone = FakeNameServer.Zone(silent: ["silent.test"])
    try await withResolver(zone: zone) { resolver, _, loop in
      async let pending = resolve("silent.test", by: resolver)
      while await on(loop, { loop.load }) < 2 { await Task.yield() }
      resolver.onLoop { $0.close() }
      #expect(await pending == .failure(.failed("the resolver is closed")))
      #expect(await resolve("a.test", by: resolver) == .failure(.failed("the resolver is closed")))
      #expect(await on(loop) { loop.load } == 1)
    }
  }

  @Test("a loop that ends with queries under way takes them along")
  func loopEnds() async throws {
    let loop = try EventLoop(name: "resolver-end")
    loop.start()
    await on(loop) {
      let zone = FakeNameServer.Zone(silent: ["silent.test"])
      let server = FakeNameServer(loop: loop, zone: zone, asked: Shared([]))
      Resolver(loop: loop, servers: [server?.address ?? ""]).resolve("silent.test", timeout: .seconds(5)) { _ in }
    }
    await stopped(loop)
  }

  /// The first name in /etc/hosts that is not a special one.
  private static let hostsName: (name: String, address: String)? = {
    guard let file = fopen("/etc/hosts", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, Int32(line.count), file) != nil {
      let bytes = line.prefix { $0 != 0 && $0 != 35 }.map { UInt8(bitPattern: $0) }
      let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count >= 2, let address = SocketAddress(literal: words[0], port: 0) else { continue }
      if let name = words.dropFirst().first(where: { SpecialName($0) == .ordinary }) { return (name, address.ipText) }
    }
    return nil
  }()

  @Test("names in /etc/hosts need no server", .enabled(if: hostsName != nil))
  func hosts() async throws {
    let (name, address) = try #require(Self.hostsName)
    try await withResolver(zone: .init(silent: [name])) { resolver, asked, _ in
      let result = await resolve(name, by: resolver)
      #expect((try? result.get())?.contains(address) == true, "\(result)")
      #expect(asked.value == [])
    }
  }

  @Test("a changed configuration is read anew while old queries go on")
  func configurationChanges() async throws {
    let path = "/tmp/pinwarden-resolv-\(getpid())"
    defer { unlink(path) }
    func write(_ text: String) {
      let file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
      _ = Glibc.write(file, text, text.utf8.count)
      Glibc.close(file)
    }
    write("nameserver 127.0.0.1\n")
    try await withLoops(1) { loops in
      let loop = loops[0]
      let resolver = await on(loop) { () -> LoopBound<Resolver> in
        let zone = FakeNameServer.Zone(a: ["a.test": [[127, 0, 0, 2]]], silent: ["silent.test"])
        let server = FakeNameServer(loop: loop, zone: zone, asked: Shared([]))
        let servers = [server?.address ?? ""]
        return LoopBound(Resolver(loop: loop, servers: servers, configurationPath: path), on: loop)
      }
      async let old = resolve("silent.test", by: resolver, timeout: .milliseconds(1_300))
      while await on(loop, { loop.load }) < 2 { await Task.yield() }
      write("nameserver 127.0.0.1\nnameserver 127.0.0.2\n")
      try await Task.sleep(for: .milliseconds(1_010))
      #expect(await resolve("a.test", by: resolver) == .success(["127.0.0.2"]))
      #expect(await old == .failure(.timeout))
      resolver.onLoop { $0.close() }
    }
  }

  @Test("the cache forgets by time, and by number")
  func cacheBounds() {
    var cache = ResolverCache(capacity: 100)
    for number in 0..<1_000 {
      cache.insert(.failure(.notFound), for: "\(number)", lifetime: 100_000, at: 0)
      #expect(cache.count <= 100)
    }
    #expect(cache.outcome(for: "999", at: 0) != nil)
    #expect(cache.outcome(for: "999", at: 299_999_999_999) != nil)
    #expect(cache.outcome(for: "999", at: 300_000_000_000) == nil)
    #expect(cache.outcome(for: "0", at: 0) == nil)
    cache.insert(.failure(.notFound), for: "short", lifetime: 0, at: 0)
    #expect(cache.outcome(for: "short", at: 999_999_999) != nil)
    #expect(cache.outcome(for: "short", at: 1_000_000_000) == nil)
  }
}
