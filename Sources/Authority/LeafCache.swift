public import Names
import Synchronization

/// The leaves made so far, by host. Safe from any thread.
///
/// One leaf is made at a time for one host, however many ask; a failure is told to those who waited and forgotten.
public final class LeafCache: Sendable {
  /// Called once with the outcome.
  public typealias Completion = @Sendable (Result<MintedLeaf, MintFault>) -> Void

  private struct State {
    var leaves: RecentTable<MintedLeaf>
    /// Who waits for a leaf that is being made.
    var waiting: [String: [Completion]] = [:]
  }

  private let mint: LeafMint
  private let work: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state: Mutex<State>
  private let counts: LeafCounts

  /// - Parameters:
  ///   - capacity: how many leaves are kept; one takes a few kilobytes.
  ///   - counts: where it is counted what the cache does.
  ///   - work: runs a job off the event loops, at once or later; false when it takes no more, and then never runs it.
  public init(
    mint: LeafMint, capacity: Int = 10_000, counts: LeafCounts = LeafCounts(),
    work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool
  ) {
    self.mint = mint
    self.work = work
    self.counts = counts
    state = Mutex(State(leaves: RecentTable(capacity: capacity)))
  }

  /// The leaf at hand, unless there is none or it is time for a new one.
  public func cached(_ host: Host) -> MintedLeaf? {
    let found = find(host)
    if found != nil { counts.wasFound() }
    return found
  }

  private func find(_ host: Host) -> MintedLeaf? {
    let now = mint.now
    return state.withLock { state in
      state.leaves.use(host.text).flatMap { now < $0.renewal ? $0 : nil }
    }
  }

  /// The leaf at hand, or a new one.
  ///
  /// `done` is called before this returns when the leaf is at hand or no work is taken, else from wherever the work runs.
  public func leaf(for host: Host, _ done: @escaping Completion) {
    if let leaf = find(host) { return done(.success(leaf)) }
    let isFirst = state.withLock { state in
      state.waiting[host.text, default: []].append(done)
      return state.waiting[host.text]?.count == 1
    }
    guard isFirst else { return }
    let isTaken = work {
      self.finish(host, Result { () throws(MintFault) in try self.mint.mint(host) })
    }
    if !isTaken { finish(host, .failure(.busy)) }
  }

  private func finish(_ host: Host, _ outcome: Result<MintedLeaf, MintFault>) {
    counts.ended(outcome)
    let waiting = state.withLock { state in
      if case .success(let leaf) = outcome { state.leaves.put(host.text, leaf) }
      return state.waiting.removeValue(forKey: host.text) ?? []
    }
    // Outside the lock: whoever is called may ask again.
    for done in waiting { done(outcome) }
  }
}
