import Configuration
import Names
import Policy
import TLS

/// One replacement in one lane.
struct RehearsalStage {
  private let configuration: Configuration
  private let lane: Lane
  private let replacement: CertificateReplacement
  private let now: Int64
  private let oldPins: Set<Pin>
  private static let port: UInt16 = 443

  init(_ configuration: Configuration, _ lane: Lane, _ replacement: CertificateReplacement, now: Int64) {
    self.configuration = configuration
    self.lane = lane
    self.replacement = replacement
    self.now = now
    oldPins = Set(replacement.old.map { Pin(of: CertificateFacts($0)) })
  }

  // MARK: which hosts

  /// Hosts that the configuration, the certificates or `names` name, and for which one of the leaves is.
  func hosts(naming names: [Host]) -> [Host] {
    let leaves = [replacement.old, replacement.new].map { ChainExam(chain: $0, anchors: anchors(of: nil)) }
    return candidates(names).filter { host in names.contains(host) || leaves.contains { $0.matches(host) } }
  }

  private func candidates(_ names: [Host]) -> [Host] {
    let policy = lane.policy
    let patterns = policy.rules.hosts.map(\.pattern)
    var texts = policy.ats.pinnedDomains.names + policy.imports.flatMap(\.names)
    texts += [replacement.old, replacement.new].compactMap(\.first).flatMap(\.dnsNames)
    // What a wildcard covers is not named anywhere; one name stands for all.
    let written = texts.compactMap { text in try? Host(text.hasPrefix("*.") ? "www" + text.dropFirst() : text) }
    let hosts = names + written + patterns.compactMap(\.base) + patterns.compactMap(\.example)
    return Set(hosts).sorted { $0.text < $1.text }
  }

  // MARK: what they say

  func rehearse(_ host: Host) -> RehearsedHost {
    let requirements = lane.policy.requirements(host: host, port: Self.port, context: .app)
    let anchors = anchors(of: requirements.trust?.name)
    let old = ChainExam(chain: replacement.old, anchors: anchors)
    let new = ChainExam(chain: replacement.new, anchors: anchors)
    let moments = moments(requirements)
    func windows(_ exam: ChainExam) -> [TimeWindow] {
      TimeWindow.spans(over: moments) { moment in
        exam.facts(for: requirements, at: moment).map { requirements.judge($0).isAccepted } ?? false
      }
    }
    let (before, after) = (windows(old), windows(new))
    return RehearsedHost(
      host: host, lanes: [lane.name], newName: replacement.newName, isAccepted: isInTime(after), old: before,
      new: after, both: TimeWindow.intersection(before, after),
      places: requirements.pinPlaces.map { rehearse($0, requirements, new, moments) },
      reason: isInTime(after)
        ? nil : new.facts(for: requirements, at: start).flatMap { requirements.judge($0).refusal?.detail })
  }

  private func rehearse(
    _ place: PinPlace, _ all: OriginRequirements, _ exam: ChainExam, _ moments: [Int64]
  ) -> RehearsedPlace {
    let requirements = all.only(place)
    func verdict(_ moment: Int64) -> TrustVerdict? {
      guard var facts = exam.facts(for: requirements, at: moment) else { return nil }
      // Pins are judged as if the chain were valid: whether it is, is what certificate trust says.
      if place != .certificateTrust {
        facts.evaluation.faults = []
        facts.hostMatches = true
      }
      return requirements.judge(facts)
    }
    let windows = TimeWindow.spans(over: moments) { verdict($0)?.isAccepted ?? false }
    let isAccepted = isInTime(windows)
    let decisive = verdict(start)
    let matched = isAccepted && place != .certificateTrust ? decisive?.matchedPin : nil
    return RehearsedPlace(
      place: place, isAccepted: isAccepted, matchedPin: matched,
      isBackup: matched.flatMap { Pin($0) }.map { !oldPins.contains($0) } ?? false, windows: windows,
      reason: isAccepted ? nil : decisive?.refusal?.detail,
      change: isAccepted ? [] : place.lines(for: replacement.new, named: replacement.newName, all))
  }

  // MARK: when

  /// When the new certificates can be used at the earliest.
  private var start: Int64 { max(now, replacement.new.first?.notBefore ?? now) }

  private func isInTime(_ windows: [TimeWindow]) -> Bool {
    windows.contains { $0.from <= start && ($0.until.map { $0 > start } ?? true) }
  }

  /// Now, and when something can change from then on.
  private func moments(_ requirements: OriginRequirements) -> [Int64] {
    // Dates include their last second, expirations too.
    var moments = (replacement.old + replacement.new).flatMap { [$0.notBefore, $0.notAfter.incremented] }
    moments += requirements.imports.compactMap(\.expires?.incremented)
    if let expires = requirements.trust?.expires { moments.append(expires.incremented) }
    return Set(moments.filter { $0 > now } + [now]).sorted()
  }

  private func anchors(of trust: String?) -> ChainExam.AnchorSet {
    ChainExam.AnchorSet(configuration, lane, trust: trust)
  }
}

extension Int64 {
  /// The next number; certificates can name moments that no calendar has.
  fileprivate var incremented: Int64 { self == .max ? self : self + 1 }
}
