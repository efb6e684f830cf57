/// A range of addresses such as `10.0.0.0/8`; a single address is a range of one.
///
/// Normal form: host bits are zero, and a range of mapped addresses is the IPv4 range that it means.
public struct CIDR: Hashable, Sendable {
  /// The first address.
  public let address: IPAddress
  /// 0...32 for IPv4, 0...128 for IPv6.
  public let prefixLength: Int

  /// The range of addresses that agree with `address` in the first `prefixLength` bits; nil when there are not as many bits.
  public init?(address: IPAddress, prefixLength: Int) {
    var prefixLength = prefixLength
    guard (0...address.bitCount).contains(prefixLength) else { return nil }
    let unmapped = address.unmapped
    if unmapped.bitCount != address.bitCount, prefixLength >= 96 {
      self.address = unmapped.masked(to: prefixLength - 96)
      prefixLength -= 96
    } else {
      self.address = address.masked(to: prefixLength)
    }
    self.prefixLength = prefixLength
  }

  /// `address/length` or a bare address. The length is a plain decimal number; host bits may be set and are dropped.
  public init?(_ text: String) {
    guard let slash = text.firstIndex(of: "/") else {
      guard let address = IPAddress(text) else { return nil }
      self.init(address: address, prefixLength: address.bitCount)
      return
    }
    let digits = text[text.index(after: slash)...]
    guard let address = IPAddress(String(text[..<slash])), (1...3).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      digits.utf8.count == 1 || digits.utf8.first != UInt8(ascii: "0"), let length = Int(digits)
    else { return nil }
    self.init(address: address, prefixLength: length)
  }

  /// Whether the range has this address; a mapped address counts as the IPv4 address inside.
  public func contains(_ other: IPAddress) -> Bool {
    let other = other.unmapped
    return other.bitCount == address.bitCount && other.masked(to: prefixLength) == address
  }
}

extension CIDR: CustomStringConvertible {
  /// `10.0.0.0/8`.
  public var description: String { "\(address)/\(prefixLength)" }
}

extension IPAddress {
  fileprivate var bitCount: Int {
    switch self {
    case .v4: 32
    case .v6: 128
    }
  }

  /// Everything after the first `length` bits is zero. Shifts beyond the width give zero in Swift, which is what a mask of length 0 needs.
  fileprivate func masked(to length: Int) -> IPAddress {
    switch self {
    case .v4(let value): .v4(value & (UInt32.max << (32 - length)))
    case .v6(let upper, let lower):
      .v6(upper & (UInt64.max << max(0, 64 - length)), lower & (UInt64.max << (128 - max(64, length))))
    }
  }
}
