import Testing

@testable import EventLoop

@Suite("Timer", .timeLimit(.minutes(1)))
struct TimerTests {
  @Test("fires in the order of deadlines, not early and not much too late")
  func order() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let fired = Shared<[(Int, UInt64)]>([])
      let done = Once<UInt64>()
      loop.submit {
        let begin = loop.now
        for delay in [90, 30, 60, 0, 120, 61] {
          let timer = Timer(loop: loop) {
            fired.change { $0.append((delay, loop.now - begin)) }
            if delay == 120 { done.happen(begin) }
          }
          timer.start(after: .milliseconds(delay))
        }
      }
      _ = await done.value
      let seen = fired.value
      #expect(seen.map(\.0) == [0, 30, 60, 61, 90, 120])
      for (delay, after) in seen {
        #expect(after >= UInt64(delay) * 1_000_000)
        #expect(after < UInt64(delay + 1_000) * 1_000_000, "\(delay) ms took \(after) ns")
      }
    }
  }

  @Test("cancelled, moved and started again")
  func control() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let fired = Shared<[String]>([])
      let note: @Sendable (String) -> Void = { name in fired.change { $0.append(name) } }
      let done = Once<Bool>()
      loop.submit {
        let cancelled = Timer(loop: loop) { note("cancelled") }
        cancelled.start(after: .milliseconds(20))
        cancelled.cancel()
        #expect(!cancelled.isArmed)
        let later = Timer(loop: loop) { note("later") }
        later.start(after: .milliseconds(20))
        later.start(after: .milliseconds(90))
        let earlier = Timer(loop: loop) { note("earlier") }
        earlier.start(after: .seconds(500))
        earlier.start(after: .milliseconds(40))
        var rounds = 0
        var again: Timer?
        again = Timer(loop: loop) {
          rounds += 1
          note("again")
          if rounds < 3 { again?.start(after: .milliseconds(5)) }
        }
        again?.start(after: .milliseconds(1))
        let invalid = Timer(loop: loop) { note("invalid") }
        invalid.start(after: .milliseconds(1))
        invalid.invalidate()
        invalid.start(after: .milliseconds(1))
        let end = Timer(loop: loop) {
          again?.invalidate()
          again = nil
          done.happen(true)
        }
        loop.schedule(end, after: .milliseconds(150))
      }
      _ = await done.value
      #expect(fired.value.sorted() == ["again", "again", "again", "earlier", "later"])
    }
  }

  @Test("a due timer can still be cancelled, or put off, by one that fires before it in the same turn")
  func cancelDue() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let fired = Shared<[String]>([])
      let done = Once<Bool>()
      loop.submit {
        let victim = Timer(loop: loop) { fired.change { $0.append("victim") } }
        let put = Timer(loop: loop) {
          fired.change { $0.append("put off") }
          done.happen(true)
        }
        let killer = Timer(loop: loop) {
          fired.change { $0.append("killer") }
          victim.cancel()
          put.start(after: .milliseconds(30))
        }
        killer.start(after: .microseconds(10))
        victim.start(after: .microseconds(20))
        put.start(after: .microseconds(30))
      }
      _ = await done.value
      #expect(fired.value == ["killer", "put off"])
    }
  }

  @Test("the wheel agrees with a plain list over random starts, moves, cancels and jumps of the clock")
  func model() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let mismatches = await on(loop) {
        var random = Xorshift(state: 88_172_645_463_325_252)
        var now: UInt64 = 7_000_000_000
        let wheel = TimerWheel(now: now)
        let timers = (0..<400).map { _ in Timer(loop: loop) {} }
        var armed: [Int: UInt64] = [:]
        var wrong = 0
        for _ in 0..<6_000 {
          let index = Int(random.next() % 400)
          switch random.next() % 8 {
          case 0...4:
            let spans: [UInt64] = [20_000_000, 1_000_000_000, 80_000_000_000]
            timers[index].deadline = now + random.next() % spans[Int(random.next() % 3)]
            armed[index] = timers[index].deadline
            wheel.arm(timers[index])
          case 5:
            armed[index] = nil
            wheel.disarm(timers[index])
          default:
            now += random.next() % (random.next() % 50 == 0 ? 90_000_000_000 : 100_000_000)
            var due: [Timer] = []
            wheel.takeDue(at: now, into: &due)
            let lateBy: UInt64 = 1 << 23
            for timer in due {
              guard let place = timers.firstIndex(where: { $0 === timer }), let deadline = armed[place] else {
                wrong += 1
                continue
              }
              if deadline > now { wrong += 1 }
              armed[place] = nil
            }
            wrong += armed.values.count { $0 + lateBy <= now }
            if zip(due, due.dropFirst()).contains(where: { $0.deadline > $1.deadline }) { wrong += 1 }
            if let earliest = armed.values.min() {
              guard let look = wheel.nextLook else {
                wrong += 1
                continue
              }
              if look > earliest + lateBy { wrong += 1 }
            }
          }
          if wheel.count != armed.count { wrong += 1 }
        }
        wheel.removeAll()
        return wrong
      }
      #expect(mismatches == 0)
    }
  }

  private struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  @Test("durations of any size do not overflow the clock")
  func durations() {
    #expect(Duration.seconds(-5).clampedNanoseconds == 0)
    #expect(Duration.milliseconds(1_500).clampedNanoseconds == 1_500_000_000)
    #expect(Duration.seconds(Int64.max).clampedNanoseconds == 3_155_760_000_000_000_000)
  }
}
