/// A host in the one normal form that every look-up uses: two spellings of a host are equal.
///
/// Names are lower-case A-labels without the trailing dot, addresses dotted quads or IPv6 by RFC 5952 without brackets.
/// Equality and hash look at `text` alone.
public struct Host: Sendable {
  /// The normal form; at most 253 bytes, all ASCII.
  public let text: String
  /// Set when the host is an address literal.
  public let address: IPAddress?
  /// Whether one trailing dot was dropped. Apple's exception domains tell `a.test.` from `a.test`.
  public let hasTrailingDot: Bool

  /// A name, an IPv4 address or an IPv6 address with or without brackets.
  ///
  /// International names become A-labels by UTS 46, non-transitional. Names that are ASCII are taken as they are: letters,
  /// digits, hyphens and underscores in any place, as browsers do it. What `getaddrinfo` would read as a legacy IPv4 form
  /// (`1`, `127.1`, `0x7f.1`) is a `badAddress`, for it would pass every rule about addresses.
  public init(_ text: String) throws(NameFault) {
    guard !text.isEmpty else { throw .empty }
    // International names are longer in UTF-8 than as A-labels, but never by this much.
    guard text.utf8.count <= 1024 else { throw .tooLong }
    if text.utf8.first == UInt8(ascii: "[") {
      guard text.utf8.last == UInt8(ascii: "]"), text.utf8.count > 2,
        let address = IPAddress(String(Substring(text.utf8.dropFirst().dropLast()))), case .v6 = address
      else { throw .badAddress(NameFault.excerpt(text)) }
      self.init(address)
      return
    }
    switch try HostScan.scan(text) {
    case .ascii(let scan): try self.init(text, scan)
    case .international:
      let ascii = try IDNA.asciiForm(of: text)
      guard case .ascii(let scan) = try HostScan.scan(ascii) else { throw .badCharacter }
      try self.init(ascii, scan)
    case .withColons:
      guard let address = IPAddress(text) else { throw .badAddress(NameFault.excerpt(text)) }
      self.init(address)
    }
  }

  /// The host that an address literal names.
  public init(_ address: IPAddress) {
    text = address.description
    self.address = address
    hasTrailingDot = false
  }

  private init(_ text: String, _ scan: HostScan) throws(NameFault) {
    hasTrailingDot = scan.hasTrailingDot
    if scan.hasUpperCase || scan.hasTrailingDot {
      self.text = Self.lowerCased(text, byteCount: scan.byteCount)
    } else {
      self.text = text
    }
    if scan.endsInNumber {
      guard let address = IPAddress(self.text) else { throw .badAddress(NameFault.excerpt(text)) }
      self.address = address
    } else {
      address = nil
    }
  }

  private static func lowerCased(_ text: String, byteCount: Int) -> String {
    String(unsafeUninitializedCapacity: byteCount) { buffer in
      let bytes = text.utf8.span
      for index in 0..<byteCount {
        let byte = bytes[index]
        buffer[index] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      }
      return byteCount
    }
  }

  /// `[::1]` for IPv6, else `text`: as an authority and a URL write it.
  public var bracketed: String {
    if case .v6 = address { "[\(text)]" } else { text }
  }

  /// From left to right; an address is one label.
  public var labels: [Substring] {
    address == nil ? text.split(separator: ".") : [text[...]]
  }
}

extension Host: Hashable {
  public static func == (one: Host, other: Host) -> Bool { one.text == other.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Host: CustomStringConvertible {
  public var description: String { text }
}
