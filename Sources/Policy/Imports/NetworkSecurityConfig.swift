import Names

/// Android's network security configuration (spec D.4): for each host the settings of the most specific `domain-config`, with what it inherits.
public struct NetworkSecurityConfig: Sendable {
  /// What one element says; nil members are inherited.
  public struct Settings: Sendable, Hashable {
    public var permitsCleartext: Bool?
    public var anchors: [TrustAnchorSource]?
    public var pins: Pins?

    public init(permitsCleartext: Bool? = nil, anchors: [TrustAnchorSource]? = nil, pins: Pins? = nil) {
      self.permitsCleartext = permitsCleartext
      self.anchors = anchors
      self.pins = pins
    }
  }

  public struct Pins: Sendable, Hashable {
    /// Empty: nothing is pinned.
    public var pins: Set<Pin>
    /// After this moment, in seconds since 1970, nothing is pinned. The file has a day of the device's time zone.
    public var expires: Int64?

    public init(_ pins: Set<Pin>, expires: Int64? = nil) {
      self.pins = pins
      self.expires = expires
    }
  }

  public struct Domain: Sendable, Hashable {
    /// In lower case, otherwise as written: what is no normal name never matches.
    public var name: String
    /// To any depth.
    public var includesSubdomains: Bool

    public init(_ name: String, includesSubdomains: Bool = false) {
      self.name = name
      self.includesSubdomains = includesSubdomains
    }
  }

  /// A `domain-config` with those inside it.
  public struct DomainConfig: Sendable, Hashable {
    public var domains: [Domain]
    public var settings: Settings
    public var nested: [DomainConfig]

    public init(_ domains: [Domain], _ settings: Settings, nested: [DomainConfig] = []) {
      self.domains = domains
      self.settings = settings
      self.nested = nested
    }
  }

  /// What holds for one host when everything is inherited.
  public struct Effective: Sendable, Hashable {
    public var permitsCleartext: Bool
    public var anchors: [TrustAnchorSource]
    public var pins: Pins?
    /// The domain whose element this comes from; nil: `base-config`, or the platform's defaults.
    public var domain: Domain?
    /// Whether no element says anything about plain HTTP, so that the platform's default holds.
    var cleartextIsDefault = true
  }

  let targetSDK: Int
  /// Whether there is a `base-config`, which names every host.
  private let hasBase: Bool
  private let base: Effective
  private(set) var byDomain: [String: Effective] = [:]

  /// - Parameters:
  ///   - base: the `base-config`.
  ///   - debugAnchors: of `debug-overrides`, for a debuggable application; they come in addition to all others.
  ///   - targetSDK: the SDK for which the application was built, which decides what holds where nothing is said.
  public init(
    base: Settings? = nil, domains: [DomainConfig] = [], debugAnchors: [TrustAnchorSource] = [], targetSDK: Int
  ) {
    self.targetSDK = targetSDK
    hasBase = base != nil
    let platform = Effective(
      permitsCleartext: targetSDK < 28, anchors: Self.defaultAnchors(targetSDK) + debugAnchors, pins: nil, domain: nil)
    self.base = platform.overridden(by: base ?? Settings(), debugAnchors)
    for config in domains { add(config, below: self.base, debugAnchors) }
  }

  private static func defaultAnchors(_ targetSDK: Int) -> [TrustAnchorSource] {
    targetSDK <= 23 ? [TrustAnchorSource(.system), TrustAnchorSource(.user)] : [TrustAnchorSource(.system)]
  }

  private mutating func add(_ config: DomainConfig, below parent: Effective, _ debugAnchors: [TrustAnchorSource]) {
    var effective = parent.overridden(by: config.settings, debugAnchors)
    for domain in config.domains where byDomain[domain.name] == nil {
      effective.domain = domain
      byDomain[domain.name] = effective
    }
    for nested in config.nested { add(nested, below: effective, debugAnchors) }
  }

  /// What Android does with this host, whether the file names it or not.
  public func effective(for host: Host) -> Effective { named(host) ?? base }

  /// Where plain HTTP is permitted: `base-config`, or else the domains that permit it.
  public var permittingPlaces: [String] {
    guard !base.permitsCleartext else { return hasBase ? ["base-config"] : [] }
    return byDomain.filter(\.value.permitsCleartext).keys.sorted()
  }

  /// The most specific domain: the name itself, else the longest one above it that includes subdomains.
  private func named(_ host: Host) -> Effective? {
    for name in host.nameAndParents {
      guard let found = byDomain[name], let domain = found.domain else { continue }
      if name == host.text || domain.includesSubdomains { return found }
    }
    return nil
  }

  /// What the file itself says of the host. The platform's defaults for hosts that nothing in it names are no statement about them.
  func spoken(of host: Host) -> Effective? { named(host) ?? (hasBase ? base : nil) }
}

extension NetworkSecurityConfig.Effective {
  fileprivate func overridden(
    by settings: NetworkSecurityConfig.Settings, _ debugAnchors: [TrustAnchorSource]
  ) -> Self {
    var effective = self
    if let permits = settings.permitsCleartext {
      effective.permitsCleartext = permits
      effective.cleartextIsDefault = false
    }
    if let anchors = settings.anchors { effective.anchors = anchors + debugAnchors }
    if let pins = settings.pins { effective.pins = pins }
    return effective
  }
}
