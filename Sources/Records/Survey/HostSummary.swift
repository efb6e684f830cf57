public import Policy

/// What the history says of one host at one port.
public struct HostSummary: Sendable, Equatable {
  /// As many hosts are told of at most.
  public static let limit = 1_000

  public let host: String
  public let port: Int?
  /// By https or wss.
  public let isEncrypted: Bool
  public var requests = 0
  public var intercepted = 0
  public var bypassed = 0
  public var denied = 0
  /// Those that went wrong in any way, denied ones included.
  public var failed = 0
  /// Verdicts of App Transport Security.
  public var passedATS = 0
  public var failedATS = 0
  public var withoutATS = 0
  /// When the first and the last began, milliseconds since 1970.
  public var first: Int64 = 0
  public var last: Int64 = 0
  /// How often App Transport Security objected to what.
  public var violations: [String: Int] = [:]
  /// The oldest version of TLS that an exchange with a violation was made over; nil: none was made.
  public var oldestTLS: String?

  public init(host: String, port: Int?, isEncrypted: Bool) {
    self.host = host
    self.port = port
    self.isEncrypted = isEncrypted
  }
}

extension HostSummary {
  /// What an entry of NSExceptionDomains would have to hold for what was recorded to pass, the smallest that is known to do it. What
  /// was not recorded may need more. nil: nothing is needed, or nothing helps (`unhelped`).
  public var exception: PropertyValue? {
    let names = Set(violations.keys)
    guard !names.isEmpty, unhelped.isEmpty else { return nil }
    // Where plain HTTP is permitted, ATS asks nothing of certificates either.
    if !names.isDisjoint(with: ["cleartext", "leaf-signature-hash", "chain-signature-hash"]) {
      return .dictionary(exceptions(names).merging(["NSExceptionAllowsInsecureHTTPLoads": .boolean(true)]) { $1 })
    }
    return .dictionary(exceptions(names))
  }

  /// Violations that no key of an Info.plist permits. None makes a certificate trusted either.
  public var unhelped: [String] {
    let beyond: Set = ["cipher-suite", "extended-master-secret", "signature-algorithm", "trust"]
    return violations.keys.filter(beyond.contains).sorted()
  }

  private func exceptions(_ names: Set<String>) -> [String: PropertyValue] {
    var keys: [String: PropertyValue] = [:]
    if names.contains("minimum-tls") {
      let isOne = oldestTLS == "TLSv1.1"
      keys["NSExceptionMinimumTLSVersion"] = .string(isOne ? "TLSv1.1" : "TLSv1.0")
    }
    // Giving up forward secrecy gives up the check of the key's length.
    if !names.isDisjoint(with: ["forward-secrecy", "key-size"]) {
      keys["NSExceptionRequiresForwardSecrecy"] = .boolean(false)
    }
    return keys
  }
}
