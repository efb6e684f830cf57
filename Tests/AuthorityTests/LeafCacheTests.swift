import Names
import Synchronization
import TLS
import Testing

@testable import Authority

/// Keeps jobs until the test runs them.
private final class Workbench: Sendable {
  private let jobs = Mutex<[@Sendable () -> Void]>([])
  private let isFull = Mutex(false)

  func take(_ job: @escaping @Sendable () -> Void) -> Bool {
    guard !isFull.withLock({ $0 }) else { return false }
    jobs.withLock { $0.append(job) }
    return true
  }

  func fill(_ value: Bool) {
    isFull.withLock { $0 = value }
  }

  var count: Int { jobs.withLock { $0.count } }

  func run() {
    for job in jobs.withLock({ jobs in
      defer { jobs = [] }; return jobs
    }) { job() }
  }
}

private final class Outcomes: Sendable {
  private let all = Mutex<[Result<MintedLeaf, MintFault>]>([])

  func add(_ outcome: Result<MintedLeaf, MintFault>) {
    all.withLock { $0.append(outcome) }
  }

  var leaves: [[UInt8]] { all.withLock { $0.compactMap { try? $0.get().id } } }
  var faults: [MintFault] {
    all.withLock { $0.compactMap { if case .failure(let fault) = $0 { fault } else { nil } } }
  }
}

@Suite struct LeafCacheTests {
  private let clock = Clock()
  private let bench = Workbench()
  private let outcomes = Outcomes()
  private let cache: LeafCache
  private let authority: CertificateAuthority

  private final class Clock: Sendable {
    private let time = Mutex(Time.now)
    var now: Int64 { time.withLock { $0 } }
    func advance(_ seconds: Int64) { time.withLock { $0 += seconds } }
  }

  init() throws {
    authority = try CertificateAuthority.made()
    let mint = try LeafMint(authority: authority, lifetime: .seconds(45 * 86_400), keyKind: .p256) {
      [clock] in clock.now
    }
    cache = LeafCache(mint: mint, capacity: 3) { [bench] in bench.take($0) }
  }

  private func ask(_ name: String) throws {
    cache.leaf(for: try Host(name)) { [outcomes] in outcomes.add($0) }
  }

  @Test func oneFlightForAHost() throws {
    for _ in 0..<5 { try ask("a.test") }
    try ask("b.test")
    #expect(bench.count == 2 && outcomes.leaves.isEmpty)
    #expect(cache.cached(try Host("a.test")) == nil)
    bench.run()
    #expect(outcomes.leaves.count == 6 && Set(outcomes.leaves).count == 2)
    try ask("a.test")
    #expect(bench.count == 0 && outcomes.leaves.count == 7 && Set(outcomes.leaves).count == 2)
    #expect(cache.cached(try Host("A.test"))?.identity.name == "a.test")
  }

  @Test func madeAnewBeforeItExpires() throws {
    try ask("a.test")
    bench.run()
    clock.advance(27 * Time.day)
    #expect(cache.cached(try Host("a.test")) != nil)
    clock.advance(2 * Time.day)
    #expect(cache.cached(try Host("a.test")) == nil)
    try ask("a.test")
    bench.run()
    #expect(Set(outcomes.leaves).count == 2)
    #expect(cache.cached(try Host("a.test")) != nil)
  }

  @Test func failuresAreNotKept() throws {
    bench.fill(true)
    try ask("a.test")
    #expect(outcomes.faults == [.busy])
    bench.fill(false)
    try ask("a.test")
    bench.run()
    #expect(outcomes.leaves.count == 1)
    clock.advance(4000 * Time.day)
    try ask("b.test")
    bench.run()
    #expect(outcomes.faults == [.busy, .authorityExpired])
  }

  @Test func theLeastRecentlyUsedGoesFirst() throws {
    for name in ["a.test", "b.test", "c.test"] { try ask(name) }
    bench.run()
    _ = cache.cached(try Host("a.test"))
    try ask("d.test")
    bench.run()
    #expect(cache.cached(try Host("b.test")) == nil)
    for name in ["a.test", "c.test", "d.test"] { #expect(cache.cached(try Host(name)) != nil) }
  }

  @Test func whoIsToldMayAskAgain() throws {
    let (cache, outcomes, host) = (cache, outcomes, try Host("a.test"))
    cache.leaf(for: host) { first in
      outcomes.add(first)
      cache.leaf(for: host) { outcomes.add($0) }
    }
    bench.run()
    #expect(outcomes.leaves.count == 2 && Set(outcomes.leaves).count == 1)
  }

  @Test func fromManyThreads() async throws {
    let mint = try LeafMint(authority: authority, lifetime: .seconds(86_400), keyKind: .p256) { Time.now }
    let cache = LeafCache(mint: mint, capacity: 8) { job in
      Task { job() }
      return true
    }
    let hosts = try (0..<16).map { try Host("h\($0).test") }
    let count = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<400 {
        group.addTask {
          await withCheckedContinuation { continuation in
            cache.leaf(for: hosts[number % 16]) { outcome in
              continuation.resume(returning: (try? outcome.get())?.identity.name == hosts[number % 16].text)
            }
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 400)
  }

  @Test func tableKeepsItsOrder() {
    var table = RecentTable<Int>(capacity: 2)
    #expect(table.use("x") == nil)
    table.put("a", 1)
    table.put("b", 2)
    table.put("a", 3)
    table.put("c", 4)
    #expect(table.use("b") == nil && table.use("a") == 3 && table.use("c") == 4 && table.count == 2)
    table.put("d", 5)
    #expect(table.use("a") == nil && table.use("c") == 4 && table.use("d") == 5)
    var single = RecentTable<Int>(capacity: 0)
    single.put("a", 1)
    single.put("b", 2)
    #expect(single.use("a") == nil && single.use("b") == 2 && single.count == 1)
  }
}
