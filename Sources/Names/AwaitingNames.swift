/// An address.
public enum IPAddress: Sendable, Hashable {
  case v4(UInt32)
  case v6(UInt64, UInt64)
}

/// A normalised host.
public struct Host: Sendable, Hashable {
  public let text: String
  public let address: IPAddress?

  /// Takes normal names and dotted quads.
  public init(_ text: String) throws {
    self.text = text
    let parts = text.split(separator: ".").compactMap { UInt8($0) }
    address = parts.count == 4 ? .v4(parts.reduce(0) { $0 << 8 | UInt32($1) }) : nil
  }
}
