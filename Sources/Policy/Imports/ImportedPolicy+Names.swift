import Names

extension ImportedPolicy {
  /// The hosts and domains that the file names, wildcards left out, by name.
  public var names: [String] {
    switch rules {
    case .trustKit(let pins): pins.domains.keys.sorted()
    case .networkSecurity(let config): config.byDomain.keys.sorted()
    case .patterns(let pins): Set(pins.entries.compactMap { $0.pattern.base?.text }).sorted()
    case .hpkp(let pins): pins.entries.keys.sorted()
    case .pinnedDomains(let domains): domains.names
    }
  }
}
