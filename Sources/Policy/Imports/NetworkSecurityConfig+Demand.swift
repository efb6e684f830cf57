import Names

extension NetworkSecurityConfig {
  func demand(host: Host, _ source: ImportSource) -> ImportDemand? {
    guard let effective = spoken(of: host) else { return nil }
    let pins = effective.pins.flatMap { $0.pins.isEmpty ? nil : $0 }
    return ImportDemand(
      source: source, entry: effective.domain?.name ?? "base-config",
      includesSubdomains: effective.domain?.includesSubdomains ?? true, keys: pins.map { .chain($0.pins) } ?? .none,
      expires: pins?.expires, anchors: effective.anchors)
  }

  /// A clause; nil where plain HTTP is permitted, or the file says nothing of the host.
  func cleartextObjection(host: Host) -> String? {
    guard let effective = spoken(of: host), !effective.permitsCleartext else { return nil }
    let place = effective.domain.map { "the domain-config of \($0.name)" } ?? "base-config"
    return effective.cleartextIsDefault
      ? "\(place) has no cleartextTrafficPermitted, and the default for targetSDK \(targetSDK) is false"
      : "cleartextTrafficPermitted is false in \(place), or in what it inherits from"
  }
}
