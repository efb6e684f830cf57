import Names

/// A key of `NSExceptionDomains` with a slash, read with the limits of Apple's parser (spec A.7).
enum AddressRangeKey: Hashable {
  case range(CIDR)
  /// The key never matches; why, for a finding.
  case unreadable(String)

  init(_ key: String) {
    let parts = key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      self = .unreadable("there is no prefix length")
      return
    }
    self = Self.read(address: parts[0], length: parts[1])
  }

  private static func read(address: String, length: String) -> AddressRangeKey {
    guard !length.isEmpty else { return .unreadable("the prefix length is missing") }
    guard length.utf8.count <= 3, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return .unreadable("\"\(length.prefix(20))\" is no prefix length")
    }
    // Apple reads a leading zero as octal, so that "/08" means "/0", every address there is. Nobody means that.
    guard length == "0" || !length.hasPrefix("0") else {
      return .unreadable("the prefix length has a leading zero, which the device reads as octal")
    }
    if address.contains(":") {
      guard address.utf8.count <= 37 else { return .unreadable("the device reads no IPv6 text above 37 characters") }
    } else {
      guard address.utf8.count < 14 else {
        return .unreadable("the device reads no IPv4 text of 14 characters or more before the slash")
      }
    }
    guard let range = CIDR("\(padded(address))/\(length)") else {
      return .unreadable("\"\(address.prefix(40))/\(length)\" is no range of addresses")
    }
    return .range(range)
  }

  /// `10` and `192.168` stand for `10.0.0.0` and `192.168.0.0`.
  private static func padded(_ address: String) -> String {
    guard !address.contains(":"), !address.isEmpty else { return address }
    let dots = address.utf8.count { $0 == UInt8(ascii: ".") }
    return dots < 3 ? address + String(repeating: ".0", count: 3 - dots) : address
  }
}
