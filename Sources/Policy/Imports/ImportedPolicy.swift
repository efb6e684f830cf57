import Names

/// What one imported file says, compiled. Every import that names a host must be satisfied there, each by its own rules (spec D.5).
///
/// An import only tightens: it refuses origins and plain HTTP, and never permits what the rest of the policy refuses.
public struct ImportedPolicy: Sendable {
  public enum Rules: Sendable {
    case trustKit(TrustKitPins)
    case networkSecurity(NetworkSecurityConfig)
    /// OkHttp, curl and certificates.
    case patterns(PatternPins)
    case hpkp(HTTPKeyPins)
    case pinnedDomains(PinnedDomains)
  }

  public let source: ImportSource
  public let rules: Rules

  public init(source: ImportSource, rules: Rules) {
    self.source = source
    self.rules = rules
  }

  /// What the file asks of the origin of `host`; nil: it does not name the host.
  public func demand(host: Host, port: UInt16) -> ImportDemand? {
    switch rules {
    case .trustKit(let pins): pins.demand(host: host, source)
    case .networkSecurity(let config): config.demand(host: host, source)
    case .patterns(let pins): pins.demand(host: host, port: port, source)
    case .hpkp(let pins): pins.demand(host: host, source)
    case .pinnedDomains(let domains): domains.demand(host: host, source)
    }
  }

  /// Why the file forbids plain HTTP to `host`: a clause that names the file; nil: it does not.
  func cleartextObjection(host: Host) -> String? {
    guard case .networkSecurity(let config) = rules, let reason = config.cleartextObjection(host: host) else {
      return nil
    }
    return "\(source) forbids it: \(reason)"
  }
}

extension PinnedDomains {
  fileprivate func demand(host: Host, _ source: ImportSource) -> ImportDemand? {
    identities(for: host).map { ImportDemand(source: source, entry: host.text, keys: .pinnedDomains($0)) }
  }
}
