import Names

/// One load, as far as it is known, for judging it by policies that did not see it.
public struct ATSLoad: Sendable, Hashable {
  public var host: Host
  public var context: Context
  /// `https` or `wss`.
  public var isSecure: Bool
  /// What was negotiated; nil: not known.
  public var version: TLSVersion?
  /// OpenSSL's name of the suite; nil: not known.
  public var cipherSuite: String?

  public init(
    host: Host, context: Context, isSecure: Bool, version: TLSVersion? = nil, cipherSuite: String? = nil
  ) {
    self.host = host
    self.context = context
    self.isSecure = isSecure
    self.version = version
    self.cipherSuite = cipherSuite
  }
}

extension ATSPolicy {
  /// What the policy refuses about a load, by the names that records use. Certificates are left aside.
  public func violations(of load: ATSLoad) -> [String] {
    guard load.isSecure else {
      return cleartext(host: load.host, context: load.context).isPermitted ? [] : [Self.cleartextViolation]
    }
    let needed = requirements(host: load.host, context: load.context)
    var found: [ATSViolation] = []
    if let version = load.version, version < needed.offeredMinimum { found.append(.minimumTLS) }
    if let version = load.version, version < .v13, let suite = load.cipherSuite, !needed.cipherSuites.contains(suite) {
      found.append(needed.suiteViolation(suite))
    }
    return found.map(\.name)
  }

  public static let cleartextViolation = "cleartext"

  /// Whether plain HTTP to this host needs no key at all.
  public func isLocal(_ host: Host) -> Bool { profile.isLocal(host) }

  /// Whether `NSExceptionDomains` can name this host.
  public func canExcept(_ host: Host) -> Bool { host.address == nil || profile.readsAddressKeys }

  /// The lowest version of TLS that an exception can permit.
  public var lowestTLS: TLSVersion { profile.lowestTLS }
}
