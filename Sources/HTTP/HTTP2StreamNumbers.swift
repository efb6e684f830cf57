/// Tells the numbers of streams that a client has used from those that it has passed over and can never use any more (RFC 9113, section
/// 5.1.1).
struct HTTP2StreamNumbers {
  enum Use {
    case new
    /// The stream is open, or was.
    case used
    /// No stream had the number, and none will.
    case passedOver
  }

  private var highest: Int32 = -1
  /// The latest gaps; clients count by twos and leave none, so a few are enough.
  private var gaps: [Range<Int32>] = []
  private static let gapLimit = 8

  /// A client's HEADERS begin on stream `id`, which is odd.
  mutating func begin(_ id: Int32) -> Use {
    guard id > highest else {
      return gaps.contains { $0.contains(id) } ? .passedOver : .used
    }
    if id > highest + 2 {
      if gaps.count == Self.gapLimit { gaps.removeFirst() }
      gaps.append(highest + 2..<id)
    }
    highest = id
    return .new
  }
}
