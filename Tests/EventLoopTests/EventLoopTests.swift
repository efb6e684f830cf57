import Testing

@testable import EventLoop

@Suite("EventLoop", .timeLimit(.minutes(1)))
struct EventLoopTests {
  @Test("jobs of many threads all run, those of one thread in order")
  func mailbox() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let seen = Shared([[Int]](repeating: [], count: 8))
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<8 {
          group.addTask {
            for number in 0..<2_000 {
              loop.submit { seen.change { $0[thread].append(number) } }
            }
          }
        }
      }
      await on(loop) {}
      for numbers in seen.value { #expect(numbers == Array(0..<2_000)) }
    }
  }

  @Test("a job that the loop gives itself runs without another event")
  func ownMail() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let done = Once<Bool>()
      loop.submit { loop.submit { loop.submit { done.happen(loop.isCurrent && EventLoop.current === loop) } } }
      #expect(await done.value)
      #expect(EventLoop.current == nil)
    }
  }

  private final class Task: TurnTask {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func runTurnTask() { body() }
  }

  @Test("a turn does mail, then soon, then end-of-turn tasks; what comes late runs in the next turn")
  func turnOrder() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let order = Shared<[String]>([])
      let note: @Sendable (String) -> Void = { word in order.change { $0.append(word) } }
      let done = Once<Bool>()
      loop.submit {
        loop.atEndOfTurn(
          Task {
            note("end")
            loop.performSoon {
              note("soon again")
              loop.atEndOfTurn(Task { done.happen(true) })
            }
          })
        loop.performSoon { note("soon") }
        note("mail")
      }
      _ = await done.value
      #expect(order.value == ["mail", "soon", "end", "soon again"])
    }
  }

  @Test("what was accepted before the stop runs, later jobs are refused")
  func stop() async throws {
    let loop = try EventLoop(name: "stop")
    let count = Shared(0)
    loop.start()
    loop.submit {
      loop.stop()
      for _ in 0..<10 { loop.submit { count.change { $0 += 1 } } }
    }
    await stopped(loop)
    #expect(count.value == 10)
    #expect(!loop.submit {})
    await stopped(loop)
  }

  @Test("stopped before its start, it ends at once")
  func stopBeforeStart() async throws {
    let loop = try EventLoop(name: "early")
    let done = Once<Bool>()
    loop.stop { done.happen(true) }
    loop.start()
    #expect(await done.value)
  }

  private final class Confined {
    let loop: EventLoop
    let released: Once<Bool>

    init(loop: EventLoop, released: Once<Bool>) {
      self.loop = loop
      self.released = released
    }

    deinit { released.happen(loop.isCurrent) }
  }

  @Test("a loop-bound value is touched and released on its loop only")
  func loopBound() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let released = Once<Bool>()
      var bound: LoopBound<Confined>? = await on(loop) { LoopBound(Confined(loop: loop, released: released), on: loop) }
      let touched = Once<Bool>()
      bound?.onLoop { touched.happen($0.loop.isCurrent) }
      #expect(await touched.value)
      bound = nil
      #expect(await released.value)
    }
  }
}
