extension IPAddress {
  /// A dotted quad without leading zeros, or IPv6 without brackets and zone. Every other spelling is nil.
  public init?(_ text: String) {
    // The longest form: eight groups with an IPv4 tail.
    guard text.utf8.count <= 45 else { return nil }
    let bytes = Array(text.utf8)
    if bytes.contains(UInt8(ascii: ":")) {
      guard let address = Self.parseV6(bytes[...]) else { return nil }
      self = address
    } else {
      guard let value = Self.parseV4(bytes[...]) else { return nil }
      self = .v4(value)
    }
  }

  private static func parseV4(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
      var number: UInt32 = 0
      for byte in part {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
      }
      guard number <= 255 else { return nil }
      value = value << 8 | number
    }
    return value
  }

  /// RFC 4291, section 2.2: eight groups of one to four digits, `::` once for at least one group, the last two groups perhaps as a dotted quad.
  private static func parseV6(_ text: ArraySlice<UInt8>) -> IPAddress? {
    let colon = UInt8(ascii: ":")
    var parts = text.split(separator: colon, omittingEmptySubsequences: false)
    guard (3...9).contains(parts.count) else { return nil }
    // A leading or trailing `::` yields two empty parts; one of them goes, so that exactly one empty part marks the gap.
    if parts.first?.isEmpty == true {
      guard parts[1].isEmpty else { return nil }
      parts.removeFirst()
    }
    if parts.count > 1, parts.last?.isEmpty == true {
      guard parts[parts.count - 2].isEmpty else { return nil }
      parts.removeLast()
    }
    var groups: [UInt16] = []
    var gap: Int?
    for (index, part) in parts.enumerated() {
      if part.isEmpty {
        guard gap == nil else { return nil }
        gap = groups.count
      } else if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let tail = parseV4(part) else { return nil }
        groups += [UInt16(truncatingIfNeeded: tail >> 16), UInt16(truncatingIfNeeded: tail)]
      } else {
        guard let group = parseGroup(part) else { return nil }
        groups.append(group)
      }
    }
    if let gap {
      guard groups.count < 8 else { return nil }
      groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
    }
    guard groups.count == 8 else { return nil }
    return .v6(
      groups.prefix(4).reduce(0) { $0 << 16 | UInt64($1) }, groups.suffix(4).reduce(0) { $0 << 16 | UInt64($1) })
  }

  private static func parseGroup(_ text: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(text.count) else { return nil }
    var group: UInt16 = 0
    for byte in text {
      guard let digit = hexDigit(byte) else { return nil }
      group = group << 4 | digit
    }
    return group
  }

  private static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}

extension IPAddress: CustomStringConvertible {
  /// A dotted quad, or the one form of RFC 5952, section 4; a mapped address with its IPv4 tail (section 5).
  public var description: String {
    switch self {
    case .v4(let value): Self.quad(value)
    case .v6(0, let lower) where lower >> 32 == 0xFFFF: "::ffff:" + Self.quad(UInt32(truncatingIfNeeded: lower))
    case .v6(let upper, let lower): Self.compressed(upper, lower)
    }
  }

  private static func quad(_ value: UInt32) -> String {
    "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)"
  }

  private static func compressed(_ upper: UInt64, _ lower: UInt64) -> String {
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? upper : lower) >> (48 - 16 * ($0 & 3))) }
    let gap = longestRunOfZeros(in: groups)
    func text(_ range: some Sequence<UInt16>) -> String {
      range.map { String($0, radix: 16) }.joined(separator: ":")
    }
    // A single zero group is not shortened (RFC 5952, section 4.2.2).
    guard gap.count >= 2 else { return text(groups) }
    return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
  }

  /// The first of the longest runs.
  private static func longestRunOfZeros(in groups: [UInt16]) -> Range<Int> {
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      guard group == 0 else {
        start = index + 1
        continue
      }
      if index + 1 - start > longest.count { longest = start..<(index + 1) }
    }
    return longest
  }
}
