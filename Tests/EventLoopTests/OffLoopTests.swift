import Dispatch
import Testing

@testable import EventLoop

@Suite("Off the loop", .timeLimit(.minutes(1)))
struct OffLoopTests {
  @Test(
    "known hashes",
    arguments: [
      "$2b$05$abcdefghijklmnopqrstuupx2xBUC4954936wVIjyyPHmUBFu0wCW",
      "$2y$05$abcdefghijklmnopqrstuupx2xBUC4954936wVIjyyPHmUBFu0wCW",
      "$5$saltsalt$yrhPKxCqiWcCE9h0g86j6Ugz7SDFdFm.BjU.d8RaQnC",
      "$6$rounds=1000$saltsalt$/IiX/CoEcxCZ9SksEXnbjfCT1LGvD4z5OpJkaFYl/T37OAwuKZ8I8BixDhruhPLkw6lS7dw/6wQWgQnGo7lLg/",
    ])
  func passwords(hash: String) {
    #expect(PasswordHash.isSupported(hash))
    #expect(PasswordHash.verify(Array("open sesame".utf8), against: hash))
    #expect(!PasswordHash.verify(Array("open Sesame".utf8), against: hash))
    #expect(!PasswordHash.verify([], against: hash))
    #expect(!PasswordHash.verify(Array("open sesame\0".utf8), against: hash))
    #expect(!PasswordHash.verify([UInt8](repeating: 65, count: 5_000), against: hash))
  }

  @Test(
    "broken and unknown hashes match nothing",
    arguments: ["", "$2y$", "$6$", "$1$a$b", "{SHA}x", "plain", "*0", "$6$\0"])
  func brokenHashes(hash: String) {
    #expect(!PasswordHash.verify(Array("open sesame".utf8), against: hash))
    #expect(!PasswordHash.verify([], against: hash))
    #expect(!PasswordHash.verify(Array(hash.utf8), against: hash))
  }

  @Test("runs all jobs in order on its threads, and refuses what is too much")
  func workQueue() async {
    let queue = WorkQueue(label: "test-work", width: 1, qos: .utility, capacity: 2_000)
    let seen = Shared<[Int]>([])
    let done = Once<Bool>()
    var accepted = 0
    for number in 0..<1_500 where queue.submit({ seen.change { $0.append(number) } }) { accepted += 1 }
    queue.submit { done.happen(true) }
    _ = await done.value
    #expect(accepted == 1_500)
    #expect(seen.value == Array(0..<1_500))

    let small = WorkQueue(label: "test-small", width: 2, qos: .utility, capacity: 3)
    let gate = Shared(false)
    var taken = 0
    let finished = Shared(0)
    for _ in 0..<20
    where small.submit({
      while !gate.value { usleepBriefly() }
      finished.change { $0 += 1 }
    }) {
      taken += 1
    }
    // Two run, three wait; a lane that has not begun yet leaves its job among the waiting.
    #expect((3...5).contains(taken), "\(taken)")
    gate.change { $0 = true }
    while finished.value < taken { await Task.yield() }
  }
}
