import Names
import Policy

/// What recorded traffic says of one host.
public struct ReviewedHost: Sendable, Hashable {
  public enum Verdict: String, Sendable {
    /// Full App Transport Security lets everything pass that was recorded.
    case `default`
    /// Something passes only because of an exception.
    case exception
    /// Something was refused, and neither the file nor full App Transport Security lets it pass.
    case refused
    /// No record tells.
    case unknown
  }

  /// A violation of full App Transport Security, and what permits it.
  public struct Need: Sendable, Hashable {
    /// As records name it.
    public var violation: String
    /// The part of the reviewed dictionary that permits it; nil: none does.
    public var permission: ATSPermission?
    public var exchangeCount: Int

    public init(violation: String, permission: ATSPermission?, exchangeCount: Int) {
      self.violation = violation
      self.permission = permission
      self.exchangeCount = exchangeCount
    }
  }

  public var host: Host
  public var exchangeCount: Int
  public var last: String
  public var isOwn: Bool
  public var verdict: Verdict
  public var needs: [Need]
  /// The same host was also asked over https, and passed there.
  public var isAlsoSecure: Bool
  /// What the records do not tell, one sentence each.
  public var notes: [String]

  public var speaksPlainHTTP: Bool { needs.contains { $0.violation == ATSPolicy.cleartextViolation } }
}

extension ReviewedHost {
  /// - Parameters:
  ///   - policy: the one under review.
  ///   - full: that of an app without exceptions on the same system.
  init(_ traffic: RecordedTraffic.Traffic, policy: ATSPolicy, full: ATSPolicy, isOwn: Bool) {
    host = traffic.host
    exchangeCount = traffic.exchangeCount
    last = traffic.last
    self.isOwn = isOwn
    needs = Self.needs(traffic, policy: policy, full: full)
    isAlsoSecure = traffic.loads.keys.contains {
      $0.load.isSecure && $0.outcome == .passed && $0.violations(full).isEmpty
    }
    let known = traffic.loads.keys.contains { $0.isTelling }
    let isRefused = needs.contains { $0.permission == nil }
    verdict = isRefused ? .refused : !needs.isEmpty ? .exception : known ? .default : .unknown
    notes = Self.notes(traffic, full: full)
  }

  private static func needs(_ traffic: RecordedTraffic.Traffic, policy: ATSPolicy, full: ATSPolicy) -> [Need] {
    struct Key: Hashable {
      let violation: String
      let permission: ATSPermission?
    }
    var counts: [Key: Int] = [:]
    for (load, count) in traffic.loads {
      for violation in load.violations(full) {
        let permissions = policy.permissions(for: violation, of: load.load)
        for permission in permissions.isEmpty ? [nil] : permissions.map(Optional.some) {
          counts[Key(violation: violation, permission: permission), default: 0] += count
        }
      }
    }
    return counts.map { Need(violation: $0.violation, permission: $0.permission, exchangeCount: $1) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }
  }

  private static func notes(_ traffic: RecordedTraffic.Traffic, full: ATSPolicy) -> [String] {
    var notes: Set<String> = []
    for load in traffic.loads.keys {
      if case .failed(let name) = load.outcome {
        notes.insert("Some exchanges failed (\(name)); what the origin would have spoken is not recorded.")
      }
      if load.load.isSecure, load.outcome == .passed, load.load.version == nil {
        notes.insert("The TLS version and the suite of some exchanges are not recorded.")
      }
      if !load.wasJudged, load.outcome == .passed {
        notes.insert(
          "App Transport Security was off when some exchanges were recorded: whether key and signature of the certificate are strong "
            + "enough is not in the record.")
      }
      if load.load.isSecure, load.outcome == .passed, !full.violations(of: load.load).isEmpty {
        notes.insert(
          "More was offered than full App Transport Security offers, and the origin chose this; `pinwarden diagnose` tells whether it can do "
            + "better.")
      }
    }
    return notes.sorted()
  }
}

extension ReviewedHost.Need {
  fileprivate var order: [String] { [violation, permission?.scope ?? "", permission?.key ?? ""] }
}

extension RecordedLoad {
  /// What full App Transport Security refuses about it: computed where the facts are there, and what the record names besides.
  func violations(_ full: ATSPolicy) -> [String] {
    let computed = full.violations(of: load)
    // What another policy made of it counts only where the facts that it had are not in the record.
    let isKnown = !load.isSecure || load.version != nil
    let others = violations.filter { name in
      isKnown ? !["cleartext", "minimum-tls", "forward-secrecy", "cipher-suite"].contains(name) : name != "cleartext"
    }
    return computed + others.filter { !computed.contains($0) }
  }

  /// Whether it says anything about what the origin speaks.
  var isTelling: Bool { !load.isSecure || load.version != nil || !violations.isEmpty }
}
