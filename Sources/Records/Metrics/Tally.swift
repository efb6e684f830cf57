import Synchronization

/// A row of counters that one thread writes and any thread reads. Adding is a load and a store, without a lock and without an
/// instruction that locks the bus; a reader sees each counter as it was a moment ago, and not all of them at the same moment.
struct Tally<let size: Int>: ~Copyable, Sendable {
  private let cells: InlineArray<size, Atomic<Int>>

  init() {
    cells = InlineArray { _ in Atomic(0) }
  }

  /// Only for the one writer: two would lose counts. Indices come from enumerations and never from outside.
  func add(_ amount: Int, at index: Int) {
    cells[index].store(cells[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  func value(at index: Int) -> Int {
    cells[index].load(ordering: .relaxed)
  }
}
