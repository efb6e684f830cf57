import Names

/// `access`: who may use the proxy.
public struct AccessSettings: Sendable {
  /// Networks whose clients are admitted; anyone else is closed without an answer.
  public internal(set) var clients: [CIDR] = AccessSettings.loopback
  /// Hashes of the passwords by user (bcrypt or SHA-crypt); nil: nobody is asked.
  public internal(set) var credentials: [String: String]?

  /// The networks that are admitted when the configuration names none.
  public static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { CIDR($0) }

  /// Whether an address is in one of the networks; a client on a socket of the file system (nil) always is.
  public func admits(_ client: IPAddress?) -> Bool {
    guard let client = client?.unmapped else { return true }
    return clients.contains { $0.contains(client) }
  }
}
