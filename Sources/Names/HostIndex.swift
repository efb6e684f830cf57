/// Positions in a list of host patterns; the most specific pattern wins, whatever their order.
///
/// Specific are, in this order: an exact name; the longer suffix; a pattern with port before one without; `*.` before `**.`;
/// last `*`. Of two patterns that mean the same the first counts. A look-up hashes only those suffixes of the host that are as
/// long as a suffix in the list, and allocates nothing. Not generic: a generic look-up would ask the runtime for its types at each call.
public struct HostIndex: Sendable {
  /// Slots by name or suffix. Substrings, so that a look-up needs no copy of a suffix.
  private let slotNumbers: [Substring: Int]
  private let slots: [HostIndexSlot]
  private let everything: PositionsByPort
  /// Element n: whether some key has n bytes.
  private let hasKeyOfByteCount: [Bool]
  public let isEmpty: Bool

  public init(_ patterns: [HostPattern]) {
    var numbers: [Substring: Int] = [:]
    var slots: [HostIndexSlot] = []
    var everything = PositionsByPort()
    var lengths: [Bool] = []
    func slotNumber(_ name: Host) -> Int {
      if let number = numbers[name.text[...]] { return number }
      numbers[name.text[...]] = slots.count
      slots.append(HostIndexSlot())
      let missing = name.text.utf8.count + 1 - lengths.count
      if missing > 0 { lengths += repeatElement(false, count: missing) }
      lengths[name.text.utf8.count] = true
      return slots.count - 1
    }
    for (position, pattern) in patterns.enumerated() {
      let port = pattern.port
      switch pattern.shape {
      case .exactly(let name): slots[slotNumber(name)].exact.add(position, port: port)
      case .oneLabelMore(let suffix): slots[slotNumber(suffix)].oneLabelMore.add(position, port: port)
      case .anyDepth(let suffix): slots[slotNumber(suffix)].anyDepth.add(position, port: port)
      case .everything: everything.add(position, port: port)
      }
    }
    self.slotNumbers = numbers
    self.slots = slots
    self.everything = everything
    self.hasKeyOfByteCount = lengths
    isEmpty = patterns.isEmpty
  }

  /// The position of the most specific pattern that matches.
  public func position(host: Host, port: UInt16) -> Int? {
    if isEmpty { return nil }
    let text = host.text
    if let number = slotNumber(text, droppingBytes: 0) {
      if let found = slots[number].position(forNameItself: port) { return found }
    }
    if host.address == nil, let found = positionBySuffix(of: text, port: port) { return found }
    return everything[port]
  }

  private func positionBySuffix(of text: String, port: UInt16) -> Int? {
    let bytes = text.utf8.span
    var isFirst = true
    for dot in bytes.indices where bytes[dot] == UInt8(ascii: ".") {
      if let number = slotNumber(text, droppingBytes: dot + 1) {
        let found = isFirst ? slots[number].position(forOneLabelMore: port) : slots[number].anyDepth[port]
        if let found { return found }
      }
      isFirst = false
    }
    return nil
  }

  private func slotNumber(_ text: String, droppingBytes count: Int) -> Int? {
    let byteCount = text.utf8.count - count
    guard byteCount < hasKeyOfByteCount.count, hasKeyOfByteCount[byteCount] else { return nil }
    return slotNumbers[text[text.utf8.index(text.startIndex, offsetBy: count)...]]
  }
}

/// The positions of one name.
private struct HostIndexSlot: Sendable {
  var exact = PositionsByPort()
  var oneLabelMore = PositionsByPort()
  var anyDepth = PositionsByPort()

  func position(forNameItself port: UInt16) -> Int? { exact[port] ?? anyDepth[port] }

  func position(forOneLabelMore port: UInt16) -> Int? {
    oneLabelMore.only(port) ?? anyDepth.only(port) ?? oneLabelMore.any ?? anyDepth.any
  }
}

/// Positions of one pattern with different ports.
private struct PositionsByPort: Sendable {
  /// The position for every port.
  private(set) var any: Int?
  private var byPort: [UInt16: Int] = [:]

  /// The position for this port alone.
  func only(_ port: UInt16) -> Int? { byPort.isEmpty ? nil : byPort[port] }

  subscript(port: UInt16) -> Int? { only(port) ?? any }

  mutating func add(_ position: Int, port: UInt16?) {
    if let port {
      byPort[port] = byPort[port] ?? position
    } else {
      any = any ?? position
    }
  }
}
