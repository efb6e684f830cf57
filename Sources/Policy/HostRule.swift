import Names

/// One entry of `rules.hosts`. An entry without an action gives attributes only.
public struct HostRule: Sendable {
  public var pattern: HostPattern
  public var action: RuleAction?
  /// The name of a trust policy; nil: the system's validation.
  public var trust: String?
  /// Names of client identities in order of preference.
  public var identities: [String]
  public var onTrustFailure: TrustFailureMode
  /// Whether HTTP/2 is offered to the origin.
  public var http2: Bool
  /// Ranges that the target guard lets through for this host.
  public var allowAddresses: [CIDR]
  /// The way to the origin; nil: the lane's, or that of `upstream`.
  public var proxy: ProxyChoice?

  public init(
    pattern: HostPattern, action: RuleAction? = nil, trust: String? = nil, identities: [String] = [],
    onTrustFailure: TrustFailureMode = .respond, http2: Bool = true, allowAddresses: [CIDR] = [],
    proxy: ProxyChoice? = nil
  ) {
    self.pattern = pattern
    self.action = action
    self.trust = trust
    self.identities = identities
    self.onTrustFailure = onTrustFailure
    self.http2 = http2
    self.allowAddresses = allowAddresses
    self.proxy = proxy
  }
}
