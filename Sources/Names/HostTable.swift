/// Values by host pattern; the most specific pattern wins, whatever the order of the entries.
///
/// Specific are, in this order: an exact name; the longer suffix; a pattern with port before one without; `*.` before `**.`;
/// last `*`. Of two patterns that mean the same the first entry counts. A look-up hashes only those suffixes of the host that
/// are as long as a suffix in the table, and allocates nothing.
public struct HostTable<Value: Sendable>: Sendable {
  private let entries: [(pattern: HostPattern, value: Value)]
  /// Slots by name or suffix. Substrings, so that a look-up needs no copy of a suffix.
  private let slotNumbers: [Substring: Int]
  private let slots: [HostTableSlot]
  private let everything: EntriesByPort
  /// Element n: whether some key has n bytes.
  private let hasKeyOfByteCount: [Bool]

  public init(_ entries: [(pattern: HostPattern, value: Value)]) {
    var numbers: [Substring: Int] = [:]
    var slots: [HostTableSlot] = []
    var everything = EntriesByPort()
    var lengths: [Bool] = []
    func slotNumber(_ name: Host) -> Int {
      if let number = numbers[name.text[...]] { return number }
      numbers[name.text[...]] = slots.count
      slots.append(HostTableSlot())
      let missing = name.text.utf8.count + 1 - lengths.count
      if missing > 0 { lengths += repeatElement(false, count: missing) }
      lengths[name.text.utf8.count] = true
      return slots.count - 1
    }
    for (index, entry) in entries.enumerated() {
      let port = entry.pattern.port
      switch entry.pattern.shape {
      case .exactly(let name): slots[slotNumber(name)].exact.add(index, port: port)
      case .oneLabelMore(let suffix): slots[slotNumber(suffix)].oneLabelMore.add(index, port: port)
      case .anyDepth(let suffix): slots[slotNumber(suffix)].anyDepth.add(index, port: port)
      case .everything: everything.add(index, port: port)
      }
    }
    self.entries = entries
    self.slotNumbers = numbers
    self.slots = slots
    self.everything = everything
    self.hasKeyOfByteCount = lengths
  }

  public var isEmpty: Bool { entries.isEmpty }

  /// The most specific entry that matches.
  public func match(host: Host, port: UInt16) -> (pattern: HostPattern, value: Value)? {
    guard let index = index(host: host, port: port) else { return nil }
    return entries[index]
  }

  /// The value of the most specific entry that matches; does not copy the pattern.
  public func value(host: Host, port: UInt16) -> Value? {
    index(host: host, port: port).map { entries[$0].value }
  }

  private func index(host: Host, port: UInt16) -> Int? {
    if entries.isEmpty { return nil }
    let text = host.text
    if let number = slotNumber(text, droppingBytes: 0) {
      if let found = slots[number].entry(forNameItself: port) { return found }
    }
    if host.address == nil, let found = indexBySuffix(of: text, port: port) { return found }
    return everything[port]
  }

  private func indexBySuffix(of text: String, port: UInt16) -> Int? {
    let bytes = text.utf8.span
    var isFirst = true
    for dot in bytes.indices where bytes[dot] == UInt8(ascii: ".") {
      if let number = slotNumber(text, droppingBytes: dot + 1) {
        let found = isFirst ? slots[number].entry(forOneLabelMore: port) : slots[number].anyDepth[port]
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

/// The entries of one name.
private struct HostTableSlot: Sendable {
  var exact = EntriesByPort()
  var oneLabelMore = EntriesByPort()
  var anyDepth = EntriesByPort()

  func entry(forNameItself port: UInt16) -> Int? { exact[port] ?? anyDepth[port] }

  func entry(forOneLabelMore port: UInt16) -> Int? {
    oneLabelMore.only(port) ?? anyDepth.only(port) ?? oneLabelMore.any ?? anyDepth.any
  }
}

/// Entries of one pattern that differ in the port.
private struct EntriesByPort: Sendable {
  /// The entry for every port.
  private(set) var any: Int?
  private var byPort: [UInt16: Int] = [:]

  /// The entry for this port alone.
  func only(_ port: UInt16) -> Int? { byPort.isEmpty ? nil : byPort[port] }

  subscript(port: UInt16) -> Int? { only(port) ?? any }

  mutating func add(_ index: Int, port: UInt16?) {
    if let port {
      byPort[port] = byPort[port] ?? index
    } else {
      any = any ?? index
    }
  }
}
