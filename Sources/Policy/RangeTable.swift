import Names

/// Values by range of addresses; the longest range that has an address wins. A look-up costs one hash for each length of prefix that occurs.
struct RangeTable<Value: Sendable>: Sendable {
  /// The lengths that occur, the longest first.
  private let lengths: [Int]
  private let values: [CIDR: Value]

  /// Of two entries for one range the first counts.
  init(_ entries: [(range: CIDR, value: Value)]) {
    lengths = Set(entries.map(\.range.prefixLength)).sorted(by: >)
    values = Dictionary(entries.map { ($0.range, $0.value) }) { first, _ in first }
  }

  func value(_ address: IPAddress) -> Value? {
    let address = address.unmapped
    for length in lengths {
      if let range = CIDR(address: address, prefixLength: length), let value = values[range] { return value }
    }
    return nil
  }
}
