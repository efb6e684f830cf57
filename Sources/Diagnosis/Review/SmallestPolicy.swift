import Names
import Policy

/// The smallest `NSAppTransportSecurity` dictionary that lets recorded traffic pass: an entry for each host that needs one, with nothing in it
/// that the host does not need, and no key that holds everywhere. What asks for more than full App Transport Security does is kept.
struct SmallestPolicy {
  private let policy: ATSPolicy
  private let full: ATSPolicy
  /// Loads that are to pass.
  private let wanted: [Host: [RecordedLoad]]
  private(set) var dictionary: [String: PropertyValue] = [:]

  /// - Parameters:
  ///   - policy: the one under review.
  ///   - refused: what neither passed nor is permitted by it.
  init(_ traffic: [RecordedTraffic.Traffic], policy: ATSPolicy, full: ATSPolicy, refused: Review.Refused) {
    self.policy = policy
    self.full = full
    wanted = traffic.reduce(into: [:]) { wanted, host in
      let loads = host.loads.keys.filter { load in
        load.outcome == .passed || refused == .included || Self.permits(load, policy, full)
      }
      if !loads.isEmpty { wanted[host.host] = Array(loads) }
    }
    addExceptions()
    keepWhatIsStricter()
  }

  /// Whether each violation is permitted by the dictionary under review.
  private static func permits(_ load: RecordedLoad, _ policy: ATSPolicy, _ full: ATSPolicy) -> Bool {
    load.violations(full).allSatisfy { !policy.permissions(for: $0, of: load.load).isEmpty }
  }

  private mutating func addExceptions() {
    var domains: [String: PropertyValue] = [:]
    for (host, loads) in wanted where policy.canExcept(host) {
      var needs = ATSNeeds()
      for load in loads { needs.add(load.violations(full), of: load.load) }
      let entry = needs.entry
      if !entry.isEmpty { domains[host.hasTrailingDot ? "\(host.text)." : host.text] = .dictionary(entry) }
    }
    if !domains.isEmpty { dictionary[ATSKey.exceptionDomains] = .dictionary(domains) }
  }

  private mutating func keepWhatIsStricter() {
    for (key, entry) in policy.tightenedDomains.sorted(by: { $0.key < $1.key }) {
      keep { dictionary in
        var domains = dictionary[ATSKey.exceptionDomains]?.members ?? [:]
        guard domains[key] == nil else { return }
        domains[key] = entry
        dictionary[ATSKey.exceptionDomains] = .dictionary(domains)
      }
    }
    for key in [ATSKey.niap, ATSKey.localNetworking] {
      guard let value = policy.dictionary[key], key == ATSKey.niap || value.flag == false else { continue }
      keep { $0[key] = value }
    }
    // Apple documents the key as the way to reach local destinations; App Review does not ask about it.
    if policy.dictionary[ATSKey.localNetworking]?.flag == true, wanted.keys.contains(where: policy.isLocal) {
      dictionary[ATSKey.localNetworking] = .boolean(true)
    }
  }

  /// Makes a change unless recorded traffic would not pass with it.
  private mutating func keep(_ change: (inout [String: PropertyValue]) -> Void) {
    var changed = dictionary
    change(&changed)
    let before = refusals(with: dictionary)
    if refusals(with: changed) == before { dictionary = changed }
  }

  /// How many wanted loads a dictionary refuses.
  private func refusals(with dictionary: [String: PropertyValue]) -> Int {
    let policy = ATSPolicy(dictionary: .dictionary(dictionary), os: policy.os)
    return wanted.values.joined().count { !policy.violations(of: $0.load).isEmpty }
  }
}
