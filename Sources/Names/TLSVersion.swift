/// A version of TLS, by its number on the wire. Here because those who negotiate it and those who judge it share nothing else.
public enum TLSVersion: UInt16, Sendable, Hashable, Comparable, CaseIterable {
  case v10 = 0x0301
  case v11 = 0x0302
  case v12 = 0x0303
  case v13 = 0x0304

  /// `TLSv1.2`: as records spell it, and as Apple does in `NSExceptionMinimumTLSVersion`.
  public var name: String {
    switch self {
    case .v10: "TLSv1.0"
    case .v11: "TLSv1.1"
    case .v12: "TLSv1.2"
    case .v13: "TLSv1.3"
    }
  }

  public static func < (one: TLSVersion, other: TLSVersion) -> Bool { one.rawValue < other.rawValue }
}
