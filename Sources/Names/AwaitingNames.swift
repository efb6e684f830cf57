// The declarations of Names that Policy needs until the real ones are merged.

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
/// What kind of destination an address is. A mapped address is judged by the IPv4 address inside.
extension IPAddress {
  /// `127.0.0.0/8`, `::1`.
  public var isLoopback: Bool {
    switch unmapped {
    case .v4(let value): value >> 24 == 127
    case .v6(let upper, let lower): upper == 0 && lower == 1
    }
  }

  /// `169.254.0.0/16`, `fe80::/10`.
  public var isLinkLocal: Bool {
    switch unmapped {
    case .v4(let value): value >> 16 == 0xA9FE
    case .v6(let upper, _): upper >> 54 == 0xFE80 >> 6
    }
  }

  /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918) and `fc00::/7` (RFC 4193).
  public var isPrivate: Bool {
    switch unmapped {
    case .v4(let value): value >> 24 == 10 || value >> 20 == 0xAC1 || value >> 16 == 0xC0A8
    case .v6(let upper, _): upper >> 57 == 0xFC00 >> 9
    }
  }

  /// `0.0.0.0`, `::`. Linux connects either to the machine itself.
  public var isUnspecified: Bool {
    switch unmapped {
    case .v4(let value): value == 0
    case .v6(let upper, let lower): upper == 0 && lower == 0
    }
  }

  /// `224.0.0.0/4`, `ff00::/8`.
  public var isMulticast: Bool {
    switch unmapped {
    case .v4(let value): value >> 28 == 0xE
    case .v6(let upper, _): upper >> 56 == 0xFF
    }
  }
}
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
/// Why a text is no host, address, port, origin, URL or pattern.
///
/// The texts inside are excerpts: bounded, without control characters, fit for a log line.
public enum NameFault: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// More than 253 bytes as A-labels (RFC 1035, section 2.3.4).
  case tooLong
  /// A label is empty or longer than 63 bytes.
  case badLabel(String)
  case badPort(String)
  /// It looks like an address and is none, or a legacy form of one (`127.1`, `0x7f.0.0.1`) that resolvers would still read as an address.
  case badAddress(String)
  /// A character that no host name has: a space, a control character, `%`, `/`, `@` and the like.
  case badCharacter
  /// Not a valid internationalised name; the reason in libidn2's words.
  case notIDNA(String)
  case badScheme(String)
  /// A user name or password stands before the host.
  case userInformation
  /// Something follows the origin, such as a path.
  case notAnOrigin(String)
  case badPattern(String)

  /// One sentence without a full stop, for a finding or an answer.
  public var description: String {
    switch self {
    case .empty: "a name is missing"
    case .tooLong: "the name is longer than 253 bytes"
    case .badLabel(let label) where label.isEmpty: "the name has an empty label (two dots in a row, or a dot in front)"
    case .badLabel(let label): "the label \"\(label)\" is longer than 63 bytes"
    case .badPort(let port) where port.isEmpty: "the port is missing"
    case .badPort(let port): "\"\(port)\" is no port (1 to 65535)"
    case .badAddress(let address): "\"\(address)\" is no address (four decimal numbers from 0 to 255, or IPv6)"
    case .badCharacter: "the name has a character that no host name may have"
    case .notIDNA(let reason): "the name is no valid international domain name: \(reason)"
    case .badScheme(let scheme): "\"\(scheme)\" is no scheme that is known here (http, https, ws, wss)"
    case .userInformation: "a user name or password must not stand before the host"
    case .notAnOrigin(let rest): "an origin ends after host and port, but \"\(rest)\" follows"
    case .badPattern(let pattern):
      "\"\(pattern)\" is no host pattern: write a.test (exactly), *.a.test (one label more), "
        + "**.a.test (the name and any depth below) or * (everything), each with an optional :port"
    }
  }

  /// What a fault may quote of a text from outside: at most 64 characters, control characters replaced.
  static func excerpt(_ text: some StringProtocol) -> String {
    let limit = 64
    var quoted = ""
    for (count, scalar) in text.unicodeScalars.prefix(limit + 1).enumerated() {
      guard count < limit else { return quoted + "..." }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: quoted.append("?")
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}
/// The scheme of a target.
public enum Scheme: String, Sendable, Hashable, CaseIterable {
  case http, https, ws, wss

  /// The scheme with this name, whatever its case (RFC 3986, section 3.1).
  public init?(name: some StringProtocol) {
    switch name.utf8.count {
    case 2...5:
      guard let known = Self(rawValue: name.lowercased()) else { return nil }
      self = known
    default: return nil
    }
  }

  /// Whether TLS protects it.
  public var isSecure: Bool {
    switch self {
    case .https, .wss: true
    case .http, .ws: false
    }
  }

  /// The port that a URL without one means.
  public var defaultPort: UInt16 { isSecure ? 443 : 80 }
}

public struct Host: Hashable, Sendable, CustomStringConvertible {
  public let text: String
  public let address: IPAddress?
  public let hasTrailingDot: Bool

  public init(_ text: String) throws(NameFault) {
    var name = text.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    if let address = IPAddress(name) {
      self.text = address.description
      self.address = address
      hasTrailingDot = false
      return
    }
    hasTrailingDot = name.hasSuffix(".")
    if hasTrailingDot { name.removeLast() }
    guard !name.isEmpty else { throw .empty }
    guard name.utf8.count <= 253 else { throw .tooLong }
    guard name.utf8.allSatisfy({ ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || "-._".utf8.contains($0) })
    else { throw .badCharacter }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty }) else { throw .badLabel("") }
    if labels.last?.allSatisfy(\.isNumber) == true { throw .badAddress(name) }
    self.text = name
    address = nil
  }

  public var bracketed: String {
    if case .v6 = address { "[\(text)]" } else { text }
  }

  public var description: String { text }

  public static func == (one: Host, other: Host) -> Bool { one.text == other.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

public enum PublicSuffixes {
  public static func isPublicSuffix(_ name: String) -> Bool { !name.contains(".") || name == "co.uk" }
}
