import Names

/// Lanes by client network; the longest prefix wins. A look-up costs one question for each length of prefix that is in use, however
/// many lanes there are.
struct LaneNetworks: Sendable {
  private let lanes: [CIDR: Lane]
  /// Longest first.
  private let lengths: [Int]

  init(_ lanes: [Lane]) {
    let pairs = lanes.flatMap { lane in lane.clients.map { ($0, lane) } }
    self.lanes = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    lengths = Set(self.lanes.keys.map(\.prefixLength)).sorted(by: >)
  }

  func lane(of client: IPAddress) -> Lane? {
    for length in lengths {
      if let network = CIDR(address: client, prefixLength: length), let lane = lanes[network] { return lane }
    }
    return nil
  }
}
