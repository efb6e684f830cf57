import Names
import Policy

/// What App Review will ask about an app's `NSAppTransportSecurity`, and how much of it recorded traffic needs.
///
/// A value made by a pure function of a dictionary and of recorded traffic.
public struct Review: Sendable {
  /// What becomes of requests that were refused when they were recorded, and that the dictionary under review does not permit either.
  public enum Refused: Sendable {
    /// The smallest dictionary goes on refusing them.
    case leftOut
    /// It permits them as far as an exception can.
    case included
  }

  public let os: OSVersion
  public let justifications: [Justification]
  /// Permissions that no recorded request needed; empty without traffic.
  public let unused: [ATSPermission]
  /// By name; empty without traffic.
  public let hosts: [ReviewedHost]
  public let pins: [ReviewedPins]
  /// What in the dictionary does not do what its author may have thought.
  public let findings: [Finding]
  /// nil: there is no traffic.
  public let smallest: PropertyValue?
  public let traffic: RecordedTraffic?

  /// - Parameter policy: of the app's dictionary.
  public init(policy: ATSPolicy, traffic: RecordedTraffic?, own: OwnHosts, refused: Refused = .leftOut) {
    let full = ATSPolicy(os: policy.os)
    let recorded = traffic?.hosts ?? []
    let hosts = recorded.map { ReviewedHost($0, policy: policy, full: full, isOwn: own.contains($0.host)) }
    let used = Self.used(recorded, policy: policy, full: full)
    os = policy.os
    self.hosts = hosts
    self.traffic = traffic
    findings = policy.lint(naming: recorded.map(\.host))
    justifications = policy.keysToJustify.map { permission in
      Justification(
        permission,
        hosts: traffic == nil ? nil : hosts.filter { host in host.needs.contains { $0.permission == permission } },
        objection: policy.objection(to: permission))
    }
    unused = traffic == nil ? [] : policy.permissions.filter { !used.contains($0) }
    let pins = Self.pins(recorded, policy: policy, own: own)
    self.pins = pins
    smallest = traffic.map { _ in
      var dictionary = SmallestPolicy(recorded, policy: policy, full: full, refused: refused).dictionary
      let kept = pins.filter(\.admitsRecorded)
      if !kept.isEmpty {
        dictionary[ATSKey.pinnedDomains] = .dictionary(
          Dictionary(kept.map { ($0.domain, $0.entry) }, uniquingKeysWith: { first, _ in first }))
      }
      return .dictionary(dictionary)
    }
  }

  /// Whether App Review asks about anything.
  public var needsJustification: Bool { !justifications.isEmpty }

  /// Third parties that were spoken to in plain HTTP.
  public var thirdPartyPlainHTTP: [ReviewedHost] { hosts.filter { !$0.isOwn && $0.speaksPlainHTTP } }

  private static func used(
    _ recorded: [RecordedTraffic.Traffic], policy: ATSPolicy, full: ATSPolicy
  ) -> Set<ATSPermission> {
    var used: Set<ATSPermission> = []
    for load in recorded.flatMap(\.loads.keys) {
      for violation in load.violations(full) { used.formUnion(policy.permissions(for: violation, of: load.load)) }
      // Local destinations need no key by what devices do, but it is the documented way.
      if policy.isLocal(load.load.host), !load.load.isSecure { used.insert(ATSPermission(ATSKey.localNetworking)) }
    }
    return used
  }

  private static func pins(
    _ recorded: [RecordedTraffic.Traffic], policy: ATSPolicy, own: OwnHosts
  ) -> [ReviewedPins] {
    let entries = (policy.dictionary[ATSKey.pinnedDomains]?.members ?? [:]).filter { PinnedIdentities($0.value) != nil }
    let written = entries.sorted { $0.key < $1.key }.map { domain, entry in
      let pinned = PinnedDomains(.dictionary([domain: entry]))
      return ReviewedPins(
        domain: domain, entry: entry, traffic: recorded.filter { pinned.identities(for: $0.host) != nil })
    }
    let proposed = recorded.filter { traffic in
      own.contains(traffic.host) && traffic.host.address == nil
        && policy.pinnedDomains.identities(for: traffic.host) == nil
    }
    return written + proposed.compactMap { ReviewedPins(proposedFor: $0) }
  }
}
