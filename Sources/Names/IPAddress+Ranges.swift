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
