/// The event sources of one loop, each under a key that the kernel hands back with its events.
///
/// A key is a slot number (low 32 bits) and the slot's generation (high 32 bits). Removing a source starts the slot's
/// next generation, so events of a closed descriptor that are still in the batch find nothing, even when the slot is in
/// use again.
final class SlotTable {
  private struct Slot {
    var source: (any EventSource)?
    var generation: UInt32
    var nextFree: Int
  }

  /// The key of the mailbox, which no slot has.
  static let mailKey = UInt64.max

  private var slots: ContiguousArray<Slot> = []
  private var firstFree = -1
  private(set) var count = 0

  func insert(_ source: any EventSource) -> UInt64 {
    count += 1
    guard firstFree >= 0 else {
      slots.append(Slot(source: source, generation: 0, nextFree: -1))
      return UInt64(slots.count - 1)
    }
    let index = firstFree
    firstFree = slots[index].nextFree
    slots[index].source = source
    return UInt64(slots[index].generation) << 32 | UInt64(index)
  }

  func remove(_ key: UInt64) {
    let index = Int(key & 0xFFFF_FFFF)
    guard source(key) != nil else { return }
    slots[index].source = nil
    slots[index].generation &+= 1
    slots[index].nextFree = firstFree
    firstFree = index
    count -= 1
  }

  /// nil for a key whose source was removed.
  func source(_ key: UInt64) -> (any EventSource)? {
    let index = Int(key & 0xFFFF_FFFF)
    guard index < slots.count, slots[index].generation == UInt32(key >> 32) else { return nil }
    return slots[index].source
  }

  func removeAll() -> [any EventSource] {
    let sources = slots.compactMap(\.source)
    slots.removeAll()
    firstFree = -1
    count = 0
    return sources
  }
}
