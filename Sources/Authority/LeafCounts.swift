import Synchronization

/// How many leaves were made and found, over all caches that a daemon has had. Safe on any thread.
public final class LeafCounts: Sendable {
  private let madeCount = Atomic<Int>(0)
  private let failedCount = Atomic<Int>(0)
  private let foundCount = Atomic<Int>(0)

  public init() {}

  public var made: Int { madeCount.load(ordering: .relaxed) }
  public var failed: Int { failedCount.load(ordering: .relaxed) }
  /// Asked for and at hand.
  public var found: Int { foundCount.load(ordering: .relaxed) }

  func wasFound() {
    foundCount.wrappingAdd(1, ordering: .relaxed)
  }

  func ended(_ outcome: Result<MintedLeaf, MintFault>) {
    switch outcome {
    case .success: madeCount.wrappingAdd(1, ordering: .relaxed)
    case .failure: failedCount.wrappingAdd(1, ordering: .relaxed)
    }
  }
}
