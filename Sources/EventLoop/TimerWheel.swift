/// The armed timers of one loop, in the slots of a wheel: starting and cancelling cost the same however many there are.
///
/// A tick is 2^23 ns (8.4 ms) and the wheel has 4096 slots, so it turns once in 34 s; a timer that is due later stays
/// in its slot while the wheel passes. A timer that is started again for later only gets a new deadline, and moves when
/// its old slot comes up: the idle timer of a busy connection costs one store a request.
final class TimerWheel {
  private struct Node {
    /// Nodes of a slot form a ring: the one before the first is the last.
    var next: Int
    var previous: Int
    /// When the wheel looks at this node: at its timer's deadline or before.
    var tick: UInt64
    var timer: Timer?
  }

  private static let tickShift: UInt64 = 23
  private static let slotCount = 4096
  private static let mask = UInt64(slotCount - 1)

  private var nodes: ContiguousArray<Node> = []
  private var firstFree = -1
  private var heads = ContiguousArray(repeating: -1, count: slotCount)
  /// A bit for each slot that is not empty.
  private var occupied = ContiguousArray(repeating: UInt64(0), count: slotCount / 64)
  /// All slots up to this tick have been looked at.
  private var passedTick: UInt64
  private(set) var count = 0

  init(now: UInt64) {
    passedTick = now >> Self.tickShift
  }

  /// The first tick that does not begin before `deadline`.
  private static func tick(of deadline: UInt64) -> UInt64 {
    (deadline &+ (1 << tickShift) &- 1) >> tickShift
  }

  /// Puts `timer` where its deadline asks for, or leaves it where it will be looked at in time.
  func arm(_ timer: Timer) {
    let tick = max(Self.tick(of: timer.deadline), passedTick + 1)
    if timer.node >= 0 {
      if nodes[timer.node].tick <= tick { return }
      disarm(timer)
    }
    let index = makeNode(Node(next: -1, previous: -1, tick: tick, timer: timer))
    timer.node = index
    link(index)
  }

  func disarm(_ timer: Timer) {
    let index = timer.node
    guard index >= 0 else { return }
    unlink(index)
    timer.node = -1
    nodes[index].timer = nil
    nodes[index].next = firstFree
    firstFree = index
    count -= 1
  }

  /// Takes the timers that are due at `now` off the wheel, earliest deadline first, and appends them to `due`.
  func takeDue(at now: UInt64, into due: inout [Timer]) {
    let nowTick = now >> Self.tickShift
    guard nowTick > passedTick else { return }
    let first = passedTick + 1
    let span = min(nowTick - passedTick, UInt64(Self.slotCount))
    passedTick = nowTick
    guard count > 0 else { return }
    for tick in first..<(first + span) where heads[Int(tick & Self.mask)] >= 0 {
      take(slot: Int(tick & Self.mask), at: nowTick, into: &due)
    }
    if due.count > 1 { due.sort { $0.deadline < $1.deadline } }
  }

  private func take(slot: Int, at nowTick: UInt64, into due: inout [Timer]) {
    // The ring may change below, so its nodes are counted first: moved ones go to other slots, or to the end of this
    // one.
    var remaining = 0
    var index = heads[slot]
    repeat {
      remaining += 1
      index = nodes[index].next
    } while index != heads[slot]
    while remaining > 0 {
      remaining -= 1
      let next = nodes[index].next
      if nodes[index].tick <= nowTick, let timer = nodes[index].timer {
        let tick = Self.tick(of: timer.deadline)
        if tick <= nowTick {
          disarm(timer)
          due.append(timer)
        } else {
          unlink(index)
          nodes[index].tick = tick
          link(index)
        }
      }
      index = next
    }
  }

  /// When the next slot with timers comes up, in nanoseconds of the monotonic clock; nil if no timer is armed.
  var nextLook: UInt64? {
    guard count > 0 else { return nil }
    let start = Int((passedTick + 1) & Self.mask)
    for step in 0...occupied.count {
      let word = (start / 64 + step) % occupied.count
      var bits = occupied[word]
      if step == 0 {
        bits &= ~0 << UInt64(start % 64)
      } else if step == occupied.count {
        bits &= ~(~0 << UInt64(start % 64))
      }
      guard bits != 0 else { continue }
      let slot = UInt64(word * 64 + bits.trailingZeroBitCount)
      let distance = (slot &- UInt64(start)) & Self.mask
      return (passedTick + 1 + distance) << Self.tickShift
    }
    return nil
  }

  func removeAll() {
    for node in nodes {
      node.timer?.node = -1
    }
    nodes.removeAll()
    firstFree = -1
    count = 0
    for slot in heads.indices { heads[slot] = -1 }
    for word in occupied.indices { occupied[word] = 0 }
  }

  private func makeNode(_ node: Node) -> Int {
    count += 1
    guard firstFree >= 0 else {
      nodes.append(node)
      return nodes.count - 1
    }
    let index = firstFree
    firstFree = nodes[index].next
    nodes[index] = node
    return index
  }

  private func link(_ index: Int) {
    let slot = Int(nodes[index].tick & Self.mask)
    let head = heads[slot]
    guard head >= 0 else {
      heads[slot] = index
      nodes[index].next = index
      nodes[index].previous = index
      occupied[slot / 64] |= 1 << UInt64(slot % 64)
      return
    }
    let last = nodes[head].previous
    nodes[index].next = head
    nodes[index].previous = last
    nodes[last].next = index
    nodes[head].previous = index
  }

  private func unlink(_ index: Int) {
    let slot = Int(nodes[index].tick & Self.mask)
    let next = nodes[index].next
    guard next != index else {
      heads[slot] = -1
      occupied[slot / 64] &= ~(1 << UInt64(slot % 64))
      return
    }
    let previous = nodes[index].previous
    nodes[previous].next = next
    nodes[next].previous = previous
    if heads[slot] == index { heads[slot] = next }
  }
}
