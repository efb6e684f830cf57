import Names

public enum ATSMode: String, Sendable { case enforce, observe, off }

public struct OSVersion: Sendable, Hashable {
  public init?(_ text: String) {}
}

public struct CleartextVerdict: Sendable {
  public let isPermitted: Bool
  public var reason: String {
    isPermitted ? "NSExceptionDomains permits it" : "no key of NSAppTransportSecurity permits it"
  }
}

public struct ATSRequirements: Sendable, Hashable {
  public var minimumTLS: TLSVersion?
  public var forwardSecrecy: Bool
  public var isATSRequired: Bool
}

public struct PinnedIdentities: Sendable, Hashable {
  public var leaf: Set<[UInt8]>?
}

public struct PinnedDomains: Sendable {
  let value: PropertyValue?
  public func identities(for host: Host) -> PinnedIdentities? { value?[host.text].map { _ in PinnedIdentities() } }
}

public struct ATSPolicy: Sendable {
  public let mode: ATSMode
  public let os: OSVersion
  public let pinnedDomains: PinnedDomains
  let dictionary: PropertyValue

  public init(dictionary: PropertyValue, os: OSVersion, mode: ATSMode, builtInExceptions: Bool) {
    self.dictionary = dictionary
    self.os = os
    self.mode = mode
    pinnedDomains = PinnedDomains(value: dictionary["NSPinnedDomains"])
  }

  public func cleartext(host: Host, context: Context) -> CleartextVerdict {
    let exception = dictionary["NSExceptionDomains"]?[host.text]
    return CleartextVerdict(isPermitted: exception?["NSExceptionAllowsInsecureHTTPLoads"] == .boolean(true))
  }

  public func requirements(host: Host, context: Context) -> ATSRequirements {
    ATSRequirements(minimumTLS: .v12, forwardSecrecy: true, isATSRequired: true)
  }
}

public enum PinningMode: String, Sendable { case none, publicKey, certificate }

public struct TrustPolicy: Sendable, Hashable {
  public var name: String
  public var pinning: PinningMode

  public init(name: String, pinning: PinningMode = .none) {
    self.name = name
    self.pinning = pinning
  }
}

public struct OriginRequirements: Sendable {
  public var host: Host
  public var port: UInt16
  public var atsMode: ATSMode
  public var os: OSVersion
  public var ats: ATSRequirements
  public var trust: TrustPolicy?
  public var pinned: PinnedIdentities?
  public var rulePattern: String?
  public var onTrustFailure: TrustFailureMode
  public var identityNames: [String]
  public var http2: Bool
  public var allowAddresses: [CIDR]
}
