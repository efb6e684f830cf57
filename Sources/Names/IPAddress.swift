/// An IP address as a number. Two spellings of one address are equal; an IPv4 address and its mapped IPv6 form are not.
public enum IPAddress: Hashable, Sendable {
  /// In host byte order: `127.0.0.1` is `0x7F00_0001`.
  case v4(UInt32)
  /// The upper and the lower half, in host byte order.
  case v6(UInt64, UInt64)

  /// From 4 or 16 bytes in network order; anything else is nil.
  public init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16:
      self = .v6(
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }

  /// 4 or 16 bytes in network order.
  public var bytes: [UInt8] {
    switch self {
    case .v4(let value): (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    case .v6(let upper, let lower):
      (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? upper : lower) >> (56 - 8 * ($0 & 7))) }
    }
  }

  /// The IPv4 address inside an IPv4-mapped one (`::ffff:192.0.2.1`, RFC 4291, section 2.5.5.2), else the address itself.
  public var unmapped: IPAddress {
    guard case .v6(0, let lower) = self, lower >> 32 == 0xFFFF else { return self }
    return .v4(UInt32(truncatingIfNeeded: lower))
  }
}
