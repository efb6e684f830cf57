import Names
import Policy

/// What is pinned for one domain, or could be.
public struct ReviewedPins: Sendable, Hashable {
  /// The key in `NSPinnedDomains`.
  public var domain: String
  /// Its entry there.
  public var entry: PropertyValue
  /// It is not in the file: made of the chains that were recorded.
  public var isProposed: Bool
  /// Whether one of the pins is of a key that no recorded chain had; nil: no chain was recorded.
  public var hasBackup: Bool?
  /// Whether every chain that was recorded satisfies it.
  public var admitsRecorded: Bool
  /// One sentence each.
  public var warnings: [String]
}

extension ReviewedPins {
  /// An entry of the file, held against the chains of the hosts that it pins.
  init(domain: String, entry: PropertyValue, traffic: [RecordedTraffic.Traffic]) {
    self.domain = domain
    self.entry = entry
    isProposed = false
    warnings = []
    let pins = PinnedIdentities(entry)
    let all = (pins?.leafPins ?? []) + (pins?.authorityPins ?? [])
    let chains = traffic.flatMap(\.chains)
    let seen = Set(chains.joined())
    hasBackup = chains.isEmpty ? nil : all.contains { !seen.contains($0) }
    admitsRecorded = pins.map { chains.allSatisfy($0.admits) } ?? true
    if !admitsRecorded {
      warnings.append("Its pins refuse a chain that was recorded: the app cannot reach \(domain) then.")
    }
    if all.count == 1 || hasBackup == false { warnings.append(Self.missingBackup(domain)) }
  }

  /// Pins for a host of the app's own that has none: the authorities above the leaf, since they outlive it; nil where no chain was recorded.
  init?(proposedFor traffic: RecordedTraffic.Traffic) {
    guard !traffic.chains.isEmpty else { return nil }
    domain = traffic.host.text
    isProposed = true
    hasBackup = false
    admitsRecorded = true
    warnings = [Self.missingBackup(traffic.host.text)]
    let chains = traffic.chains.sorted { $0.lexicographicallyPrecedes($1) }
    let hasAuthorities = chains.allSatisfy { $0.count > 1 }
    let pins = hasAuthorities ? chains.flatMap { $0.dropFirst() } : chains.compactMap(\.first)
    var distinct: [String] = []
    for pin in pins where !distinct.contains(pin) { distinct.append(pin) }
    let list = distinct.map {
      PropertyValue.dictionary([ATSKey.digest: .string(String($0.dropFirst("sha256/".count)))])
    }
    entry = .dictionary([hasAuthorities ? ATSKey.pinnedAuthorities : ATSKey.pinnedLeaves: .array(list)])
    if !hasAuthorities {
      warnings.append("The leaf itself is pinned, for no authority above it was recorded: a new key locks the app out.")
    }
  }

  private static func missingBackup(_ domain: String) -> String {
    "There is no backup pin: all pins of \(domain) are of the chain in use; add that of a spare key, or of another authority, before it is "
      + "needed."
  }
}

extension PinnedIdentities {
  /// Whether a chain of pins, leaf first, satisfies the lists.
  func admits(_ chain: [String]) -> Bool {
    if let leafPins, !(chain.first.map(leafPins.contains) ?? false) { return false }
    if let authorityPins, !chain.dropFirst().contains(where: authorityPins.contains) { return false }
    return true
  }
}
